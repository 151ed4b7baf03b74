import { chmod, mkdir, open, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { entropyToMnemonic, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { Environment } from '../domain/environment.ts'
import { syncFolder, writeOnceDurably } from '../durable-file.ts'
import { ownerBeside } from './folder-owner.ts'
import { type SealedWords, sealKindOf, sealWords, unsealWords, type WalletSecret } from './wallet-seal.ts'

/** A wallet cannot be used. The message tells the operator what is wrong, where, and what to do. It never contains seed words. */
export class WalletError extends Error {
  override readonly name = 'WalletError'
}

// 256 bits give 24 words (BIP-39).
const entropyBytes = 32
const maxFileBytes = 4_096
const othersBits = 0o077

export type WalletFile = {
  readonly words: string
  /** Whether users other than its owner may read or change it. */
  readonly open: boolean
}

export function walletPath(dataDir: string, environment: Environment): string {
  return join(dataDir, 'wallet', `${environment}-wallet.json`)
}

export function testWalletPath(dataDir: string): string {
  return walletPath(dataDir, 'test')
}

/** The 24 words of a new wallet, from randomness. */
export function makeWords(random: (size: number) => Buffer): string {
  return entropyToMnemonic(random(entropyBytes), wordlist)
}

/** The words in their stored form, or null when they are not valid BIP-39 words: mistyped, too few, in another language. */
export function parseWords(text: string): string | null {
  const words = text.normalize('NFKD').trim().toLowerCase().split(/\s+/).join(' ')
  return validateMnemonic(words, wordlist) ? words : null
}

/** Whether the data folder has a wallet file of this environment, in any state. */
export async function hasWallet(dataDir: string, environment: Environment): Promise<boolean> {
  return (await readBounded(walletPath(dataDir, environment))) !== null
}

/** Reads the wallet in the data folder; null when there is none. An encrypted wallet needs its secret. */
export async function readWallet(
  dataDir: string,
  environment: Environment,
  secrets: readonly WalletSecret[],
): Promise<WalletFile | null> {
  const path = walletPath(dataDir, environment)
  const found = await readBounded(path)
  if (found === null) return null
  const kept = contentOf(found.text, environment)
  if (kept === null)
    throw new WalletError(
      `${path} is damaged: it contains no readable wallet. Restore it from a backup. Without a backup, move it away: Sluice ` +
        'then runs without this seed and cannot do anything that needs it. Sluice does not create a new wallet while the ' +
        'database has this one, because addresses given to payers come from it.',
    )
  const words = kept.kind === 'plain' ? kept.words : await unseal(path, kept, secrets)
  // The wallet exists, so temporary files of an interrupted creation are not needed.
  await removeLeftovers(path)
  return { words, open: (found.mode & othersBits) !== 0 }
}

export function readTestWallet(dataDir: string): Promise<WalletFile | null> {
  return readWallet(dataDir, 'test', [])
}

/** Creates a test wallet, durable on disk when this returns. Of several concurrent calls one succeeds, and all get its words. */
export async function makeTestWallet(dataDir: string, random: (size: number) => Buffer): Promise<WalletFile> {
  const path = testWalletPath(dataDir)
  await writeWallet(path, { version: 1, environment: 'test', words: makeWords(random) })
  const made = await readTestWallet(dataDir)
  if (made === null) throw new WalletError(`${path} disappeared while it was being created. Start again.`)
  return made
}

/** Writes words encrypted, durable on disk when this returns. Changes nothing and returns false when there is a wallet. */
export async function writeSealedWallet(
  dataDir: string,
  wallet: { environment: Environment; fingerprint: string; words: string },
  secret: WalletSecret,
  random: (size: number) => Buffer,
): Promise<boolean> {
  const { environment, fingerprint, words } = wallet
  const bound = { version: 2, environment, wallet: fingerprint }
  const sealed = await sealWords(words, secret, bound, random)
  return writeWallet(walletPath(dataDir, environment), { ...bound, ...sealed })
}

/** Makes sure that a wallet that another process may have just created survives a power cut. */
export async function settleWallet(dataDir: string): Promise<void> {
  await syncFolder(dirname(testWalletPath(dataDir)))
}

async function writeWallet(path: string, content: object): Promise<boolean> {
  try {
    await makeFolder(dirname(path))
    const text = `${JSON.stringify(content, null, 2)}\n`
    return await writeOnceDurably(path, text, await ownerBeside(path))
  } catch (error) {
    // Another process was faster and removed our temporary file: its wallet exists.
    if (codeOf(error) === 'ENOENT') return false
    throw new WalletError(
      `The wallet cannot be written to ${path} (${codeOf(error) ?? 'unknown'}). SLUICE_DATA_DIR must name a ` +
        'folder on a local disk that Sluice may write to.',
      { cause: error },
    )
  }
}

async function makeFolder(path: string): Promise<void> {
  const above = dirname(path)
  // As for the embedded database: its user must be able to traverse a data folder that root owns.
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
      `${path} cannot be read (${codeOf(error) ?? 'unknown'}). Only the user who runs Sluice should be able to read it: ` +
        'chown it to that user, and chmod 600.',
      { cause: error },
    )
  }
}

type Sealed = { readonly kind: 'sealed'; readonly bound: object; readonly sealed: SealedWords }

/** The content of a wallet file, or null. A parser's error message quotes its input, so it is never passed on. */
function contentOf(
  text: string,
  expected: Environment,
): { readonly kind: 'plain'; readonly words: string } | Sealed | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { version, environment, wallet, words, ...sealed } = value as Record<string, unknown>
    if (environment !== expected) return null
    // Only the test environment's words may be stored unencrypted: they protect nothing of value.
    if (version === 1 && environment === 'test' && typeof words === 'string')
      return validateMnemonic(words, wordlist) ? { kind: 'plain', words } : null
    if (version !== 2 || sealKindOf(sealed as SealedWords) === null) return null
    return { kind: 'sealed', bound: { version, environment, wallet }, sealed: sealed as SealedWords }
  } catch {
    return null
  }
}

async function unseal(
  path: string,
  { sealed, bound }: Sealed,
  secrets: readonly WalletSecret[],
): Promise<string> {
  const [wanted, setting] =
    sealKindOf(sealed) === 'key'
      ? (['key', 'SLUICE_WALLET_KEY_FILE'] as const)
      : (['passphrase', 'SLUICE_WALLET_PASSPHRASE_FILE'] as const)
  const secret = secrets.find(({ kind }) => kind === wanted)
  if (secret === undefined)
    throw new WalletError(
      `${path} is encrypted with a ${secretNames[wanted]}. Set ${setting} for the signer.`,
    )
  const words = await unsealWords(sealed, secret, bound)
  if (words === null)
    throw new WalletError(
      `${path} cannot be opened: ${setting} is not the ${secretNames[wanted]} it was encrypted with, or the file was ` +
        'changed. To restore the wallet from its words, run: npx sluice wallet init --words-from-stdin',
    )
  return words
}

const secretNames = { key: 'key file', passphrase: 'passphrase' } as const

async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path)
  const wallet = basename(path)
  const leftover = /^\.[0-9a-f]{12}\.tmp$/
  const names = await readdir(folder).catch(() => [])
  // A folder that we may read but not change is fine.
  for (const name of names.filter(
    (each) => each.startsWith(wallet) && leftover.test(each.slice(wallet.length)),
  ))
    await rm(join(folder, name), { force: true }).catch(() => {})
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
