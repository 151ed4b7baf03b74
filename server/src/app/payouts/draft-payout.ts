import type { Asset } from '../../domain/assets.ts'
import type { Caller } from '../../domain/caller.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { gateId } from '../../domain/networks/network.ts'
import { payoutFee } from '../../domain/payouts.ts'
import type { Gate } from '../../gates/gate.ts'
import type { NewPayout } from '../../store/payouts/payout-rows.ts'
import type { App } from '../app.ts'
import { assetOf, tooSmall, unitsOf } from '../choose-asset.ts'
import { gateOffline, onlineGate } from '../gates/gate-book.ts'
import { inBaseCurrency } from '../rates/price.ts'
import { destinationChecker } from './check-destination.ts'
import { feeEstimator } from './estimate-fee.ts'
import { insufficient } from './reserve-payouts.ts'

/** A request for a payout or refund: valid by the contract, nothing else checked yet. */
export type PayoutRequest = {
  readonly currency: string
  readonly network: string | null
  readonly amount: string
  readonly destination: string
  readonly destinationTag: string | null
  /** Allows a destination that a program controls; no when left out. */
  readonly allowProgramAddress?: boolean
  readonly description: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
}

/** What a request asks for, once its asset and amount are known to be valid. */
export type ReadPayout = { readonly currency: string; readonly asset: Asset; readonly units: bigint }

/** The fields in which payouts and refunds differ. */
export type PayoutTerms = Pick<NewPayout, 'idempotencyKey' | 'requestHash' | 'refundId'> & {
  readonly feeBps: number
}

type Destination = { readonly address: string; readonly tag: string | null }

export type PayoutDrafter = (
  caller: Caller,
  request: PayoutRequest,
  read: ReadPayout,
  terms: PayoutTerms,
) => Promise<NewPayout>

export function readPayout(app: Pick<App, 'assets'>, request: PayoutRequest): ReadPayout {
  const { currency, asset } = assetOf(app.assets, request)
  return { currency: currency.code, asset, units: unitsOf(request.amount, asset.decimals, 'amount') }
}

/**
 * Makes the drafter: checks and fixes everything about a payout except whether the balance covers it. Payouts and refunds
 * share its in-memory state.
 */
export function payoutDrafter(app: App): PayoutDrafter {
  const checkDestination = destinationChecker(app)
  const estimate = feeEstimator(app)

  async function networkFee(gate: Gate, currency: string, destination: Destination): Promise<bigint> {
    onlineGate(app.gates, currency, gate.network.id, gate.environment)
    const asset = gate.assets.find((each) => each.currency === currency)
    if (asset === undefined) throw gateOffline(gate.network.id)
    return estimate(gate, asset, destination)
  }

  return async (caller, request, { currency, asset, units }, terms) => {
    const { merchantId, environment, merchant } = caller
    if (units < asset.minUnits) throw tooSmall(currency, asset, 'amount')
    const gate = app.gates.find(gateId(asset.network.id, environment))
    // Without a gate the destination cannot be checked.
    if (gate === null) throw refusalOf(() => onlineGate(app.gates, currency, asset.network.id, environment))
    const place = { address: request.destination, tag: request.destinationTag }
    const consent = { programAddress: request.allowProgramAddress ?? false }
    const destination = await checkDestination(gate, place, consent)
    const wanted = {
      merchantId,
      environment,
      currency,
      network: asset.network.id,
      decimals: asset.decimals,
      amountUnits: units,
      feeUnits: payoutFee(units, terms.feeBps),
    }
    let networkFeeUnits: bigint
    try {
      networkFeeUnits = await networkFee(gate, currency, destination)
    } catch (error) {
      // Report a lack of funds first: it would remain once the network is back.
      const available = await app.store.balances.available(wanted)
      const least = { ...wanted, networkFeeUnits: 0n }
      throw insufficient(app, least, available) ?? error
    }
    return {
      ...wanted,
      id: uuidv7(app.now()),
      gateId: gate.id,
      networkFeeUnits,
      baseCurrency: merchant.baseCurrency,
      amountInBaseCurrency: await inBaseCurrency(
        app,
        environment,
        { currency, units, decimals: asset.decimals },
        merchant.baseCurrency,
      ),
      destination: destination.address,
      destinationTag: destination.tag,
      allowProgramAddress: gate.parseDestination(destination.address, destination.tag) === null,
      description: request.description,
      metadata: request.metadata,
      idempotencyKey: terms.idempotencyKey,
      requestHash: terms.requestHash,
      createdBy: caller.actor,
      refundId: terms.refundId,
    }
  }
}

function refusalOf(refuse: () => unknown): unknown {
  try {
    refuse()
  } catch (error) {
    return error
  }
  return new Error('A gate is online but cannot be found.')
}
