import { refillPlanOf } from '../../../domain/account-refills.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { maxFeeOf, refillUnitsOf } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { assetOn, nativeAsset } from '../hot-wallet/native-asset.ts'

/** An open refill as the operator sees it. */
export type ListedRefill = {
  readonly id: string
  /** Null where the cold wallet is an account, until it is signed. */
  readonly txHash: string | null
  /** What the hot wallet gets. */
  readonly amount: string
  readonly fee: string
  readonly currency: string
  readonly feeCurrency: string
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
  const ofCoins = (await app.store.refills.open(gate.id)).map(
    ({ plan, isSigned, refusal, answer, ...refill }) => ({
      ...refill,
      amount: formatDecimal(refillUnitsOf(plan) - maxFeeOf(plan), decimals),
      fee: formatDecimal(maxFeeOf(plan), decimals),
      currency,
      feeCurrency: currency,
      status: statusOf(isSigned),
      next: isSigned ? whenSent(answer) : refusal === null ? whenPrepared(refill.id) : whenUnshown(refusal),
    }),
  )
  return [...ofCoins, ...(await ofAccount(app, gate))]
}

/** The open refill from an account; there is at most one. */
async function ofAccount({ store }: Pick<App, 'store'>, gate: Gate): Promise<ListedRefill[]> {
  const id = await store.accountRefills.openOn(gate.id)
  const spend = id === null ? null : await store.spends.find(id)
  if (spend === null) return []
  const { preparedAt, preparedBy, answer } = await store.accountRefills.origin(spend.id)
  const plan = refillPlanOf(spend)
  const newest = spend.transactions.findLast(({ signed }) => signed !== null)
  const native = nativeAsset(gate)
  return [
    {
      id: spend.id,
      txHash: newest?.signed?.hash ?? null,
      amount: formatDecimal(plan.units, assetOn(gate, plan.currency).decimals),
      fee: formatDecimal(newest?.maxFeeUnits ?? maxFeeOf(plan), native.decimals),
      currency: plan.currency,
      feeCurrency: native.currency,
      preparedAt,
      preparedBy,
      status: statusOf(newest !== undefined),
      next: newest === undefined ? whenPrepared(spend.id) : whenSent(answer),
    },
  ]
}

function statusOf(isSigned: boolean): ListedRefill['status'] {
  return isSigned ? 'sent' : 'prepared'
}

function whenPrepared(id: string): string {
  return `Sign its file, then: npx sluice wallet refill --submit FILE. To write the file once more: npx sluice wallet refill --again ${id} --out FILE. To give it up: npx sluice wallet give-up ${id}`
}

function whenUnshown(refusal: string): string {
  return `It is in a block, but the node does not show it as it was signed: ${refusal} Hand the signed file in: npx sluice wallet refill --submit FILE`
}

function whenSent(answer: string | null): string {
  return answer === null
    ? 'It is booked once it is deep enough. There is nothing to do.'
    : `The node refuses it for now (${answer}). The running service sends it again.`
}
