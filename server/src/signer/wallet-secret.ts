import { readFile } from 'node:fs/promises'
import { writeOnceDurably } from '../durable-file.ts'
import { WalletError } from './wallet-file.ts'
import type { WalletSecret } from './wallet-seal.ts'

const keyBytes = 32
const shortestPassphrase = 12

export function passphraseSecret(reveal: () => string): WalletSecret {
  return { kind: 'passphrase', reveal }
}

/** Why a passphrase is not accepted for a wallet; null when it is. */
export function passphraseProblem(passphrase: string): string | null {
  return [...passphrase].length < shortestPassphrase
    ? `The passphrase must have at least ${shortestPassphrase} characters; several random words are best.`
    : null
}

async function readSecretFile(path: string, what: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new WalletError(`The ${what} ${path} cannot be read (${error.code}).`)
  })
}

/** The key in a file; null when there is no file. */
async function readKeyFile(path: string): Promise<WalletSecret | null> {
  const text = await readSecretFile(path, 'key file')
  if (text === null) return null
  if (!new RegExp(`^[0-9a-f]{${keyBytes * 2}}$`, 'i').test(text.trim()))
    throw new WalletError(`${path} is not a key file: it must contain ${keyBytes} bytes in hexadecimal.`)
  const key = Buffer.from(text.trim(), 'hex')
  return { kind: 'key', reveal: () => key }
}

/** The key in a file. A missing file is created, readable only by its owner. */
export async function readOrMakeKeyFile(
  path: string,
  random: (size: number) => Buffer,
): Promise<WalletSecret> {
  const kept = await readKeyFile(path)
  if (kept !== null) return kept
  try {
    await writeOnceDurably(path, `${random(keyBytes).toString('hex')}\n`)
  } catch (error) {
    throw new WalletError(`The key file ${path} cannot be written.`, { cause: error })
  }
  const made = await readKeyFile(path)
  if (made === null) throw new WalletError(`${path} disappeared while it was being created.`)
  return made
}

/** The passphrase in a file, without the line's end; null when there is no file. */
export async function readPassphraseFile(path: string): Promise<WalletSecret | null> {
  const text = await readSecretFile(path, 'passphrase file')
  if (text === null) return null
  const passphrase = text.replace(/\r?\n$/, '')
  return passphraseSecret(() => passphrase)
}

/** The secrets from the settings that open wallets. A file may be created after its setting. */
export async function secretsFrom(settings: {
  readonly walletKeyFile: string | null
  readonly walletPassphraseFile: string | null
  readonly walletPassphrase: (() => string) | null
}): Promise<WalletSecret[]> {
  const { walletKeyFile, walletPassphraseFile, walletPassphrase } = settings
  const given = [
    walletKeyFile === null ? null : await readKeyFile(walletKeyFile),
    walletPassphraseFile === null ? null : await readPassphraseFile(walletPassphraseFile),
    walletPassphrase === null ? null : passphraseSecret(walletPassphrase),
  ]
  return given.filter((secret) => secret !== null)
}
