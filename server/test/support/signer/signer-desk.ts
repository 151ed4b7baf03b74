import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createMerchant } from '../../../src/app/merchants/create-merchant.ts'
import { type AssetRegistry, nativeCurrencyOn, networksIn } from '../../../src/domain/assets.ts'
import type { ColdDestinations } from '../../../src/domain/cold-wallets.ts'
import { uuidv7 } from '../../../src/domain/ids.ts'
import { bitcoin } from '../../../src/domain/networks/bitcoin.ts'
import { type GateId, gateId, networkIdOf } from '../../../src/domain/networks/network.ts'
import { approvalHash, type Payout, type Refund } from '../../../src/domain/payouts.ts'
import {
  type AccountPlan,
  type Coin,
  type CoinPlan,
  hotKey,
  type SpendKind,
  type SpendPlan,
} from '../../../src/domain/spends.ts'
import { refundView } from '../../../src/http/resources/payouts/refund-view.ts'
import { payoutView } from '../../../src/http/resources/payouts/view.ts'
import { createLog } from '../../../src/log.ts'
import type { SignerLimits, StandingLimits } from '../../../src/signer/check-limits.ts'
import { openFirstSights, sightsPath } from '../../../src/signer/first-sights.ts'
import { type Journal, journalPath, openJournal } from '../../../src/signer/journal.ts'
import { openPins, pinsPath } from '../../../src/signer/passkey-pins.ts'
import type { PasskeySettings } from '../../../src/signer/passkey-trust.ts'
import { type PinningRules, passkeyPinner } from '../../../src/signer/pin-passkeys.ts'
import { type SigningOptions, signSpends } from '../../../src/signer/sign-spends.ts'
import { openWallet, type Wallet } from '../../../src/signer/wallet.ts'
import { watchCoolingOff } from '../../../src/signer/watch-cooling-off.ts'
import { bitcoinTransaction } from '../../../src/simulator/gate/make-transaction.ts'
import type { Database } from '../../../src/store/database.ts'
import { storeOn } from '../../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../database/database.ts'
import { openTestDatabase } from '../database/open-database.ts'
import { homePage } from '../people/approving-passkey.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../processes/temporary-folder.ts'
import { currencies } from '../shop/registry.ts'
import { limitsOf } from './signer-limits.ts'

export const deskWords = `${'abandon '.repeat(11)}about`
/** Addresses that are not ours. */
export const elsewhere = {
  bitcoin: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  liveBitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  otherBitcoin: 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
  ethereum: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
}
/** The page on which its users use their passkeys. */
const passkeys: PasskeySettings = {
  relyingParty: { id: homePage.rpId, origins: [homePage.origin] },
  requireAll: false,
}
const testWallet = await openWallet(deskWords, 'test', currencies)

type DeskSigning = Partial<Omit<SigningOptions, 'limits' | 'cold'>> & {
  /** One set of limits, or all that count. */
  limits?: SignerLimits | StandingLimits
  /** One set of cold wallets, or all that count. */
  cold?: ColdDestinations | readonly ColdDestinations[]
}
export type Desk = Awaited<ReturnType<typeof openDesk>>
type PayoutInput = Partial<
  Pick<Payout, 'currency' | 'network' | 'destination' | 'destinationTag' | 'amountUnits' | 'networkFeeUnits'>
> & { approvers?: readonly string[]; executableAt?: Date; worth?: bigint | null }

