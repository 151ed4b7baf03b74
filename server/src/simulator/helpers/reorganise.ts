import type { App } from '../../app/app.ts'
import { placeName } from '../../app/chain/sightings.ts'
import { invalid } from '../../app/choose-asset.ts'
import type { Caller } from '../../domain/caller.ts'
import type { BlockRef } from '../../domain/chain.ts'
import type { Gate } from '../../gates/gate.ts'
import { SimulationRefusal } from '../chain/refusal.ts'
import { settleGate } from './settle-gate.ts'
import { simulatedGate } from './simulated-gate.ts'

/**
 * Replaces the last `depth` blocks of a simulated network with a branch that is one block longer. Dropped transactions never
 * return. They must pay the caller: the chain is shared, and no merchant may undo another's payment. Returns once the new
 * branch is followed.
 */
export async function reorganise(
  app: App,
  caller: Caller,
  input: { readonly network: string; readonly depth: number; readonly drop: readonly string[] },
): Promise<{ network: string; tip: BlockRef }> {
  const gate = simulatedGate(app, caller, input.network)
  if (input.depth > app.following.maxDepth)
    throw invalid(
      `/depth: must be at most ${app.following.maxDepth} here: a deeper reorganisation would halt the gate`,
    )
  const { height } = await app.store.simulatedChains.tip(gate.id)
  if (BigInt(input.depth) > height)
    throw invalid(`/depth: must be at most ${height}, the height of the chain; mine some blocks first`)
  await refuseForeign(app, caller, gate, input.drop)
  const tip = await app.store.simulatedChains
    .reorganise(gate.id, input.depth, input.drop, { forGood: true })
    .catch((error: unknown) => {
      if (error instanceof SimulationRefusal && error.reason === 'not_replaced')
        throw invalid(
          '/drop: names a transaction that is in none of the replaced blocks; use a greater depth',
        )
      throw error
    })
  await settleGate(app, gate)
  return { network: gate.network.id, tip }
}

async function refuseForeign(app: App, caller: Caller, gate: Gate, hashes: readonly string[]): Promise<void> {
  const { keychain } = gate
  const problems: string[] = []
  for (const [at, hash] of hashes.entries()) {
    const outputs = (await app.store.simulatedChains.transaction(gate.id, hash))?.outputs ?? []
    const owners = await app.store.addressOwners.find(keychain, outputs)
    const paysCaller = outputs.some((output) => {
      const owner = owners.get(placeName(output))
      return (owner?.invoice ?? owner?.staticAddress)?.merchantId === caller.merchantId
    })
    if (!paysCaller) problems.push(`/drop/${at}: is not a transaction that pays you`)
  }
  if (problems.length > 0) throw invalid(...problems)
}
