import type { Gate } from '../../gates/gate.ts'
import type { Store } from '../../store/store.ts'

/**
 * Why nothing can leave a hot wallet at all, in words for whoever waits; null when it can. Its numbers must be used one
 * after another, all of them by us. `minedCount` is how many of its transactions are mined, as the node says.
 */
export async function hotObstacle(
  tx: Store,
  gate: Gate,
  address: string,
  minedCount: bigint,
): Promise<string | null> {
  const next = await tx.holdings.nextCount(gate.id, address)
  if (minedCount > next) return keyUsedOutside
  const gap = await tx.nonces.unused(gate.id, address, minedCount, next)
  // Whoever fills it needs a moment: see fillGaps.
  if (gap !== null) return `${behindGap} ${gap}.`
  const refusal = await tx.nonces.refusalOf(gate.id, address)
  return refusal === null ? null : `${behindRefused} ${refusal}`
}

// What is planned behind it could not be cancelled any more, nor go on.
const behindRefused =
  'An earlier transaction of this network has to be signed first, and the signer does not sign it:'

const keyUsedOutside =
  'The hot wallet has sent transactions that this service does not know of: its key was used elsewhere. The operator has to look at it before payouts go on.'

// Only a reorganisation of what had ruled a transaction out, or of what was accepted as sent elsewhere, brings this about.
const behindGap =
  'A number of the hot wallet is free again on the chain, although what was planned for it has ended, and nothing behind it can be mined. It is used up by itself with a transaction that pays nobody, which takes a little of the network’s own coin of the hot wallet; payouts go on then. Number:'
