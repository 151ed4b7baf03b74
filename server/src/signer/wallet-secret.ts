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

/** The key in a file; null when there is no file. */
async function readKeyFile(path: string): Promise<WalletSecret | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new WalletError(`The key file ${path} cannot be read (${error.code}).`)
  })
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

/** The secrets from the settings that open wallets. A key file may be created after its setting. */
export async function secretsFrom(settings: {
  readonly walletKeyFile: string | null
  readonly walletPassphrase: (() => string) | null
}): Promise<WalletSecret[]> {
  const key = settings.walletKeyFile === null ? null : await readKeyFile(settings.walletKeyFile)
  return [
    ...(key === null ? [] : [key]),
    ...(settings.walletPassphrase === null ? [] : [passphraseSecret(settings.walletPassphrase)]),
  ]
}
