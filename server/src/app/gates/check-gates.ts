import { healthOf } from '../../domain/gate-health.ts'
import type { Gate } from '../../gates/gate.ts'
import type { Store } from '../../store/store.ts'
import type { AddressProofs } from '../addresses/address-proofs.ts'
import type { GateStatus } from './gate-book.ts'

/**
 * Determines which gates are online: their chain is followed and not halted, and its follower, in whichever process, reports
 * progress, and all its deposit addresses are ours. Does not call nodes: a node that answers is of no use if its chain cannot be followed.
 */
export async function checkGates(parts: {
  readonly store: Pick<Store, 'followedChains' | 'gateProgress'>
  readonly gates: readonly Gate[]
  readonly statuses: Map<string, GateStatus>
  readonly proofs: Pick<AddressProofs, 'alarm'>
}): Promise<void> {
  const [followed, progress] = await Promise.all([
    parts.store.followedChains.heights(),
    // Simulated gates report no progress.
    parts.gates.some(({ simulated }) => simulated === null) ? parts.store.gateProgress.list() : noProgress,
  ])
  for (const gate of parts.gates) {
    const chain = followed.get(gate.id)?.chain
    parts.statuses.set(gate.id, statusOf(gate, chain))
  }

  function statusOf(gate: Gate, chain: string | undefined): GateStatus {
    const alarm = parts.proofs.alarm(gate.keychain)
    if (alarm !== null) return { online: false, ...alarm, isWrongChain: false }
    const isFollowed = chain !== undefined && chain === gate.chain
    // The simulator is the database, which has just answered.
    if (gate.simulated !== null) return isFollowed ? { online: true } : notFollowed
    const health = healthOf(progress.get(gate.id) ?? null)
    return health.online && !isFollowed ? notFollowed : health
  }
}

const noProgress: Awaited<ReturnType<Store['gateProgress']['list']>> = new Map()

const notFollowed: GateStatus = {
  online: false,
  reason:
    'Its chain is not followed, or the database follows another chain under its name. The log says why.',
  since: null,
  isWrongChain: false,
}
