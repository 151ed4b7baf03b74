import type { App } from '../app/app.ts'
import type { Environment } from '../domain/environment.ts'
import { publish } from './kept-wallet.ts'
import { openWallet } from './wallet.ts'
import {
  hasWallet,
  makeWords,
  parseWords,
  WalletError,
  walletPath,
  writeSealedWallet,
} from './wallet-file.ts'
import type { WalletSecret } from './wallet-seal.ts'

export type MadeWallet = {
  readonly environment: Environment
  readonly fingerprint: string
  readonly path: string
  /** To be shown once; null when the operator supplied them. */
  readonly words: string | null
}

/**
 * Creates the wallet of an environment, or restores one from its words: first encrypted and durable on disk, then its public
 * keys in the database. Refuses when the data folder already has a wallet, or the database has a different one.
 */
export async function initWallet(
  app: Pick<App, 'store' | 'transaction' | 'random' | 'assets' | 'prover'>,
  wanted: { environment: Environment; dataDir: string; givenWords: string | null; secret: WalletSecret },
): Promise<MadeWallet> {
  const { environment, dataDir, givenWords, secret } = wanted
  await refuseSecond(app, environment, dataDir, givenWords)
  const words = givenWords === null ? makeWords(app.random) : parseWords(givenWords)
  if (words === null)
    throw new WalletError(
      'These are not the words of a wallet: 12 to 24 English BIP-39 words, of which the last contains a checksum. Look ' +
        'for a mistyped, missing or misplaced word.',
    )
  const wallet = await openWallet(words, environment, app.assets)
  const published = await app.store.walletKeys.read(environment)
  if (published !== null && published.wallet !== wallet.fingerprint)
    throw new WalletError(
      `These are the words of wallet ${wallet.fingerprint}, but the database's ${environment} wallet is ${published.wallet}.`,
    )
  const { fingerprint } = wallet
  const written = await writeSealedWallet(dataDir, { environment, fingerprint, words }, secret, app.random)
  if (!written) throw alreadyThere(dataDir, environment)
  const current = await publish(app, dataDir, wallet)
  if (current !== fingerprint)
    throw new WalletError(
      `Another process has created the ${environment} wallet at the same time: ${current}.`,
    )
  return {
    environment,
    fingerprint,
    path: walletPath(dataDir, environment),
    words: givenWords === null ? words : null,
  }
}

async function refuseSecond(
  app: Pick<App, 'store'>,
  environment: Environment,
  dataDir: string,
  givenWords: string | null,
): Promise<void> {
  if (await hasWallet(dataDir, environment)) throw alreadyThere(dataDir, environment)
  const published = await app.store.walletKeys.read(environment)
  if (published !== null && givenWords === null)
    throw new WalletError(
      `The database already has a ${environment} wallet, ${published.wallet}, whose addresses were given to payers. Restore ` +
        'its file from a backup, or restore it from its words: npx sluice wallet init --words-from-stdin',
    )
}

function alreadyThere(dataDir: string, environment: Environment): WalletError {
  return new WalletError(
    `There is already a ${environment} wallet: ${walletPath(dataDir, environment)}. A wallet is never replaced.`,
  )
}
