import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeTestWallet, readTestWallet, testWalletPath, WalletError } from '../../src/signer/wallet-file.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

const child = fileURLToPath(new URL('make-wallet-child.ts', import.meta.url))
const words = `${'abandon '.repeat(11)}about`

let folder: TemporaryFolder
let dataDir: string
let path: string
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  dataDir = join(folder.path, 'data')
  path = testWalletPath(dataDir)
})
afterEach(() => folder.remove())

async function put(text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, text, { mode: 0o600 })
}

it('a wallet is created with 24 words, readable only by its owner, and read back', async () => {
  expect(await readTestWallet(dataDir)).toBeNull()
  const made = await makeTestWallet(dataDir, randomBytes)
  expect(made.words.split(' ')).toHaveLength(24)
  expect(await readTestWallet(dataDir)).toEqual({ words: made.words, open: false })
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    version: 1,
    environment: 'test',
    words: made.words,
  })
})

it('a wallet is never replaced, and twenty concurrent creators get the same words', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => makeTestWallet(dataDir, randomBytes)))
  expect(new Set(made.map((each) => each.words)).size).toBe(1)
  expect(await readdir(dirname(path))).toEqual(['test-wallet.json'])
})

it('a wallet that others may read is reported as open', async () => {
  await put(JSON.stringify({ version: 1, environment: 'test', words }))
  await chmod(path, 0o640)
  expect(await readTestWallet(dataDir)).toEqual({ words, open: true })
})

describe('a file that is not a wallet is an error that says what to do and reveals none of it, and the file stays unchanged', () => {
  it.each([
    ['cut off', `{"version":1,"environment":"test","words":"${words}`],
    ['empty', ''],
    ['bare words', words],
    ['of another version', JSON.stringify({ version: 2, environment: 'test', words })],
    ['a live wallet', JSON.stringify({ version: 1, environment: 'live', words })],
    [
      'with a mistyped word',
      JSON.stringify({ version: 1, environment: 'test', words: words.replace('about', 'abandon') }),
    ],
    ['without words', JSON.stringify({ version: 1, environment: 'test' })],
    [
      'far too long',
      JSON.stringify({ version: 1, environment: 'test', words, more: 'abandon '.repeat(1000) }),
    ],
  ])('%s', async (_, text) => {
    await put(text)
    const failed = await readTestWallet(dataDir).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(WalletError)
    expect(inspect(failed, { depth: 9 })).not.toMatch(/abandon|about/)
    expect((failed as Error).message).toContain(path)
    expect((failed as Error).message).toContain('backup')
    await expect(makeTestWallet(dataDir, randomBytes)).rejects.toBeInstanceOf(WalletError)
    expect(await readFile(path, 'utf8')).toBe(text)
  })
})

it('a file that cannot be read or written is reported with its path', async () => {
  await mkdir(path, { recursive: true })
  await expect(readTestWallet(dataDir)).rejects.toThrow(/test-wallet\.json cannot be read \(EISDIR\)/)
  await writeFile(join(folder.path, 'file'), '')
  await expect(makeTestWallet(join(folder.path, 'file'), randomBytes)).rejects.toThrow(/cannot be written to/)
})

it('a creator killed with -9 at any moment leaves one whole wallet or none, and no other file after the next run', async () => {
  for (let round = 0; round < 12; round++) {
    const own = join(dataDir, String(round))
    const maker = spawn(process.execPath, [child, own], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(maker.stdout, 'data')
    await delay(Math.random() * 12)
    maker.kill('SIGKILL')
    await once(maker, 'exit')
    const found = await readTestWallet(own)
    const next = await makeTestWallet(own, randomBytes)
    if (found !== null) expect(next.words).toBe(found.words)
    expect(await readdir(dirname(testWalletPath(own)))).toEqual(['test-wallet.json'])
  }
})
