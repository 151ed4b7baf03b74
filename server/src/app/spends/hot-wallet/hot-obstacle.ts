import { say, sayAll } from '../../../domain/reasons/reasons.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'

/**
 * Why nothing can leave a hot wallet, as a reason for waiting payouts; null when it can. Its nonces must be used in
 * sequence, all of them by us. `minedCount` is how many of its transactions are mined, according to the node; null where they
 * are not numbered, and so never hold each other up.
 */
export async function hotObstacle(
  tx: Store,
  gate: Gate,
  address: string,
  minedCount: bigint | null,
): Promise<string | null> {
  if (minedCount === null) return null
  // Zero: the account does not exist yet.
  if (gate.noncesStartAnywhere && minedCount > 0n) await tx.holdings.startCount(gate.id, address, minedCount)
  const next = await tx.holdings.nextCount(gate.id, address)
  if (minedCount > next) return say('key_used_outside')
  const gap = await tx.nonces.unused(gate.id, address, minedCount, next)
  // Happens only when a reorganisation removes what had ruled a transaction out, or what was accepted as sent outside
  // Sluice. `fillGaps` needs a moment to fill it.
  if (gap !== null) return say('behind_gap', { nonce: gap })
  const refusal = await tx.nonces.refusalOf(gate.id, address)
  // A payout planned after it could neither be cancelled nor continue.
  return refusal === null ? null : sayAll(say('behind_refused'), refusal)
}
