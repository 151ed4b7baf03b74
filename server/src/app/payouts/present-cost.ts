import { ServiceError } from '../../domain/errors.ts'
import { formatDecimal, parseDecimal } from '../../domain/money.ts'
import { chargedUnits, coveringReserve, type Payout } from '../../domain/payouts.ts'
import { say } from '../../domain/reasons/reasons.ts'
import type { App } from '../app.ts'
import { askedNow, feeEstimator } from './estimate-fee.ts'

/** What the network asks for a payout now, and what would be reserved for it. */
export type PresentFee = { readonly askedUnits: bigint; readonly estimateUnits: bigint }

/** Null while the network cannot be asked. Asks the node, so never call it inside a transaction. */
export type FeeReader = (payout: Payout) => Promise<PresentFee | null>

export function feeReader(app: Pick<App, 'gates' | 'rates'>): FeeReader {
  const estimate = feeEstimator(app)
  return async (payout) => {
    if (payout.status !== 'pending_approval' || !app.gates.isOnline(payout.gateId)) return null
    const gate = app.gates.find(payout.gateId)
    const asset = gate?.assets.find(({ currency }) => currency === payout.currency)
    const place = { address: payout.destination, tag: payout.destinationTag }
    if (gate === null || asset === undefined) return null
    // A destination that was tampered with gets no estimate: the approval itself says that the payout was changed.
    if (gate.spending.kind === 'coins' && gate.parseDestination(place.address, place.tag) === null)
      return null
    try {
      const estimateUnits = await estimate(gate, asset, place)
      return { askedUnits: askedNow(estimateUnits), estimateUnits }
    } catch (error) {
      // The network or its rate is away: the reserve is all that is known.
      if (error instanceof ServiceError) return null
      throw error
    }
  }
}

/** A payout's network fee and total as they would be if it left now. */
export function costNow(payout: Payout, now: PresentFee | null): { feeUnits: bigint; totalUnits: bigint } {
  const networkFeeUnits = coveringReserve(payout.networkFeeUnits, now)
  return { feeUnits: networkFeeUnits, totalUnits: chargedUnits({ ...payout, networkFeeUnits }) }
}

/**
 * Throws if sending a payout costs more by now than the approver saw. The total seen has room for rising fees, so only a network that
 * asks for more than all of it counts as a rise; a fall never does.
 */
export function refuseDearer(payout: Payout, seenTotal: string, now: PresentFee | null): void {
  const seenUnits = parseDecimal(seenTotal, payout.decimals)
  if (seenUnits === null)
    throw new ServiceError('validation_error', `The total has more decimals than ${payout.currency} has.`)
  const seenFeeUnits = seenUnits - (payout.amountUnits + payout.feeUnits)
  const { totalUnits } = costNow(payout, now)
  if (payout.networkFeeUnits <= seenFeeUnits && (now === null || now.askedUnits <= seenFeeUnits)) return
  const shown = (units: bigint) => `${formatDecimal(units, payout.decimals)} ${payout.currency}`
  throw new ServiceError('conflict', say('fee_rose', { amount: shown(totalUnits), seen: shown(seenUnits) }))
}
