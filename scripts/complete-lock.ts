/**
 * Checks that package-lock.json is complete: it has every optional dependency, since `npm ci` refuses a lock file that lacks
 * one even if it would not install it here, and a hash of each package. A registry mirror may lack the packages of other
 * platforms; then choose a version that it has for all of them.
 *
 * It also removes each package's Node requirement: all of them run on the pinned Node, but npm would compare it with
 * the machine's Node and print a warning for each.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Locked, lockProblems } from './lock-problems.ts'

const file = join(import.meta.dirname, '../package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8')) as {
  packages: Record<string, Locked & { engines?: unknown }>
}
for (const [path, entry] of Object.entries(lock.packages))
  if (path.includes('node_modules/')) delete entry.engines
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)

const problems = lockProblems(lock.packages)
if (problems.length > 0) {
  console.error(`The lock file is incomplete:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  console.error('Choose versions of these packages that your registry has for every platform.')
  process.exitCode = 1
} else console.log('The lock file is complete.')
