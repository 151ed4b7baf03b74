import { ServiceError } from '../../domain/errors.ts'
import { type Gate, GateOutageError } from '../../gates/gate.ts'
import type { FollowedChain } from '../../store/chains/followed-chains.ts'
import type { App } from '../app.ts'
import { followChain } from '../chain/follow-chain.ts'

// Each step stores a few hundred blocks, or finds that another process has stored them.
const maxSteps = 10_000

/** Follows a gate's blocks up to its node's tip, even if a running service does the same, and returns the followed chain. */
export async function catchUp(app: App, gate: Gate): Promise<FollowedChain> {
  for (let steps = 0; steps < maxSteps; steps++) {
    const outcome = await followChain(app, gate, { evenIfHeld: true, blocksOnly: true })
    if (outcome === 'halted')
      throw new ServiceError(
        'conflict',
        `${gate.id} is halted: its chain was reorganised deeper than allowed. Resume it first. See: npx sluice gate list`,
      )
    if (outcome !== 'idle') continue
    const chain = await app.store.followedChains.find(gate.id)
    if (chain !== null) return chain
  }
  throw new GateOutageError(`The chain of ${gate.id} could not be followed to its end.`)
}
