import type { App } from '../../app/app.ts'
import type { Caller } from '../../domain/caller.ts'
import type { BlockRef } from '../../domain/chain.ts'
import { settleGate } from './settle-gate.ts'
import { simulatedGate } from './simulated-gate.ts'

/** Mines blocks on a simulated network. Returns once they are followed. */
export async function mineBlocks(
  app: App,
  caller: Pick<Caller, 'environment'>,
  input: { readonly network: string; readonly count: number },
): Promise<{ network: string; tip: BlockRef }> {
  const gate = simulatedGate(app, caller, input.network)
  const tip = await app.store.simulatedChains.mine(gate.id, input.count)
  await settleGate(app, gate)
  return { network: gate.network.id, tip }
}
