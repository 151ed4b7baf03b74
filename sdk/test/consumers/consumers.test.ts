import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { laySdk } from '../../../scripts/release/parts.ts'
import { filesIn } from '../../../scripts/release/trees.ts'
import { runtimes } from '../../../scripts/runtime-programs.ts'
import {
  makeTemporaryFolder,
  type TemporaryFolder,
} from '../../../server/test/support/processes/temporary-folder.ts'
import { complaintsOf, installConsumer, packSdk, root, runConsumer } from './consumer-project.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

let home: TemporaryFolder
let archive: string
let installed: string
let standIn: StandIn
beforeAll(async () => {
  home = await makeTemporaryFolder('sluice-consumers-')
  archive = await packSdk(home.path)
  installed = await installConsumer(home.path, 'installed', `file:${archive}`)
})
afterAll(() => home.remove())

it('a release holds the same package as npm packs', async () => {
  const laid = join(home.path, 'laid')
  await laySdk(laid)
  const packed = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((name) => name.replace('package/', ''))
  expect(packed.sort()).toEqual(filesIn(laid))
  expect(packed).toContain('dist/client.js')
})

it('a consumer gets the package alone: no dependencies, and no script to run', () => {
  const lock = JSON.parse(readFileSync(join(installed, 'node_modules/.package-lock.json'), 'utf8'))
  expect(Object.keys(lock.packages)).toEqual(['node_modules/@sluice/sdk'])
  expect(lock.packages['node_modules/@sluice/sdk']).not.toHaveProperty('hasInstallScript')
})

describe('a consumer type-checks', () => {
  const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' }
  const bundler = { module: 'esnext', moduleResolution: 'bundler' }
  const dom = { lib: ['es2022', 'dom', 'dom.iterable'] }
  const ofNode = { lib: ['es2022'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }

  it.each([
    ['as an ES module of Node', 'shop.ts', { ...nodenext, ...dom }],
    ["with Node's types and no DOM", 'shop.ts', { ...nodenext, ...ofNode }],
    ['through a bundler', 'shop.ts', { ...bundler, ...dom }],
    ['in JavaScript', 'plain.js', { ...nodenext, ...dom, allowJs: true, checkJs: true }],
    ['without the types of any runtime', 'no-globals.ts', { ...nodenext, lib: ['es2022'] }],
  ])('%s', async (_, file, settings) => {
    expect(await complaintsOf(installed, '@typescript/native', [file], settings)).toBe('')
  })

  it('with the compiler before this one, against the built types', async () => {
    const settings = { ...nodenext, lib: ['es2022'], listFiles: true }
    const listed = await complaintsOf(installed, 'typescript', ['no-globals.ts'], settings)
    const ours = listed.split('\n').filter((line) => !line.includes('typescript/lib/lib.'))
    expect(ours.filter((line) => !/(@sluice\/sdk\/dist\/[\w./-]+\.d|\/no-globals)\.ts$/.test(line))).toEqual([
      '',
    ])
    expect(ours.length).toBeGreaterThan(10)
  })

  it('only if its types are right', async () => {
    const settings = { ...nodenext, lib: ['es2022'] }
    writeFileSync(join(installed, 'wrong.ts'), "import '@sluice/sdk'\nexport const wrong: number = 'text'\n")
    expect(await complaintsOf(installed, '@typescript/native', ['wrong.ts'], settings)).toContain('TS2322')
  })
})

describe('a consumer runs on', () => {
  beforeAll(async () => {
    standIn = await startStandIn()
  })
  afterAll(() => standIn.close())

  type Case = { name: string; program: readonly [string, ...string[]]; files: readonly string[] }
  const argumentsOf: Record<string, readonly string[]> = {
    Deno: ['run', '--quiet', '--no-remote', '--allow-net=127.0.0.1', '--allow-read=.'],
    Bun: ['run', '--no-install'],
  }
  const cases: Case[] = [
    { name: 'Node 24', program: [process.execPath], files: ['shop.ts', 'plain.js', 'required.cjs'] },
    // Nothing is left out silently: a runtime is not tested only where its maker does not publish it.
    ...runtimes
      .filter((runtime) => runtime.package !== null)
      .map(({ name, program }): Case => {
        const isNode = name.startsWith('Node')
        return {
          name,
          program: [program, ...(argumentsOf[name] ?? [])],
          files: isNode ? ['plain.js', 'required.cjs'] : ['shop.ts', 'plain.js'],
        }
      }),
  ]

  it.each(cases)('$name', async ({ program, files }) => {
    for (const file of files) {
      // A new server each time, since a consumer expects to be its first.
      const server = await startStandIn()
      try {
        expect([file, await runConsumer(program, installed, file, server.origin)]).toEqual([
          file,
          expected[file],
        ])
      } finally {
        await server.close()
      }
    }
  })

  it('a folder of this project that it links to', async () => {
    const linked = await installConsumer(home.path, 'linked', `file:${join(root, 'sdk')}`)
    expect(lstatSync(join(linked, 'node_modules/@sluice/sdk')).isSymbolicLink()).toBe(true)
    expect(await runConsumer([process.execPath], linked, 'plain.js', standIn.origin)).toEqual(
      expected['plain.js'],
    )
    const settings = { module: 'nodenext', lib: ['es2022'] }
    expect(await complaintsOf(linked, '@typescript/native', ['no-globals.ts'], settings)).toBe('')
  })
})

const requestId = 'req_stand_in'
const expected: Record<string, unknown> = {
  'shop.ts': {
    isSame: true,
    responses: [
      { status: 201, requestId, replayed: false },
      { status: 201, requestId, replayed: true },
    ],
    amounts: ['3', '2', '1', '0.5'],
    refusal: {
      code: 'validation_error',
      message: 'amount: must be a decimal string (request req_stand_in)',
      isBase: true,
    },
    event: [true, 'é ✓'],
    reason: 'wrong_signature',
  },
  'plain.js': {
    status: 201,
    amounts: ['2', '0.001'],
    refusal: ['NotFoundError', 404, 'This is not_found. (request req_stand_in)'],
    event: [true, 'é ✓'],
    reason: 'timestamp_too_old',
  },
  'required.cjs': [],
}

it('every runtime that its maker publishes for this machine was fetched', () => {
  const missing = runtimes.filter((runtime) => runtime.package !== null && !existsSync(runtime.program))
  expect(missing.map(({ name }) => `${name} is missing. Run: npm run provision`)).toEqual([])
  expect(runtimes.map(({ name }) => name)).toEqual(['Node 20', 'Node 22', 'Deno', 'Bun'])
})
