import pg from 'pg'
import type { GateId } from '../../src/domain/networks/network.ts'
import type { Payout } from '../../src/domain/payouts.ts'
import {
  type AccountPlan,
  type Coin,
  type CoinPlan,
  hotKey,
  type SpendKind,
  type SpendPlan,
} from '../../src/domain/spends.ts'
import { nativeOf } from '../../src/gates/gate.ts'
import type { Place } from '../../src/signer/pin-book.ts'
import { asSuperuser, onDatabase, query } from '../support/database/database.ts'
import type { Holder, PasskeyDesk } from '../support/people/passkey-desk.ts'
import { elsewhere } from '../support/signer/signer-desk.ts'
import { solanaGate, solanaPlans, strangerOnSolana } from './solana-plans.ts'

/** A spend as the service planned it, with the payouts that people approved for it. */
export type Prepared = {
  readonly kind: Exclude<SpendKind, 'absorb'>
  readonly spendId: string
  readonly gateId: GateId
  readonly payouts: readonly Payout[]
  readonly coins: readonly Coin[]
  readonly plan: SpendPlan
}

/** A person's approval of a payout. */
export type Approval = { readonly payout: Payout; readonly by: Holder }

/** By family; empty where the ground has none of it. */
type Addresses = { readonly coins: string; readonly account: string; readonly solana: string }

/** Where a siege takes place. */
export type Ground = {
  /** The network of its coins. */
  readonly coinNetwork: Coinage
  /** A coin of ours that is on the chain. */
  coin(units: bigint, index: number): Promise<Coin>
  /** Where payouts go: destinations that the merchant's people have listed, and others. */
  readonly listed: Addresses
  readonly unlisted: Addresses
  /** Where the signer's own settings say that the operator's cold wallets are. */
  readonly cold: Addresses
  /** The next free nonce of one of our accounts. */
  nonce(address: string): bigint
  /** The networks that it has. */
  readonly families: readonly ('coins' | 'account' | 'solana')[]
  /** What payouts from the account pay. */
  readonly currencies: readonly string[]
}

export type Coinage = 'bitcoin' | 'litecoin'

/** Far more than any fee may be. */
export const coinUnits = 50_000_000n
export const ethereum: GateId = 'ethereum-live'
const deposit = (index: number) => ({ chain: 'deposit', index }) as const

/** Tables that belong to single spends, and the column that says to which spend or payout. */
const ofSpends: Readonly<Record<string, string>> = {
  spends: 'id',
  spend_transactions: 'spend_id',
  payouts: 'spend_id',
}

/** The ground of simulated networks: any coin exists, and no nonce is used. */
export function simulatedGround(desk: PasskeyDesk): Ground {
  const nonces = new Map<string, bigint>()
  return {
    coinNetwork: 'bitcoin',
    coin: (units, index) => desk.coin(units, index),
    listed: {
      coins: elsewhere.liveBitcoin,
      account: elsewhere.ethereum,
      solana: strangerOnSolana(41),
    },
    unlisted: {
      coins: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      account: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
      solana: strangerOnSolana(42),
    },
    cold: {
      coins: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
      account: '0x52908400098527886E0F7030069857D2E4169EE7',
      // Nothing goes to a cold wallet there.
      solana: '',
    },
    nonce(address) {
      const next = nonces.get(address) ?? 0n
      nonces.set(address, next + 1n)
      return next
    },
    families: ['coins', 'account', 'solana'],
    // The signer has no limit of the last.
    currencies: ['ETH', 'USDT', 'ETH', 'USDT', 'USDC'],
  }
}

/**
 * A database with spends of every kind, planned and approved. It is made once and kept aside; every seed starts with some of
 * these spends.
 */
