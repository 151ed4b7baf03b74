import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { fillPool } from '../app/addresses/fill-pool.ts'
import type { App } from '../app/app.ts'
import type { GivenSecret, WalletTools } from '../cli/tools.ts'
import { networksIn } from '../domain/assets.ts'
import { environments } from '../domain/environment.ts'
import { gateId, keychainOf } from '../domain/networks/network.ts'
import { hotKey } from '../domain/spends.ts'
import { familyOf } from '../gates/families.ts'
import { lockFolder } from '../signer/folder-lock.ts'
import { keychainsOf } from '../signer/grant-addresses.ts'
import { initWallet } from '../signer/init-wallet.ts'
import { journalPath, openJournal } from '../signer/journal.ts'
import { reconcile } from '../signer/reconcile.ts'
import { reconcileAddresses } from '../signer/reconcile-addresses.ts'
import { hasWallet, WalletError } from '../signer/wallet-file.ts'
import type { WalletSecret } from '../signer/wallet-seal.ts'
import {
  passphraseProblem,
  passphraseSecret,
  readOrMakeKeyFile,
  readPassphraseFile,
} from '../signer/wallet-secret.ts'
import type { PublishedWallet } from '../store/addresses/wallet-keys.ts'

/** Implements the wallet commands. They run on the signer's machine, because only there is the wallet folder. */
export const walletTools: WalletTools = {
  async init(app, { dataDir }, { environment, words, secret }) {
    return initWallet(app, { environment, dataDir, givenWords: words, secret: await secretIn(secret, app) })
  },

  async addresses(app) {
    const wallets = []
    for (const environment of environments) {
      const published = await app.store.walletKeys.read(environment)
      if (published !== null)
        wallets.push({
          environment,
          wallet: published.wallet,
          networks: await addressesOf(app, environment, published),
        })
    }
    return wallets
  },

  async reconcile(app, { dataDir }, { accepted, skipAddresses }) {
    const transactions = []
    const addresses = []
    for (const environment of environments) {
      const published = await app.store.walletKeys.read(environment)
      if (published === null || !(await hasWallet(dataDir, environment))) continue
      const path = journalPath(dataDir, environment)
      const lock = lockFolder(dirname(path))
      if (lock === null)
        throw new WalletError('A signer is using this wallet folder. Stop it, reconcile, and start it again.')
      try {
        const journal = await openJournal(path, { environment, wallet: published.wallet })
        try {
          for (const hash of accepted) if (journal.has(hash)) await journal.accept(hash, new Date())
          transactions.push(...(await reconcile(app, journal)))
          const networks = networksIn(app.assets).filter(({ id }) => Object.hasOwn(published.keys, id))
          const keychains = keychainsOf(networks, environment)
          const options = { skip: skipAddresses, makeStamp: randomUUID }
          addresses.push(...(await reconcileAddresses(app, journal, keychains, options)))
        } finally {
          await journal.close()
        }
      } finally {
        lock.release()
      }
    }
    // A payment to a skipped address is recognised only if the address exists before its block is read.
    await fillPool(
      app,
      app.gates.list().map(({ keychain, depositAddress }) => ({ id: keychain, depositAddress })),
      { low: 0, full: 0 },
    )
    return { transactions, addresses }
  },
}

async function secretIn(given: GivenSecret, { random }: Pick<App, 'random'>): Promise<WalletSecret> {
  if (given.kind === 'key_file') return readOrMakeKeyFile(given.path, random)
  const secret =
    given.kind === 'passphrase' ? passphraseSecret(given.reveal) : await readPassphraseFile(given.path)
  if (secret?.kind !== 'passphrase') throw new WalletError('There is no file SLUICE_WALLET_PASSPHRASE_FILE.')
  const problem = passphraseProblem(secret.reveal())
  if (problem !== null) throw new WalletError(problem)
  return secret
}

async function addressesOf(
  { store, assets, gates }: Pick<App, 'store' | 'assets' | 'gates'>,
  environment: (typeof environments)[number],
  { keys }: PublishedWallet,
) {
  const rows = []
  for (const network of networksIn(assets)) {
    if (!Object.hasOwn(keys, network.id)) continue
    const gate = gates.find(gateId(network.id, environment))
    const { spending, depositAddress } = gate ?? familyOf(network, environment, keys, assets)
    const keychain = gate?.keychain ?? keychainOf(network, environment)
    const first = depositAddress(0) ?? (await store.depositAddresses.first(keychain))
    rows.push({
      network: network.id,
      account: network.family === 'bitcoin' || network.family === 'evm' ? (keys[network.id] ?? null) : null,
      hotWallet: spending.kind === 'coins' ? spending.changeAddress(hotKey.index) : spending.hotAddress,
      firstDeposit: first?.address ?? null,
      firstDepositTag: first?.tag ?? null,
    })
  }
  return rows
}
