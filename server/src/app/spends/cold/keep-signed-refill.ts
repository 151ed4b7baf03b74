import type { AccountPlan, SignedTransaction, Spend } from '../../../domain/spends.ts'
import type { Store } from '../../../store/store.ts'

/** The gas that signed bytes pay for; the operator's wallet may have chosen it. */
export type SignedGas = Pick<AccountPlan, 'gasLimit' | 'gasPrice'>

/**
 * Stores a signed transaction of a locked refill, as the planned attempt or, where its fee is another one, as an attempt of
 * its own. Returns its attempt. Storing the same again changes nothing.
 */
export async function keepSignedRefill(
  tx: Store,
  { id, transactions }: Spend,
  planned: AccountPlan,
  signed: SignedTransaction,
  gas: SignedGas,
): Promise<number> {
  const known = transactions.find((each) => each.signed?.hash === signed.hash)
  if (known !== undefined) return known.attempt
  const [first] = transactions
  const plan = { ...planned, ...gas }
  const isAsPlanned =
    first?.signed === null && gas.gasLimit === planned.gasLimit && gas.gasPrice === planned.gasPrice
  const attempt = isAsPlanned ? 1 : transactions.length + 1
  if (!isAsPlanned) await tx.spends.addAttempt(id, attempt, plan)
  if (!(await tx.spends.saveSigned(id, attempt, signed)))
    throw new Error(`Refill ${id} was signed although it is locked.`)
  return attempt
}
