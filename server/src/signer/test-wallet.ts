import type { App } from '../app/app.ts'
import type { Log } from '../log.ts'
import type { PublishedWallet } from '../store/wallet-keys.ts'
import { openWallet, type Wallet } from './wallet.ts'
import { makeTestWallet, readTestWallet, settleTestWallet, testWalletPath } from './wallet-file.ts'

const environment = 'test'

/**
 * The test wallet, made when neither the database nor the data folder has one, with its public keys in the database. The
 * seed is on disk before its keys are published, so an end at any moment loses nothing. Null when the seed of the
 * database's test wallet is not in this data folder: it is another host's, and nobody else can do its work.
 */
export async function openTestWallet(
  app: Pick<App, 'store' | 'transaction' | 'random'>,
  { dataDir, log }: { dataDir: string; log: Pick<Log, 'info' | 'warn'> },
): Promise<Wallet | null> {
  const path = testWalletPath(dataDir)
  const published = await app.store.walletKeys.read(environment)
  const kept = await readTestWallet(dataDir)
  if (kept === null && published !== null) {
    log.warn(
      { wallet: published.wallet, path },
      'the seed of the test wallet is not in this data folder: it must be where another signer runs; otherwise bring ' +
        'the file back from a backup',
    )
    return null
  }
  const file = kept ?? (await makeTestWallet(dataDir, app.random))
  const wallet = await openWallet(file.words, environment)
  if (kept === null) log.info({ wallet: wallet.fingerprint, path }, 'test wallet made: back this file up')
  if (file.open) log.warn({ path }, 'others than its owner may read the wallet: chmod 600')

  const current = isComplete(published, wallet) ? published.wallet : await publish(app, dataDir, wallet)
  if (current === wallet.fingerprint) return wallet
  log.warn(
    { wallet: wallet.fingerprint, expected: current, path },
    'the wallet in this data folder is not the test wallet of the database, and is not used: put the right file there, ' +
      'or move this one away where another signer holds the seed',
  )
  return null
}

/** Whether nothing is left to publish; also for another wallet, which may not. */
function isComplete(published: PublishedWallet | null, wallet: Wallet): published is PublishedWallet {
  if (published === null) return false
  if (published.wallet !== wallet.fingerprint) return true
  return Object.keys(wallet.publicKeys).every((network) => Object.hasOwn(published.keys, network))
}

async function publish(app: Pick<App, 'transaction'>, dataDir: string, wallet: Wallet): Promise<string> {
  await settleTestWallet(dataDir)
  return app.transaction((tx) => tx.walletKeys.publish(environment, wallet.fingerprint, wallet.publicKeys))
}
