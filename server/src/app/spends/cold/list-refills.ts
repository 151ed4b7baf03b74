import { formatDecimal } from '../../../domain/money.ts'
import { maxFeeOf, refillUnitsOf } from '../../../domain/spends.ts'
import type { App } from '../../app.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'

/** An open refill as the operator sees it. */
export type ListedRefill = {
  readonly id: string
  readonly txHash: string
  /** What the hot wallet gets. */
  readonly amount: string
  readonly fee: string
  readonly currency: string
  readonly preparedAt: Date
  readonly preparedBy: string
  /** `prepared`: no signed transaction was handed in yet. */
  readonly status: 'prepared' | 'sent'
  /** What the operator is to do, or what it waits for. */
  readonly next: string
}

/** The open refills of a gate, oldest first. */
export async function listRefills(
  app: Pick<App, 'store' | 'gates'>,
  gateId: string,
): Promise<ListedRefill[]> {
  const gate = app.gates.find(gateId)
  if (gate === null) return []
  const { currency, decimals } = nativeAsset(gate)
  return (await app.store.refills.open(gate.id)).map(({ plan, isSigned, answer, ...refill }) => ({
    ...refill,
    amount: formatDecimal(refillUnitsOf(plan) - maxFeeOf(plan), decimals),
    fee: formatDecimal(maxFeeOf(plan), decimals),
    currency,
    status: isSigned ? 'sent' : 'prepared',
    next: isSigned ? whenSent(answer) : whenPrepared(refill.id),
  }))
}

function whenPrepared(id: string): string {
  return `Sign its file, then: npx sluice wallet refill --submit FILE. To write the file once more: npx sluice wallet refill --again ${id} --out FILE. To give it up: npx sluice wallet give-up ${id}`
}

function whenSent(answer: string | null): string {
  return answer === null
    ? 'It is booked once it is deep enough. There is nothing to do.'
    : `The node refuses it for now (${answer}). The running service sends it again.`
}
