import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** What the packages for shops say about themselves: their versions, what they need, and their licences. */

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

it.each([
  ['shops/medusa/package.json', /"version": "(.*)"/],
  ['shops/medusa/package.json', /"@sluice\/sdk": "(.*)"/],
  ['shops/medusa/README.md', /sluice-sdk-([\d.]+)\.tgz/],
  ['shops/medusa/README.md', /sluice-medusa-([\d.]+)\.tgz/],
  ['shops/vendure/package.json', /"version": "(.*)"/],
  ['shops/vendure/package.json', /"@sluice\/sdk": "(.*)"/],
  ['shops/vendure/README.md', /sluice-sdk-([\d.]+)\.tgz/],
  ['shops/vendure/README.md', /sluice-vendure-([\d.]+)\.tgz/],
  ['shops/woocommerce/sluice-for-woocommerce.php', /^ \* Version: (.*)$/m],
  ['shops/woocommerce/readme.txt', /^Stable tag: (.*)$/m],
  ['shops/woocommerce/src/BlocksMethod.php', /'assets\/blocks\.js'.*'([\d.]+)', true/],
])('%s has the version of this release: %s', (path, place) => {
  expect(place.exec(read(path))?.[1]).toBe(version)
})

it('the plugin for WooCommerce asks for the PHP that its client needs', () => {
  const { php } = JSON.parse(read('clients/php/composer.json')).require
  const wanted = /^[ *]*Requires PHP: (.*)$/m
  for (const file of ['sluice-for-woocommerce.php', 'readme.txt'])
    expect(`>=${wanted.exec(read(`shops/woocommerce/${file}`))?.[1]}`).toBe(php)
})

describe.each(['medusa', 'vendure'])('the package for %s', (engine) => {
  it('comes with the licence of the project', () => {
    expect(read(`shops/${engine}/LICENSE`)).toBe(read('LICENSE'))
  })

  // A package manager that is strict lets a package find nothing else.
  it('names every package that it loads', () => {
    const { dependencies, peerDependencies } = JSON.parse(read(`shops/${engine}/package.json`))
    const named = Object.keys({ ...dependencies, ...peerDependencies })
    const sources = [`shops/${engine}/src`, 'shops/shared'].flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => read(`${folder}/${name}`)),
    )
    const imports = sources.flatMap((source) => [
      ...source.matchAll(/^import (?!type ).*? from '([^.'][^']*)'/gms),
    ])
    const packages = imports
      .map(([, name = '']) => name)
      .filter((name) => !isBuiltin(name))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      )
    expect(packages.length).toBeGreaterThan(3)
    expect([...new Set(packages)].filter((name) => !named.includes(name))).toEqual([])
  })
})
