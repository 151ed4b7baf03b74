import type { SignedTransaction } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { isHalted } from '../settling/is-halted.ts'

/** Sends a stored attempt of a refill, and returns what is said against it; null when the node took it. */
export async function sendRefill(
  app: App,
  gate: Gate,
  spendId: string,
  attempt: number,
  signed: SignedTransaction,
): Promise<string | null> {
  if (await isHalted(app, gate))
    return `The chain of ${gate.id} is halted. It is sent once you have resolved that: npx sluice gate list`
  const refusal = await gate.broadcast(signed)
  await app.store.spends.noteSent(spendId, attempt, refusal)
  return refusal
}