export async function prepareSpends(desk: PasskeyDesk, ground: Ground, approvers: readonly Holder[]) {
  const { wallet } = desk
  const network = ground.coinNetwork
  const coinGate: GateId = `${network}-live`
  const [hot, from] = [hotKey, deposit(1)].map((path) => wallet.addressAt('ethereum', path) ?? '') as [
    string,
    string,
  ]
  const spends: Prepared[] = []
  let amount = 20_000n

  async function approved(input: Parameters<typeof desk.payout>[0]): Promise<Payout> {
    const payout = await desk.payout({ ...input, approvers: [], amountUnits: amount++ })
    for (const each of approvers) await desk.approveWith(each, payout)
    return payout
  }

  async function payCoins(inputs: number, ...destinations: readonly string[]): Promise<void> {
    const coins = await coinsOf(inputs)
    const { currency } = nativeOf(wallet.network(network).assets)
    const payouts: Payout[] = []
    for (const destination of destinations) payouts.push(await approved({ network, currency, destination }))
    await keep('payout', planOf(coins, payouts), payouts, coins)
  }

  const planOf = (coins: readonly Coin[], payouts: readonly Payout[] = []) =>
    desk.coinPlan(coins, payouts, 1_000n, 0, network)

  async function payFromAccount(currency: string, destination: string): Promise<void> {
    const payout = await approved({
      network: 'ethereum',
      currency,
      destination,
      networkFeeUnits: 10n ** 15n,
    })
    await keep('payout', desk.transferPlan(payout, ground.nonce(hot)), [payout])
  }

  async function coinsOf(count: number): Promise<Coin[]> {
    const coins: Coin[] = []
    for (let n = 0; n < count; n++) coins.push(await ground.coin(coinUnits, n % 2))
    return coins
  }

  async function keep(
    kind: Prepared['kind'],
    plan: SpendPlan,
    payouts: readonly Payout[] = [],
    coins: readonly Coin[] = [],
  ): Promise<void> {
    const gateId = { coins: coinGate, account: ethereum, solana: solanaGate }[plan.kind]
    spends.push({
      kind,
      spendId: await desk.plan(plan, payouts, { kind, gateId }),
      gateId,
      payouts,
      coins,
      plan,
    })
  }

  const transfer = (changes: Partial<AccountPlan>) => desk.emptyPlan({ units: 5_000n, ...changes })
  const places = [0, 1, 2, 3].map((index) => ({
    address: wallet.addressAt('ethereum', deposit(index)) ?? '',
    tag: null,
    proof: null,
  }))
  await desk.app.store.depositAddresses.add('evm-live', 0, places)
  const { listed, unlisted, cold } = ground
  if (ground.families.includes('coins')) {
    await payCoins(2, listed.coins)
    await payCoins(2, listed.coins, unlisted.coins)
    await payCoins(1, unlisted.coins)
    for (const count of [2, 3]) {
      const coins = await coinsOf(count)
      await keep('consolidation', planOf(coins), [], coins)
    }
    const coins = await coinsOf(2)
    await keep('cold', coldPlan(planOf(coins), cold.coins), [], coins)
  }
  if (ground.families.includes('account')) {
    for (const [at, currency] of ground.currencies.entries())
      await payFromAccount(currency, at % 4 < 2 ? listed.account : unlisted.account)
    const sweep = { from: { address: from, key: deposit(1) }, to: { address: hot, tag: null } }
    await keep('sweep', transfer({ ...sweep, nonce: ground.nonce(from) }))
    await keep('gas', transfer({ nonce: ground.nonce(hot), to: { address: from, tag: null } }))
    await keep('fill', desk.emptyPlan({ nonce: ground.nonce(hot) }))
    await keep('cold', transfer({ nonce: ground.nonce(hot), to: { address: cold.account, tag: null } }))
  }
  if (ground.families.includes('solana')) {
    const plans = solanaPlans(wallet)
    for (const [currency, destination] of [
      ['SOL', listed.solana],
      ['USDC', listed.solana],
      ['SOL', unlisted.solana],
      ['USDC', unlisted.solana],
    ] as const) {
      const payout = await approved({
        network: 'solana',
        currency,
        destination,
        networkFeeUnits: 10n ** 7n,
      })
      await keep('payout', plans.payout(payout), [payout])
    }
    for (const currency of ['SOL', 'USDC']) await keep('sweep', plans.sweep(currency))
    for (let more = 2; more > 0; more--) await keep('nonce', plans.creation())
  }
  return spends
}

