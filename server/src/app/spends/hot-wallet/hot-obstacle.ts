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
  const next = await tx.holdings.nextCount(gate.id, address)
  if (minedCount > next) return keyUsedOutside
  const gap = await tx.nonces.unused(gate.id, address, minedCount, next)
  // `fillGaps` needs a moment to fill it.
  if (gap !== null) return `${behindGap} ${gap}.`
  const refusal = await tx.nonces.refusalOf(gate.id, address)
  return refusal === null ? null : `${behindRefused} ${refusal}`
}

// A payout planned after it could neither be cancelled nor continue.
const behindRefused =
  'An earlier transaction on this network must be signed first, but the signer does not sign it:'

const keyUsedOutside =
  'The hot wallet has sent transactions that Sluice does not know: its key was used outside Sluice. Payouts continue once the operator has resolved this.'

// Happens only when a reorganisation removes what had ruled a transaction out, or what was accepted as sent outside Sluice.
const behindGap =
  'A nonce of the hot wallet is free again on the chain although its spend has ended, so nothing after it can be mined. Sluice fills it with a transaction that pays no one, which costs the hot wallet a little native currency; payouts then continue. Nonce:'
