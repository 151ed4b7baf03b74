/**
 * The package.json files and the lock file of the archive. The server is bundled, so the archive needs only what a bundle cannot
 * hold: Node, the embedded PostgreSQL, and the package with the reference's script. Versions and digests are those of the
 * project's own lock file.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ofPackage, reference, root } from './trees.ts'

/** A package as `package-lock.json` describes it. */
export type Locked = {
  readonly version?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
type Versions = Readonly<Record<string, string>>

/** The project's lock file. */
export function lockedPackages(): Readonly<Record<string, Locked>> {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
}

/** The text of each file by its path in the archive. */
export function packageFiles(): Readonly<Record<string, string>> {
  const project = ofPackage('package.json')
  const server = ofPackage('server/package.json')
  const name = reference.slice('node_modules/'.length)
  const ofServer = {
    name: server.name,
    version: server.version,
    private: true,
    license: server.license,
    type: 'module',
    bin: server.bin,
    dependencies: { [name]: (server.dependencies as Versions)[name] },
    optionalDependencies: server.optionalDependencies as Versions,
  }
  const whole = {
    name: 'sluice-release',
    version: project.version,
    private: true,
    license: project.license,
    type: 'module',
    engines: project.engines,
    workspaces: ['server'],
    scripts: { start: 'sluice start' },
    optionalDependencies: project.optionalDependencies as Versions,
    overrides: { [name]: (project.overrides as Record<string, object>)[name] },
  }
  const packages = lockedPackages()
  const wanted = [ofServer.dependencies, ofServer.optionalDependencies, whole.optionalDependencies]
  const lock = {
    name: whole.name,
    version: whole.version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': without(whole, ['private', 'type', 'scripts', 'overrides']),
      ...reached(packages, wanted.flatMap(Object.keys)),
      'node_modules/sluice': { resolved: 'server', link: true },
      server: without(ofServer, ['private', 'type']),
    },
  }
  return {
    'package.json': inJson(whole),
    'package-lock.json': inJson(lock),
    'server/package.json': inJson(ofServer),
  }
}

/** The packages of these names and all that they need, in order of their paths. */
function reached(
  packages: Readonly<Record<string, Locked>>,
  names: readonly string[],
): Record<string, Locked> {
  const found = new Map<string, Locked>()
  const visit = (name: string, from: string): void => {
    const nested = `${from}/node_modules/${name}`
    const path = from !== '' && nested in packages ? nested : `node_modules/${name}`
    const locked = packages[path]
    if (locked === undefined) throw new Error(`${path} is not in package-lock.json.`)
    if (found.has(path)) return
    found.set(path, locked)
    for (const next of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }))
      visit(next, path)
  }
  for (const name of names) visit(name, '')
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function without<T extends object>(object: T, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

function inJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
