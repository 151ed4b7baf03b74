import { readFile } from 'node:fs/promises'
import { writeOnceDurably } from '../durable-file.ts'
import { WalletError } from './wallet-file.ts'
import type { WalletSecret } from './wallet-seal.ts'

const keyBytes = 32
const shortestPassphrase = 12

export function passphraseSecret(reveal: () => string): WalletSecret {
  return { kind: 'passphrase', reveal }
}

/** Why a passphrase cannot keep a wallet; null when it can. */
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
    throw new WalletError(`${path} is no key file: it must hold ${keyBytes} bytes in hexadecimal.`)
  const key = Buffer.from(text.trim(), 'hex')
  return { kind: 'key', reveal: () => key }
}

/** The key in a file, which is made, for its owner alone, when it is not there. */
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
  if (made === null) throw new WalletError(`${path} vanished while it was made.`)
  return made
}

/** What the settings give to open wallets with. A key file may come later than its setting. */
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
