import { randomUUID } from 'node:crypto'
import { fillPool } from '../../src/app/addresses/fill-pool.ts'
import type { App } from '../../src/app/app.ts'
import { fixedRateBook } from '../../src/app/rates/rate-book.ts'
import { keychainOf } from '../../src/domain/networks/network.ts'
import { invoiceViewer } from '../../src/http/resources/invoices/view.ts'
import { refundView } from '../../src/http/resources/payouts/refund-view.ts'
import { payoutView } from '../../src/http/resources/payouts/view.ts'
import { simulatedGate } from '../../src/simulator/gate/gate.ts'
import { transactionMaker } from '../../src/simulator/gate/make-transaction.ts'
import { testAssets } from '../../src/simulator/gate/test-assets.ts'
import { testFamily } from '../../src/simulator/gate/test-families.ts'
import { testReader } from '../../src/simulator/gate/test-readers.ts'
import { startDatabaseClock } from '../../src/store/clock.ts'
import type { Database } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { storeOn } from '../../src/store/store.ts'
import { noTracing } from '../../src/tracing/tracer.ts'
import { publicKeys } from '../simulator/gate/keys.ts'
import { openTestDatabase } from '../support/database/open-database.ts'
import { noProofs } from '../support/shop/no-proofs.ts'
import { currencies, networkOf } from '../support/shop/registry.ts'
import { silentReports } from '../support/shop/silent-reports.ts'
import { MemoryChain } from './chain.ts'
import { SimulatedProcess } from './process.ts'
import type { Random } from './random.ts'

export const networkIds = ['bitcoin', 'litecoin', 'ethereum', 'bsc', 'xrp'] as const
// No one receives webhooks on this stage.
const noWebhooks: App['webhooks'] = {
  client: {
    post: async () => ({ kind: 'failed', reason: 'bad address', code: null, durationMs: 0 }),
    close: () => {},
  },
  checkTarget: async () => null,
  sealKey: null,
}

/** Deep enough for every reorganisation of the simulation. */
export const firstHeight = 40
const maxDepth = 100
const poolSize = 120

// Everything that a run leaves behind. The addresses stay: deriving them takes longest.
const emptied = [
  'list_buckets',
  'list_counts',
  'list_totals',
  'daily_sums',
  'daily_fees',
  'daily_invoices',
  'events',
  'ledger_entries',
  'ledger_numbers',
  'postings',
  'ledger_transactions',
  'ledger_accounts',
  'merchant_totals',
  'payment_bookings',
  'payments',
  'jobs',
  'invoices',
  'static_addresses',
  'followed_blocks',
  'followed_chains',
  'gates_taken_offline',
  'merchants',
]

export type NetworkId = (typeof networkIds)[number]
export type Chains = ReadonlyMap<NetworkId, MemoryChain>

export type Running = {
  readonly app: App
  readonly process: SimulatedProcess
  /** Jobs that failed for another reason than the death of their process. */
  readonly failures: string[]
}

/** A database in which one simulation runs after another, each from scratch. */
export type Stage = {
  readonly database: Database
  /** Starts over: only a pool of addresses is left, and chains without payments. */
  reset(random: Random): Promise<Chains>
  /** A process of the service, as if it had just been started. */
  start(random: Random, chains: Chains): Running
  close(): Promise<void>
}

/** The families of all networks. They derive each deposit address once: every database begins with the same ones. */
const families = new Map(
  networkIds.map((id) => {
    const family = testFamily(networkOf(id), publicKeys, currencies)
    const known = new Map<number, ReturnType<typeof family.depositAddress>>()
    const depositAddress = (index: number) => {
      const found = known.get(index) ?? family.depositAddress(index)
      known.set(index, found)
      return found
    }
    return [id, { ...family, depositAddress }]
  }),
)

/** The deposit address of a network at an index. */
export const depositAddressOf = (id: NetworkId, index: number) =>
  families.get(id)?.depositAddress(index) ?? null

