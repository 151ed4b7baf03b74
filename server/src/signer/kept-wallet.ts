import { proofsOfKeys, unprovedKeys } from '../app/addresses/published-keys.ts'
import type { App } from '../app/app.ts'
import type { Prover } from '../domain/address-proofs.ts'
import type { Environment } from '../domain/environment.ts'
import type { Log } from '../log.ts'
import type { PublishedWallet } from '../store/addresses/wallet-keys.ts'
import { type GateChains, openWallet, type Wallet } from './wallet.ts'
import {
  makeTestWallet,
  readWallet,
  settleWallet,
  WalletError,
  type WalletFile,
  walletPath,
} from './wallet-file.ts'
import type { WalletSecret } from './wallet-seal.ts'

type Needs = Pick<App, 'store' | 'transaction' | 'random' | 'assets' | 'prover'>

export type WalletPlace = {
  readonly dataDir: string
  /** The secrets that open encrypted wallets. */
  readonly secrets?: readonly WalletSecret[]
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly chains?: GateChains
}

/**
 * Opens the wallet of an environment, and publishes its public keys in the database. A test wallet is created when neither
 * the database nor the data folder has one; the operator creates a live wallet. The seed is on disk before its keys are
 * published, so a crash at any moment loses nothing. Null when there is no wallet, or when the seed of the database's wallet
 * is not in this data folder: then only the signer on the host with that seed can sign.
 */
export async function openKeptWallet(
  app: Needs,
  environment: Environment,
  { dataDir, secrets = [], log, chains }: WalletPlace,
): Promise<Wallet | null> {
  const path = walletPath(dataDir, environment)
  const published = await app.store.walletKeys.read(environment)
  const kept = await readWallet(dataDir, environment, secrets)
  if (kept === null && published !== null) {
    log.warn(
      { wallet: published.wallet, path },
      `the seed of the ${environment} wallet is not in this data folder: unless another signer holds it, restore the ` +
        'file from a backup',
    )
    return null
  }
  const file = kept ?? (environment === 'test' ? await makeTestWallet(dataDir, app.random) : null)
  if (file === null) return null
  const wallet = await openWallet(file.words, environment, app.assets, chains)
  if (kept === null) log.info({ wallet: wallet.fingerprint, path }, 'test wallet created: back up this file')
  return (await isOurs(app, wallet, published, { dataDir, file, path, log })) ? wallet : null
}

export function openTestWallet(app: Needs, place: WalletPlace): Promise<Wallet | null> {
  return openKeptWallet(app, 'test', place)
}

async function isOurs(
  app: Needs,
  wallet: Wallet,
  published: PublishedWallet | null,
  { dataDir, file, path, log }: WalletPlace & { file: WalletFile; path: string },
): Promise<boolean> {
  if (file.open) log.warn({ path }, 'users other than the owner can read the wallet: run chmod 600')
  const current = isComplete(app.prover, published, wallet)
    ? published.wallet
    : await publish(app, dataDir, wallet)
  if (current === wallet.fingerprint) return checkPublished(app, wallet)
  log.warn(
    { wallet: wallet.fingerprint, expected: current, path },
    `the wallet in this data folder is not the ${wallet.environment} wallet of the database and is not used: replace it with ` +
      'the right file, or move it away if another signer holds the seed',
  )
  return false
}

/** Checks that the published keys are ours: an attacker who can write to the database could show payers other addresses. */
async function checkPublished(app: Needs, { environment, publicKeys }: Wallet): Promise<true> {
  const published = await app.store.walletKeys.read(environment)
  const changed = Object.keys(publicKeys).filter((id) => published?.keys[id] !== publicKeys[id])
  if (changed.length === 0) return true
  throw new WalletError(
    `The ${environment} wallet's public keys in the database do not match its seed: ${changed.join(', ')}. They were ` +
      'changed, and payers may have been shown addresses that are not yours. Find out how, then delete these rows of ' +
      'wallet_keys; the signer publishes them again.',
  )
}

/** Whether there is nothing left to publish. Also true for a different wallet, which must not publish. */
function isComplete(
  prover: Prover | null,
  published: PublishedWallet | null,
  wallet: Wallet,
): published is PublishedWallet {
  if (published === null) return false
  if (published.wallet !== wallet.fingerprint) return true
  if (unprovedKeys(prover, wallet.environment, published).length > 0) return false
  return Object.entries(wallet.publicKeys).every(([network, key]) => published.keys[network] === key)
}

/** Publishes the wallet's public keys. Returns the fingerprint of the environment's wallet, which may be another one. */
export async function publish(
  app: Pick<App, 'transaction' | 'prover'>,
  dataDir: string,
  { environment, fingerprint, publicKeys }: Wallet,
): Promise<string> {
  await settleWallet(dataDir)
  const proofs = proofsOfKeys(app.prover, environment, fingerprint, publicKeys)
  return app.transaction((tx) => tx.walletKeys.publish(environment, fingerprint, publicKeys, proofs))
}
