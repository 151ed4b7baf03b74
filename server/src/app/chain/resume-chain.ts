import type { BlockRef } from '../../domain/chain.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { watchedBy, write } from './follow-chain.ts'
import { leaveOutOwnMoves } from './leave-out-own-moves.ts'
import { readBranchFrom } from './read-branch.ts'

/**
 * Resumes a halted chain after the operator has investigated: replaces everything above `height` with the node's current
 * branch, in one transaction. Payments that are not on that branch are reversed; the others stay as they are.
 */
export async function resumeChain(app: App, gate: Gate, height: bigint): Promise<BlockRef> {
  const chain = await app.store.followedChains.find(gate.id)
  if (chain === null) throw new ServiceError('not_found', `The chain of ${gate.id} was never followed.`)
  if (chain.haltReason === null)
    throw new ServiceError('conflict', `${gate.id} is not halted, so there is nothing to resume.`)
  const { base, blocks } = await readBranchFrom(gate, height, watchedBy(app, gate))
  // The node has answered by now, so the gate knows its chain.
  if (chain.chain !== gate.chain)
    throw new ServiceError(
      'conflict',
      `This database follows ${gate.id} on chain ${chain.chain}, but its node is on chain ${gate.chain}.`,
    )
  const tip = blocks.at(-1) ?? base
  const step = await leaveOutOwnMoves(app, gate, { kind: 'rewind', base, blocks })
  const written = await app.transaction(async (tx) => {
    await tx.followedChains.endHalt(gate.id)
    return write(app, tx, gate, chain, {
      step,
      tip,
      pending: null,
      known: [],
      takesHold: false,
    })
  })
  if (written === null)
    throw new ServiceError('conflict', `Another process changed ${gate.id} at the same time. Try again.`)
  return tip
}
