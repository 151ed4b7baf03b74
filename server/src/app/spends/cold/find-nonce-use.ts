import { refillPlanOf } from '../../../domain/account-refills.ts'
import type { Spend } from '../../../domain/spends.ts'
import type { Gate, NonceUse } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { keepSignedRefill } from './keep-signed-refill.ts'

const maxHints = 100

type UsedTransaction = NonNullable<NonceUse['transaction']>

/** What has used the nonce of a refill up, in a block. `own` is its transaction if that makes the refill; null otherwise. */
export type RefillUse = Pick<NonceUse, 'block'> & {
  readonly own: UsedTransaction | null
  readonly reason: string
}

/** Asks the chain what became of the nonce of a refill from an account; null while nothing has used it. */
export async function findNonceUse(
  app: Pick<App, 'store'>,
  gate: Gate,
  spend: Spend,
): Promise<RefillUse | null> {
  const plan = refillPlanOf(spend)
  const refilling = gate.spending.kind === 'account' ? gate.spending.refill : undefined
  if (refilling === undefined || gate.nonceUse === undefined) return null
  const { address } = plan.from
  const hints = await app.store.accountRefills.hints(spend.id, maxHints)
  const use = await gate.nonceUse(address, plan.nonce, hints)
  if (use === null) return null
  const { block, transaction } = use
  const isOwn =
    transaction !== null &&
    (spend.transactions.some(({ signed }) => signed?.hash === transaction.hash) ||
      refilling.isSame(plan, transaction))
  const by = transaction === null ? `in block ${block.height} or before` : `by ${transaction.hash}`
  return {
    block,
    own: isOwn ? transaction : null,
    reason: `Nonce ${plan.nonce} of the cold wallet was used ${by}.`,
  }
}

/** Stores a transaction that was sent elsewhere as one of a locked refill. From then on it is followed as any other. */
export async function adopt(
  tx: Store,
  gate: Gate,
  spend: Spend,
  { hash, bytes }: UsedTransaction,
): Promise<void> {
  const plan = refillPlanOf(spend)
  const read = gate.read(bytes)
  // Bytes of another type cannot be read; the receipt tells the fee.
  const gas = 'refused' in read || read.kind !== 'account' ? plan : read
  const { gasLimit, gasPrice } = gas
  const attempt = await keepSignedRefill(tx, spend, plan, { hash, bytes }, { gasLimit, gasPrice })
  await tx.spends.noteSent(spend.id, attempt, null)
}
