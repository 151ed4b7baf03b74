/**
 * Adds to package-lock.json the packages of other platforms that a registry mirror may not carry. `npm ci` refuses a
 * lock file that lacks any optional dependency, even one that it would not install here. Such an entry has no
 * integrity, because the package is not available here: only a tool for developers may have one, and only for a platform
 * on which Sluice is not developed.
 *
 * It also removes each package's Node requirement: all of them run on the pinned Node, but npm would compare it with
 * the machine's Node and print a warning for each.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Entry = {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
  engines?: unknown
}

const file = join(import.meta.dirname, '../package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> }

const added: string[] = []
for (const owner of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`
    if (path in lock.packages) continue
    const platform = platformOf(name)
    if (platform === null) throw new Error(`${name} is missing from the lock file and names no platform.`)
    lock.packages[path] = { version, ...platform, ...(owner.dev && { dev: true }), optional: true }
    added.push(name)
  }
}

for (const [path, entry] of Object.entries(lock.packages))
  if (path.includes('node_modules/')) delete entry.engines

const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
console.log(added.length === 0 ? 'The lock file is complete.' : `Added: ${added.join(', ')}`)

/** `binding-linux-arm64-musl` → linux, arm64, musl. */
function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> | null {
  const found =
    /-(android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|x64|ia32|ppc64|s390x)(?:-(\w+))?$/.exec(
      name,
    )
  if (found === null) return null
  const [, os = '', cpu = '', abi] = found
  return { os: [os], cpu: [cpu], ...(abi === 'musl' && { libc: ['musl'] }) }
}
