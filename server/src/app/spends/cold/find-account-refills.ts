import type { Spend } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { isDeep } from '../settling/is-deep.ts'
import { settleSpend } from '../settling/settle-spend.ts'
import { adopt, findNonceUse } from './find-nonce-use.ts'

/**
 * Looks on a gate's chain for refills from an account that were not handed in: the operator may have sent one with another program,
 * perhaps at another fee, or used its nonce otherwise. Returns how many were found.
 */
export async function findAccountRefills(app: App, gate: Gate): Promise<number> {
  let found = 0
  for (const id of await app.store.accountRefills.unsigned(gate.id)) {
    const spend = await app.store.spends.find(id)
    if (spend !== null && (await resolveRefill(app, gate, spend))) found++
  }
  return found
}

/** Adopts the transaction that has used the nonce, or ends the refill once that is deep. False while neither happens. */
export async function resolveRefill(app: App, gate: Gate, spend: Spend): Promise<boolean> {
  const use = await findNonceUse(app, gate, spend)
  if (use === null) return false
  const { own, block, reason } = use
  if (own !== null) return adoptOpen(app, gate, spend, own)
  if (!(await isDeep(app, gate, gate.network.confirmations, block))) return false
  await settleSpend(app, gate, spend.id, { status: 'dead', reason, block })
  return true
}

/** False if the transaction was known already, or the refill has ended meanwhile. */
export async function adoptOpen(
  app: App,
  gate: Gate,
  { id }: Spend,
  own: Parameters<typeof adopt>[3],
): Promise<boolean> {
  return app.transaction(async (tx) => {
    const spend = await tx.spends.lock(id)
    if (spend.status !== 'open' || spend.transactions.some(({ signed }) => signed?.hash === own.hash))
      return false
    await adopt(tx, gate, spend, own)
    return true
  })
}
