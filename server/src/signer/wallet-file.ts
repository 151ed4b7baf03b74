import { chmod, mkdir, open, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { entropyToMnemonic, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { syncFolder, writeOnceDurably } from '../durable-file.ts'

/** A wallet cannot be used. The message is for the operator: what is wrong, where, and what to do. It never has words. */
export class WalletError extends Error {
  override readonly name = 'WalletError'
}

// 256 bits make 24 words (BIP-39).
const entropyBytes = 32
const maxFileBytes = 4_096
const othersBits = 0o077

export type WalletFile = {
  readonly words: string
  /** Whether somebody besides its owner may read or change it. */
  readonly open: boolean
}

export function testWalletPath(dataDir: string): string {
  return join(dataDir, 'wallet', 'test-wallet.json')
}

/** The test wallet kept in the data folder, or null when there is none. */
export async function readTestWallet(dataDir: string): Promise<WalletFile | null> {
  const path = testWalletPath(dataDir)
  const found = await readBounded(path)
  if (found === null) return null
  const words = wordsIn(found.text)
  if (words === null)
    throw new WalletError(
      `${path} is damaged: it holds no wallet that can be read. Bring it back from a backup. Without one, move it ` +
        'away: Sluice then runs without this seed, and nothing that needs it can be done. It is never made anew while ' +
        'the database knows the wallet, since addresses given to payers come from it.',
    )
  // While the wallet stands, what an interrupted maker left is of no use to anybody.
  await removeLeftovers(path)
  return { words, open: (found.mode & othersBits) !== 0 }
}

/** Makes a test wallet, on disk for good when this returns. Of several makers at once one succeeds; all get its words. */
export async function makeTestWallet(dataDir: string, random: (size: number) => Buffer): Promise<WalletFile> {
  const path = testWalletPath(dataDir)
  const words = entropyToMnemonic(random(entropyBytes), wordlist)
  const text = `${JSON.stringify({ version: 1, environment: 'test', words }, null, 2)}\n`
  try {
    await makeFolder(dirname(path))
    await writeOnceDurably(path, text)
  } catch (error) {
    // Another maker was faster and cleared our temporary file away: its wallet is there.
    if (codeOf(error) !== 'ENOENT')
      throw new WalletError(
        `The test wallet cannot be written to ${path} (${codeOf(error) ?? 'unknown'}). SLUICE_DATA_DIR must name a ` +
          'folder on a local disk that Sluice may write to.',
        { cause: error },
      )
  }
  const made = await readTestWallet(dataDir)
  if (made === null) throw new WalletError(`${path} vanished while it was made. Start again.`)
  return made
}

/** Makes sure that a wallet which another process may have made just now survives a power cut. */
export async function settleTestWallet(dataDir: string): Promise<void> {
  await syncFolder(dirname(testWalletPath(dataDir)))
}

async function makeFolder(path: string): Promise<void> {
  const above = dirname(path)
  // As the embedded database does: its user must be able to pass through a data folder of root's.
  const first = await mkdir(above, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  if (first !== undefined) await syncFolder(dirname(first))
  try {
    await mkdir(path, { mode: 0o700 })
    await chmod(path, 0o700)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  await syncFolder(above)
}

async function readBounded(path: string): Promise<{ text: string; mode: number } | null> {
  try {
    const file = await open(path, 'r')
    try {
      const { size, mode } = await file.stat()
      return { text: size > maxFileBytes ? '' : await file.readFile('utf8'), mode }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new WalletError(
      `${path} cannot be read (${codeOf(error) ?? 'unknown'}). Let the user who runs Sluice, and nobody else, read it: ` +
        'chown it to that user, and chmod 600.',
      { cause: error },
    )
  }
}

/** The words of a wallet file, or null. A parser's complaint quotes what it read, so none is passed on. */
function wordsIn(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { version, environment, words } = value as Record<string, unknown>
    if (version !== 1 || environment !== 'test' || typeof words !== 'string') return null
    return validateMnemonic(words, wordlist) ? words : null
  } catch {
    return null
  }
}

async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path)
  const leftover = /^test-wallet\.json\.[0-9a-f]{12}\.tmp$/
  const names = await readdir(folder).catch(() => [])
  // A folder that we may read and not change still serves.
  for (const name of names.filter((each) => leftover.test(each)))
    await rm(join(folder, name), { force: true }).catch(() => {})
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
