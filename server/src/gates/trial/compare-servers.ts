import type { TrialFinding } from '../../domain/gate-trial.ts'
import { findingOf } from './findings.ts'
import { differenceOf } from './guarantees.ts'
import type { Reading } from './try-node.ts'
import { Untestable, UntrueAnswer } from './untrue.ts'

// The newest blocks may still be replaced, so for a moment servers may differ in them.
const unsettled = 2n

/** Whether several servers show the same blocks, and in them the same payments. */
export function compareServers(
  readings: readonly { readonly name: string; readonly reading: Reading }[],
): Promise<TrialFinding> {
  return findingOf('agreement', async () => {
    if (readings.length < 2) throw new Untestable('There is one server. Give a second --url to compare them.')
    const read = readings.filter(({ reading }) => reading.blocks.length > 0)
    const [one, ...others] = read
    if (one === undefined || others.length === 0)
      throw new Untestable('Blocks could be read of fewer than two servers.')
    let shared = 0
    let apart: string | null = null
    for (const other of others)
      for (const block of one.reading.blocks) {
        const same = other.reading.blocks.find(({ height }) => height === block.height)
        if (same === undefined) continue
        shared++
        const difference = differenceOf(block, same)
        if (difference === null) continue
        const newest = one.reading.blocks.at(-1)?.height ?? 0n
        const mayDiffer = block.hash !== same.hash && block.height > newest - unsettled
        if (!mayDiffer)
          throw new UntrueAnswer({
            call: `block ${block.height} on ${other.name}`,
            said: difference.second,
            truth: `on ${one.name} it says ${difference.first}: at least one of them is wrong`,
          })
        apart = `They differ in block ${block.height}, which is new and may still be replaced.`
      }
    if (shared === 0)
      throw new Untestable('The servers were at heights too different to compare. Ask for more --blocks.')
    return { says: `${read.length} servers show the same blocks.${apart === null ? '' : ` ${apart}`}` }
  })
}
