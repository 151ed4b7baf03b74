import type { Gate } from '../../gates/gate.ts'
import type { Store } from '../../store/store.ts'
import { rest } from '../rest.ts'
import type { GateStatus } from './gate-book.ts'

/** A node that has not answered for this long is offline. */
export const offlineAfterMs = 10_000
const answerWithinMs = 5_000
/** A node that shows a chain so much shorter than it did before does not know what happens now. */
const maxLag = 3n

/**
 * Finds out which gates can be relied on: their chain is followed, not halted, and their node answers and is not
 * behind what it showed before. A node that does not answer holds up nobody else's check.
 */
export async function checkGates(parts: {
  readonly store: Pick<Store, 'followedChains'>
  readonly gates: readonly Gate[]
  readonly statuses: Map<string, GateStatus>
  readonly now?: () => number
}): Promise<void> {
  const now = parts.now ?? (() => performance.now())
  const followed = await parts.store.followedChains.heights()
  await Promise.all(
    parts.gates.map(async (gate) => {
      const status = parts.statuses.get(gate.id) ?? { online: false, answeredAt: Number.NEGATIVE_INFINITY }
      const known = followed.get(gate.id)
      // The simulator is the database, which has just answered.
      if (gate.simulated !== null || (await isUpToDate(gate, known?.height ?? 0n))) status.answeredAt = now()
      status.online = known?.chain === gate.chain && now() - status.answeredAt <= offlineAfterMs
      parts.statuses.set(gate.id, status)
    }),
  )
}

async function isUpToDate(gate: Gate, followed: bigint): Promise<boolean> {
  const stop = new AbortController()
  try {
    const late = rest(answerWithinMs, stop.signal).then(() => false)
    return await Promise.race([gate.tip().then(({ height }) => height + maxLag >= followed), late])
  } catch {
    // Whatever it is that went wrong, the gate is of no use now; the follower reports it.
    return false
  } finally {
    stop.abort()
  }
}
