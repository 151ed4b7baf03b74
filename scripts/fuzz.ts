/**
 * Starts its own service from this checkout and calls its public API at random, with an occasional kill -9; every
 * answer is compared with an independent model (server/test/fuzzer/):
 *
 * npm run fuzz -- [--seed 1] [--seeds 1] [--steps 300] [--kills 4] [--trace FILE] [--keep]
 */
import { parseArgs } from 'node:util'
import { fuzzSeed } from '../server/test/fuzzer/run.ts'
import { buildServer } from './build-server.ts'
import { buildPages } from './build-web.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    steps: { type: 'string', default: '300' },
    kills: { type: 'string', default: '4' },
    // Logs every request, one line of JSON each.
    trace: { type: 'string' },
    // Keeps the service's data and log for inspection.
    keep: { type: 'boolean', default: false },
  },
})
const [first, seeds] = [whole('seed', 0), whole('seeds', 1)]
const [steps, kills] = [whole('steps', 1), whole('kills', 0)]

if (!(await buildPages()) || !(await buildServer())) {
  console.error('The pages and the server bundle cannot be built. Run npm ci with the development tools.')
  process.exit(1)
}
const failed: number[] = []
for (let seed = first; seed < first + seeds; seed++) {
  const { trace = null, keep } = values
  const { findings, summary } = await fuzzSeed({ seed, steps, kills, trace, keep, say: console.log })
  console.log(summary)
  if (findings.all.length === 0) continue
  failed.push(seed)
  console.error(
    `Seed ${seed} failed. Repeat it: npm run fuzz -- --seed ${seed} --steps ${steps} --kills ${kills}`,
  )
}
console.log(`${seeds} seeds, ${failed.length} failed${failed.length === 0 ? '' : `: ${failed.join(', ')}`}.`)
if (failed.length > 0) process.exitCode = 1

function whole(name: 'seed' | 'seeds' | 'steps' | 'kills', least: number): number {
  const value = Number(values[name])
  if (!Number.isSafeInteger(value) || value < least) {
    console.error(`--${name} must be a whole number of at least ${least}.`)
    process.exit(1)
  }
  return value
}
