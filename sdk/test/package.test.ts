import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildSdk, sdkDist } from '../../scripts/build-sdk.ts'
import { filesIn } from '../../scripts/release/trees.ts'
import * as source from '../src/client.ts'

const root = join(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8'))
let files: { name: string; text: string }[]
beforeAll(async () => {
  expect(await buildSdk()).toBe(true)
  files = filesIn(sdkDist).map((name) => ({ name, text: readFileSync(join(sdkDist, name), 'utf8') }))
})
const those = (end: string) => files.filter(({ name }) => name.endsWith(end))

/** Without comments and texts. */
const codeOf = (text: string) =>
  text
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")

describe('the built client', () => {
  it('imports only its own files, which are there', () => {
    for (const { name, text } of [...those('.js'), ...those('.d.ts')]) {
      const specifiers = [...text.matchAll(/(?:\bfrom |\bimport |\bimport\()['"]([^'"]+)['"]/g)]
      for (const [, specifier = ''] of specifiers) {
        expect([name, specifier]).toEqual([name, expect.stringMatching(/^\.{1,2}\/[\w./-]+\.js$/)])
        expect([specifier, existsSync(join(sdkDist, dirname(name), specifier))]).toEqual([specifier, true])
      }
    }
    expect(those('.js').length).toBeGreaterThan(15)
  })

  it('uses only what every runtime has', () => {
    const foreign = /\b(Buffer|process|require|module|__dirname|setImmediate|Deno|Bun|window|document)\b/
    for (const { name, text } of those('.js'))
      expect([name, foreign.exec(codeOf(text))?.[0]]).toEqual([name, undefined])
    expect(codeOf("/* Buffer */ x('process') // \nBuffer.from(1)")).toMatch(foreign)
  })

  it('does nothing when it is loaded, so that bundlers may drop what is not used', () => {
    expect(manifest.sideEffects).toBe(false)
    for (const { name, text } of those('.js')) {
      const calls = codeOf(text)
        .split('\n')
        .filter((line) => /^[\w.]+\(|^await /.test(line))
      expect([name, calls]).toEqual([name, []])
    }
  })

  it('has types and maps for every file, and the sources that the maps refer to', () => {
    for (const { name } of those('.js')) {
      for (const other of [name.replace('.js', '.d.ts'), `${name}.map`, name.replace('.js', '.d.ts.map')])
        expect([other, existsSync(join(sdkDist, other))]).toEqual([other, true])
    }
    for (const { name, text } of those('.map'))
      for (const path of JSON.parse(text).sources)
        expect([path, existsSync(join(sdkDist, dirname(name), path))]).toEqual([path, true])
    expect(manifest.files).toEqual(expect.arrayContaining(['dist', 'src']))
  })
})

describe('the manifest', () => {
  it('names files that exist, types before code, and no dependency', () => {
    for (const [name, target] of Object.entries<string | Record<string, string>>(manifest.exports)) {
      const targets = typeof target === 'string' ? { default: target } : target
      for (const path of Object.values(targets))
        expect([name, path, existsSync(join(root, 'sdk', path))]).toEqual([name, path, true])
      if (typeof target !== 'string')
        expect(Object.keys(target)).toEqual(['@sluice/source', 'types', 'default'])
    }
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(manifest).not.toHaveProperty(kind)
    for (const name of ['install', 'postinstall', 'preinstall'])
      expect(manifest.scripts).not.toHaveProperty(name)
  })

  it('comes with the licence of the project', () => {
    const licence = (folder: string) => readFileSync(join(root, folder, 'LICENSE'), 'utf8')
    expect(licence('sdk')).toBe(licence('.'))
  })
})

it('within this project its name stands for its sources, so that nothing waits for a build', async () => {
  expect((await import('@sluice/sdk')).createSluice).toBe(source.createSluice)
})
