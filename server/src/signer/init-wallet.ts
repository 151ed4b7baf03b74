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
  /** To be shown once; null when the operator had them already. */
  readonly words: string | null
}

/**
 * Makes the wallet of an environment, or brings one back from its words: encrypted on disk for good, then its public keys in
 * the database. Refuses when the data folder has one, and when the database has another.
 */
export async function initWallet(
  app: Pick<App, 'store' | 'transaction' | 'random' | 'assets'>,
  wanted: { environment: Environment; dataDir: string; givenWords: string | null; secret: WalletSecret },
): Promise<MadeWallet> {
  const { environment, dataDir, givenWords, secret } = wanted
  await refuseSecond(app, environment, dataDir, givenWords)
  const words = givenWords === null ? makeWords(app.random) : parseWords(givenWords)
  if (words === null)
    throw new WalletError(
      'These are not the words of a wallet: 12 to 24 English words of BIP-39, the last of which checks the others. Look ' +
        'for a mistyped, missing or misplaced one.',
    )
  const wallet = await openWallet(words, environment, app.assets)
  const published = await app.store.walletKeys.read(environment)
  if (published !== null && published.wallet !== wallet.fingerprint)
    throw new WalletError(
      `These are the words of wallet ${wallet.fingerprint}, and the database's ${environment} wallet is ${published.wallet}.`,
    )
  const { fingerprint } = wallet
  const written = await writeSealedWallet(dataDir, { environment, fingerprint, words }, secret, app.random)
  if (!written) throw alreadyThere(dataDir, environment)
  const current = await publish(app, dataDir, wallet)
  if (current !== fingerprint)
    throw new WalletError(`Somebody else has made the ${environment} wallet at the same time: ${current}.`)
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
      `The database has a ${environment} wallet already, ${published.wallet}: addresses given to payers come from it. Bring ` +
        'its file back from a backup, or its words: npx sluice wallet init --words-from-stdin',
    )
}

function alreadyThere(dataDir: string, environment: Environment): WalletError {
  return new WalletError(
    `There is a ${environment} wallet already: ${walletPath(dataDir, environment)}. A wallet is never replaced.`,
  )
}