/** A signer with a database, a folder and spends to sign; tests plan and approve by hand. */
export async function openDesk(
  given: {
    database?: TestDatabase
    folder?: TemporaryFolder
    wallet?: Wallet
    /** The assets that the wallet was opened with. */
    assets?: AssetRegistry
  } = {},
) {
  const test = given.database ?? (await createTestDatabase())
  const folder = given.folder ?? (await makeTemporaryFolder())
  const wallet = given.wallet ?? testWallet
  const assets = given.assets ?? currencies
  const database: Database = openTestDatabase(test.url, 5)
  const app = {
    store: storeOn(database.db),
    transaction: <T>(work: (tx: ReturnType<typeof storeOn>) => Promise<T>) =>
      database.transaction((tx) => work(storeOn(tx))),
    now: () => new Date(),
    random: randomBytes,
    assets,
    present: {
      invoice: (invoice: object) => invoice,
      payout: (payout: Payout) => payoutView(assets, payout),
      refund: (refund: Refund) => refundView(assets, refund),
    },
  }
  const { environment } = wallet
  const path = journalPath(folder.path, environment)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  let journal: Journal = await openJournal(path, header())
  const pins = await openPins(pinsPath(folder.path, environment), environment)
  const sights = await openFirstSights(sightsPath(folder.path, environment), environment)
  const alerts: Record<string, unknown>[] = []
  const log = createLog('error', { write: (line) => alerts.push(JSON.parse(line)) })
  const pinned: Record<string, unknown>[] = []
  const pinning = createLog('warn', { write: (line) => pinned.push(JSON.parse(line)) })
  await query(
    test.url,
    `insert into followed_chains (gate_id, chain, height, hash)
     select gate_id, 'simulated', 100, 'tip' from unnest($1::text[]) as gate_id
     on conflict do nothing`,
    [['bitcoin-live', ...networksIn(assets).map(({ id }) => gateId(id, 'test'))]],
  )
  const { merchantId } = await createMerchant(app, { name: 'Shop' })

  function header() {
    return { environment, wallet: wallet.fingerprint }
  }

  return {
    app,
    url: test.url,
    test,
    folder,
    wallet,
    merchantId,
    journalPath: path,
    alerts,
    journal: () => journal,

    async reopenJournal(): Promise<Journal> {
      await journal.close()
      journal = await openJournal(path, header())
      return journal
    },

    /** A confirmed deposit that can be spent, and the transaction that made it. */
    async coin(units = 1_000_000n, index = 0): Promise<Coin> {
      const address = wallet.addressAt('bitcoin', { chain: 'deposit', index }) ?? ''
      const rules = bitcoin.rules[environment === 'live' ? 'main' : 'test']
      const { hash: txHash, bytes } = bitcoinTransaction(rules, randomBytes(32), [{ address, units }])
      await app.store.previousTransactions.add(`bitcoin-${environment}`, [{ hash: txHash, bytes }])
      await query(
        test.url,
        `insert into payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address,
           suspense_reason, required_confirmations, seen_at, waiting, block_height, block_hash)
         values ($1, $5, $2, 0, $6, 'BTC', 'bitcoin', 8, $3, $4, 'none', 1, now(), false, 1, 'b')`,
        [randomUUID(), txHash, units.toString(), address, `bitcoin-${environment}`, environment],
      )
      return { txHash, outputIndex: 0, units, key: { chain: 'deposit', index } }
    },

    /** An approved payout that is due. */
    async payout(input: PayoutInput = {}): Promise<Payout> {
      const id = uuidv7(new Date())
      const network = input.network ?? 'bitcoin'
      await query(
        test.url,
        `insert into payouts (id, merchant_id, environment, status, currency, network, gate_id, decimals, amount_units,
           fee_units, network_fee_units, base_currency, amount_in_base_currency, destination, destination_tag, created_by,
           approved_at, executable_at)
         values ($1, $2, $12, 'approved', $3, $4, $5, 8, $6, 0, $7, 'USD', $8, $9, $10, 'user:creator', now(), $11)`,
        [
          id,
          merchantId,
          input.currency ?? 'BTC',
          network,
          `${network}-${environment}`,
          (input.amountUnits ?? 100_000n).toString(),
          (input.networkFeeUnits ?? 5_000n).toString(),
          input.worth === undefined ? '10000' : (input.worth?.toString() ?? null),
          input.destination ?? (environment === 'live' ? elsewhere.liveBitcoin : elsewhere.bitcoin),
          input.destinationTag ?? null,
          input.executableAt ?? new Date(Date.now() - 1000),
          environment,
        ],
      )
      const payout = await this.find(id)
      for (const approver of input.approvers ?? ['user:one']) await this.approve(payout, approver)
      return payout
    },

    async find(id: string): Promise<Payout> {
      const [payout] = await app.transaction((tx) => tx.payouts.lockMany([id]))
      if (payout === undefined) throw new Error('no such payout')
      return payout
    },

    approve(payout: Payout, approver: string, hash = approvalHash(payout)) {
      return query(
        test.url,
        'insert into payout_approvals (payout_id, approver, approval_hash) values ($1, $2, $3)',
        [payout.id, approver, hash],
      )
    },

    policy(columns: string, values: string) {
      return query(
        test.url,
        `insert into payout_policies (merchant_id, environment, ${columns}) values ($1, $2, ${values})`,
        [merchantId, environment],
      )
    },

    coinPlan(
      coins: readonly Coin[],
      payouts: readonly Payout[],
      feeUnits = 1_000n,
      changeIndex = 0,
      network = 'bitcoin',
    ): CoinPlan {
      const paid = payouts.reduce((sum, { amountUnits }) => sum + amountUnits, 0n)
      const change = coins.reduce((sum, { units }) => sum + units, 0n) - paid - feeUnits
      const address = wallet.addressAt(network, { chain: 'own', index: changeIndex }) ?? ''
      return {
        kind: 'coins',
        inputs: coins,
        outputs: [
          ...payouts.map(({ id, destination, amountUnits }) => ({
            address: destination,
            units: amountUnits,
            payoutId: id,
          })),
          { address, units: change, payoutId: null },
        ],
        change: { outputIndex: payouts.length, index: changeIndex },
        feeUnits,
      }
    },

    transferPlan(payout: Payout, nonce: bigint): AccountPlan {
      const { network } = payout
      const known = wallet.network(network).assets
      return {
        kind: 'account',
        from: { address: wallet.addressAt(network, hotKey) ?? '', key: hotKey },
        nonce,
        to: { address: payout.destination, tag: null },
        currency: payout.currency,
        contractAddress: known.find(({ currency }) => currency === payout.currency)?.contractAddress ?? null,
        units: payout.amountUnits,
        gasLimit: 100_000n,
        gasPrice: 1_000_000_000n,
        payoutId: payout.id,
      }
    },

    /** A plan on Ethereum that pays no one: from the hot wallet to itself. */
    emptyPlan(changes: Partial<AccountPlan> = {}): AccountPlan {
      const address = wallet.addressAt('ethereum', hotKey) ?? ''
      return {
        kind: 'account',
        from: { address, key: hotKey },
        nonce: 0n,
        to: { address, tag: null },
        currency: 'ETH',
        contractAddress: null,
        units: 0n,
        payoutId: null,
        gasLimit: 21_000n,
        gasPrice: 10n ** 9n,
        ...changes,
      }
    },

    /** What a worker does: the spend, its pins and the payouts in processing, in one transaction. */
    async plan(
      plan: SpendPlan,
      payouts: readonly Payout[],
      {
        kind = 'payout' as Exclude<SpendKind, 'absorb'>,
        gateId: on = `bitcoin-${environment}` as GateId,
      } = {},
    ): Promise<string> {
      const id = uuidv7(new Date())
      await app.transaction(async (tx) => {
        const feeCurrency = nativeCurrencyOn(assets, networkIdOf(on)).currency.code
        await tx.spends.insert({ id, gateId: on, kind, plan, feeCurrency, afterSpendId: null })
        if (plan.kind === 'coins') await tx.holdings.pinCoins(on, plan.inputs, id)
        for (const payout of payouts)
          await tx.payouts.change('approved', { id: payout.id, status: 'processing', spendId: id })
      })
      return id
    },

    /** A planned payout of one fresh coin. */
    async ordinary(input: PayoutInput = {}): Promise<{ payout: Payout; spendId: string; plan: CoinPlan }> {
      const payout = await this.payout(input)
      const plan = this.coinPlan([await this.coin()], [payout])
      return { payout, plan, spendId: await this.plan(plan, [payout]) }
    },

    /** Processes the users' statements about passkeys, as a signer does before it signs. */
    pins,
    pinned,
    async follow({
      at = new Date(),
      ...settings
    }: Partial<PasskeySettings & PinningRules> & { at?: Date } = {}): Promise<void> {
      const rules = { ...passkeys, delayMs: 0, ...settings }
      await passkeyPinner(pins, { ...rules, environment, log: pinning })(app, at, rules)
    },

    /** Notes the approved payouts that cool off, as a signer does before it signs. */
    async watch(at = new Date()): Promise<void> {
      await watchCoolingOff(app, environment, sights, { ...passkeys, pins, ownNow: at })
    },

    /** When approved payouts were first seen. */
    sights,

    sign(
      { limits = limitsOf([], {}, assets), cold = new Map(), ...options }: DeskSigning = {},
      signing: Wallet = wallet,
    ): Promise<number> {
      const trust = { ...passkeys, pins }
      const standing = Array.isArray(limits) ? limits : [{ ...(limits as SignerLimits), from: new Date(0) }]
      return signSpends(app, signing, journal, {
        limits: standing,
        cold: cold instanceof Map ? [cold] : (cold as readonly ColdDestinations[]),
        trust,
        sights,
        log,
        ...options,
      })
    },

    /** The signer's result for the first attempt. */
    async outcome(spendId: string, attempt = 1) {
      const spend = await app.store.spends.find(spendId)
      const found = spend?.transactions.find((each) => each.attempt === attempt)
      return { hash: found?.signed?.hash ?? null, refusal: found?.refusal ?? null }
    },

    /** Changes a table at will, as an attacker who controls the database would. */
    async forge(table: string, statement: string, values: readonly unknown[] = []) {
      await query(test.url, `alter table ${table} disable trigger user`)
      await query(test.url, statement, values)
      await query(test.url, `alter table ${table} enable trigger user`)
    },

    async close(): Promise<void> {
      await journal.close().catch(() => {})
      await pins.close().catch(() => {})
      await sights.close().catch(() => {})
      await database.close()
      if (given.database === undefined) await test.drop()
      if (given.folder === undefined) await folder.remove()
    },
  }
}
