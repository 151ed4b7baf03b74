import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { gateId } from '../../domain/networks/network.ts'
import { mostPayable, payoutFee } from '../../domain/payouts.ts'
import type { App } from '../app.ts'
import { assetOf } from '../choose-asset.ts'
import { onlineGate } from '../gates/gate-book.ts'
import { usableRate } from '../rates/price.ts'
import type { BookedRate } from '../rates/rate-book.ts'
import { feeEstimator } from './estimate-fee.ts'

/** What a payout could be at most, and what it would cost. */
export type PayoutQuote = {
  readonly currency: string
  readonly network: string
  readonly decimals: number
  readonly availableUnits: bigint
  /** Null while it is not known. */
  readonly networkFeeUnits: bigint | null
  /** Null without a network fee, or if too little is left. */
  readonly most: { readonly units: bigint; readonly feeUnits: bigint } | null
  readonly rate: BookedRate | null
}

type Asked = {
  readonly currency: string
  readonly network: string | null
  readonly destination: string | null
  readonly destinationTag: string | null
}

/** Makes the use case, which keeps fee rates for a few seconds. It reserves nothing and decides nothing. */
export function payoutQuoter(app: App): (caller: Caller, asked: Asked) => Promise<PayoutQuote> {
  const estimate = feeEstimator(app)

  /** The reserve for the network's fee; null while it cannot be told, which creating a payout would say in full. */
  async function networkFee({ environment }: Caller, currency: string, network: string, asked: Asked) {
    const gate = app.gates.find(gateId(network, environment))
    const asset = gate?.assets.find((each) => each.currency === currency)
    if (gate === null || asset === undefined) return null
    const named =
      asked.destination === null ? null : gate.parseDestination(asked.destination, asked.destinationTag)
    const { spending } = gate
    // Where the size of an address counts, our own change stands in for one that is not known yet.
    const stand = { address: spending.kind === 'coins' ? spending.changeAddress(0) : '', tag: null }
    try {
      onlineGate(app.gates, currency, network, environment)
      return await estimate(gate, asset, named ?? stand)
    } catch (error) {
      if (error instanceof ServiceError) return null
      throw error
    }
  }

  return async (caller, asked) => {
    const { currency, asset } = assetOf(app.assets, asked)
    const network = asset.network.id
    const { merchantId, environment, merchant } = caller
    const [availableUnits, networkFeeUnits, rate] = await Promise.all([
      app.store.balances.available({ merchantId, environment, currency: currency.code, network }),
      networkFee(caller, currency.code, network, asked),
      usableRate(app, environment, currency.code, merchant.baseCurrency),
    ])
    const left =
      networkFeeUnits === null ? 0n : mostPayable(availableUnits - networkFeeUnits, merchant.payoutFeeBps)
    const isPayable = networkFeeUnits !== null && left > 0n && left >= asset.minUnits
    return {
      currency: currency.code,
      network,
      decimals: asset.decimals,
      availableUnits,
      networkFeeUnits,
      most: isPayable ? { units: left, feeUnits: payoutFee(left, merchant.payoutFeeBps) } : null,
      rate,
    }
  }
}