/** `url` must be a superuser's: starting over bypasses everything that protects the books. */
export async function openStage(url: string): Promise<Stage> {
  const database = openTestDatabase(url, 12)
  const names = new Map<string, string>()
  const clock = await startDatabaseClock(database.db)
  const keychains = new Map(
    [...families].map(([id, family]) => [
      keychainOf(networkOf(id), 'test'),
      (index: number) => family.depositAddress(index),
    ]),
  )
  const store = storeOn(database.db)
  await store.addressGrants.put(
    [...keychains.keys()].map((keychain) => ({ keychain, first: 0, below: poolSize, stamp: 'a stamp' })),
  )
  await fillPool(
    { store, proofs: noProofs },
    [...keychains].map(([id, depositAddress]) => ({ id, depositAddress })),
    { low: poolSize, full: poolSize },
  )

  async function reset(random: Random): Promise<Chains> {
    const emptying = emptied.map((table) => `delete from ${table}`).join(';')
    const client = await database.pool.connect()
    try {
      await client.query(
        `begin; set local session_replication_role = replica; ${emptying};
         update deposit_address_counters set given = 0; commit`,
      )
    } finally {
      client.release()
    }
    const chains = new Map(
      networkIds.map((id) => {
        const { confirmations } = networkOf(id)
        return [id, new MemoryChain({ random, now: clock.now, confirmations, height: firstHeight })]
      }),
    )
    // Blocks from before the first payment count as followed: a reorganisation may reach far down.
    const blocks = [...chains].flatMap(([id, chain]) =>
      chain.refs.map(({ height, hash }) => ({ gate_id: `${id}-test`, height: Number(height), hash })),
    )
    await sql`
      with chain as (
        insert into followed_chains (gate_id, chain, height, hash)
        select gate_id, 'simulated', height, hash from json_populate_recordset(null::followed_blocks, ${JSON.stringify(blocks)}::json)
        where height = ${firstHeight}
      )
      insert into followed_blocks select * from json_populate_recordset(null::followed_blocks, ${JSON.stringify(blocks)}::json)`.run(
      database.db,
    )
    return chains
  }

  function start(random: Random, chains: Chains): Running {
    const process = new SimulatedProcess(database.pool, random, names)
    const store = storeOn(process.db)
    const failures: string[] = []
    const gates = networkIds.map((id) => {
      const network = networkOf(id)
      return simulatedGate({
        network,
        assets: testAssets(currencies, network),
        family: families.get(id) ?? testFamily(network, publicKeys, currencies),
        chain: process.looking(chainOf(chains, id).shown),
        reader: testReader(network, currencies),
        makeTransaction: transactionMaker(network, random.bytes),
      })
    })
    const book = {
      list: () => gates,
      find: (id: string) => gates.find((gate) => gate.id === id) ?? null,
      isOnline: () => true,
      status: () => ({ online: true }) as const,
    }
    const app: App = {
      store,
      reading: (read) => read(store),
      transaction: (work) => process.transaction((tx) => work(storeOn(tx))),
      now: clock.now,
      random: random.bytes,
      assets: currencies,
      rates: fixedRateBook(currencies, clock.now),
      gates: book,
      addresses: {
        take: (keychain, count) => store.depositAddresses.claim(keychain, count),
        giveBack: () => {},
      },
      proofs: noProofs,
      prover: null,
      tracer: noTracing,
      following: {
        holder: randomUUID(),
        maxDepth,
      },
      reports: {
        ...silentReports,
        halted: (gate, reason) => {
          throw new Error(`${gate.id} was halted: ${reason}`)
        },
        shortfall: (gate, { address }) => failures.push(`${gate.id} is short at ${address}`),
        jobFailed: (kind, subject, error) => {
          failures.push(`${kind} of ${subject} failed: ${error instanceof Error ? error.message : error}`)
        },
        checkFailed: (spend, error) => {
          failures.push(`spend ${spend.id} failed: ${error instanceof Error ? error.message : error}`)
        },
        minedAfterAll: (gate, spend, hash) => {
          failures.push(`spend ${spend} on ${gate.id} had ended, but ${hash} was mined`)
        },
      },
      spending: {
        bumpAfterMs: 60_000,
        cancelAfterMs: 600_000,
        consolidation: new Map(),
        floatSweeps: 0,
        sweepMaxCostBps: 0,
        cold: new Map(),
        maxFeesPerDay: new Map(),
        maxFees: new Map(),
      },
      safeguards: { waived: [], limits: [] },
      weakeningDelayMs: 0,
      webhooks: noWebhooks,
      people: { sendsMail: false, handlesMoney: false, sealKey: null, url: () => 'http://localhost' },
      present: {
        invoice: invoiceViewer({
          checkoutUrl: (link) => `http://pay/${link}`,
          gates: book,
          proofs: noProofs,
        }),
        payout: (payout) => payoutView(currencies, payout),
        refund: (refund) => refundView(currencies, refund),
      },
    }
    return { app, process, failures }
  }

  return {
    database,
    reset,
    start,
    async close() {
      clock.stop()
      await database.close()
    },
  }
}

export function chainOf(chains: Chains, network: NetworkId): MemoryChain {
  const chain = chains.get(network)
  if (chain === undefined) throw new Error(`There is no chain of ${network}.`)
  return chain
}
