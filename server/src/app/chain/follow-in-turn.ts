import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { type Followed, readChain } from './follow-chain.ts'

const turns = new WeakMap<Gate, Promise<unknown>>()

/**
 * Reads a gate's chain once, after every reading of it that this process has begun before: two at once would read the same
 * blocks, and only one of them could write.
 */
export async function followInTurn(
  app: App,
  gate: Gate,
  options: Parameters<typeof readChain>[2] = {},
): Promise<Followed> {
  const before = turns.get(gate) ?? Promise.resolve()
  const own = before.then(() => readChain(app, gate, options))
  turns.set(
    gate,
    own.catch(() => {}),
  )
  return own
}