/** What the database says about the merchant's payouts. The signer has records of its own. */
export async function prepareRules({ url, merchantId, policy }: PasskeyDesk, listed: readonly Place[]) {
  await policy('approval', `'passkey'`)
  for (const { network, address } of listed)
    await query(
      url,
      `insert into payout_destinations (merchant_id, environment, network, address) values ($1, 'live', $2, $3)`,
      [merchantId, network, address],
    )
}

/** A plan that gives one coin's worth of its change to the cold wallet. */
function coldPlan(plan: CoinPlan, address: string): CoinPlan {
  return {
    ...plan,
    outputs: [
      ...plan.outputs.map((output) => ({ ...output, units: output.units - coinUnits })),
      { address, units: coinUnits, payoutId: null },
    ],
    cold: { outputIndex: plan.outputs.length, index: null },
  }
}

/** Keeps a copy of the tables, from which any of them can be restored. Only a superuser gets past what protects them. */
export async function keepTables(url: string, tables: readonly string[]) {
  const client = new pg.Client({ connectionString: onDatabase(asSuperuser(url), databaseOf(url)) })
  await client.connect()
  await client.query('set synchronous_commit = off')
  const { rows } = await client.query<{ table: string; columns: string }>(
    `select table_name as table, string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' and table_name = any ($1) group by 1`,
    [tables],
  )
  await client.query('create schema kept')
  for (const { table } of rows) await client.query(`create table kept.${table} as table public.${table}`)
  const listed = (ids: readonly string[]) => `array[${ids.map((id) => `'${id}'`).join()}]::uuid[]`

  return {
    /** Puts everything back as it was, with these spends and these approvals only. */
    async restore(spendIds: readonly string[], approvals: readonly Approval[]): Promise<void> {
      const given = approvals.map(({ payout, by }) => `('${payout.id}', 'user:${by.userId}')`)
      const whereOf = (table: string) => {
        if (table === 'payout_approvals')
          return given.length === 0 ? 'where false' : `where (payout_id::text, approver) in (${given.join()})`
        return ofSpends[table] === undefined ? '' : `where ${ofSpends[table]} = any (${listed(spendIds)})`
      }
      const statements = rows.map(
        ({ table, columns }) =>
          `delete from ${table}; insert into ${table} (${columns}) overriding system value
           select ${columns} from kept.${table} ${whereOf(table)}`,
      )
      await client.query(
        `begin; set local session_replication_role = replica; ${statements.join(';')}; commit`,
      )
    },
    /** Gives one more approval. False if the payout is gone, so that no page could show it to anyone. */
    async approve({ payout, by }: Approval): Promise<boolean> {
      const { rowCount } = await client.query('select from payouts where id = $1', [payout.id])
      if (rowCount === 0) return false
      await client.query(
        `insert into payout_approvals select * from kept.payout_approvals where payout_id = $1 and approver = $2
         on conflict do nothing`,
        [payout.id, `user:${by.userId}`],
      )
      return true
    },
    close: () => client.end(),
  }
}

export type KeptTables = Awaited<ReturnType<typeof keepTables>>

/** Lets the followers of the chains appear to be at work, as the signer's reader of coins expects. */
export async function followChains(url: string): Promise<void> {
  await query(
    url,
    `insert into followed_chains (gate_id, chain, height, hash)
     values ('ethereum-live', 'simulated', 100, 'tip'), ('litecoin-live', 'simulated', 100, 'tip'),
       ('solana-live', 'simulated', 100, 'tip')`,
  )
}

export function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1)
}
