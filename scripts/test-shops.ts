/** The packages for shops on their engines: installs both engines if need be, checks the types, and runs the stories. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { shopEngines } from './shop-engines.ts'

const root = join(import.meta.dirname, '..')
const steps: (readonly [string, ...string[]])[] = [
  ['node', 'scripts/provision-shops.ts'],
  ...shopEngines.map((engine) => ['tsc', '-p', `shops/${engine}`] as const),
  ['vitest', 'run', '--config', 'shops/vitest.config.ts', ...process.argv.slice(2)],
]

for (const [program, ...args] of steps) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  if (status === 0) continue
  process.exitCode = 1
  break
}
