import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { App } from '../../../src/app/app.ts'
import { beginFollowing } from '../../../src/app/chain/begin-following.ts'
import { doJobs } from '../../../src/app/chain/do-jobs.ts'
import { followChain } from '../../../src/app/chain/follow-chain.ts'
import { createMerchant } from '../../../src/app/merchants/create-merchant.ts'
import type { Transfer } from '../../../src/domain/chain.ts'
import { uuidv7 } from '../../../src/domain/ids.ts'
import { keychainOf } from '../../../src/domain/networks/network.ts'
import type { Gate } from '../../../src/gates/gate.ts'
import { createLog } from '../../../src/log.ts'
import { readSettings } from '../../../src/settings/settings.ts'
import type { Shortfall } from '../../../src/store/chains/native-balances.ts'
import { openApp } from '../../../src/wire/app.ts'
import { Closers } from '../../../src/wire/closers.ts'
import { createTestDatabase } from '../database/database.ts'
import { silentReports } from '../shop/silent-reports.ts'
import { type Script, scriptedGate } from './scripted-gate.ts'

export type Place = { readonly address: string; readonly tag: null; readonly position: number }

/** Use cases on a database of their own, with a scripted gate, and no loop that does anything by itself. */
export async function openChainBench(options: { maxDepth?: number } = {}) {
  const database = await createTestDatabase()
  const closers = new Closers()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-chain-'))
  const configPath = join(folder, 'config.json')
  writeFileSync(configPath, JSON.stringify({ rates: { sources: [] }, addresses: { ready: 40 } }))
  const settings = readSettings({
    DATABASE_URL: database.serviceUrl,
    SLUICE_DATA_DIR: folder,
    SLUICE_CONFIG: configPath,
  })
  const log = createLog('silent', { write: () => {} })
  const { app } = await openApp(settings, 'command', log, closers)
  const merchantId = (await createMerchant(app, { name: 'Test shop' })).merchantId
  const halts: string[] = []
  const shortfalls: Shortfall[] = []
  const failures: { subject: string; error: unknown }[] = []
  let positions = 0
  // Reads the database beside the app, over connections that are kept.
  const pool = new pg.Pool({ connectionString: database.url, max: 4 })
  // Ending the pool does not wait until the server has closed its connections, and dropping the database cuts the rest.
  pool.on('error', () => {})
  closers.add(() => pool.end())
  const run = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Row>(text, [...values])).rows

  /** The app as another process has it. */
  const process = (given: Partial<App> = {}): App => ({
    ...app,
    following: {
      holder: randomUUID(),
      maxDepth: options.maxDepth ?? 100,
    },
    reports: {
      ...silentReports,
      halted: (_, reason) => halts.push(reason),
      shortfall: (_, shortfall) => shortfalls.push(shortfall),
      jobFailed: (_, subject, error) => failures.push({ subject, error }),
    },
    ...given,
  })
  const here = process()

  return {
    app: here,
    database,
    merchantId,
    halts,
    shortfalls,
    failures,
    process,
    sql: <Row extends object>(text: string, values: readonly unknown[] = []) =>
      run<Row & Record<string, unknown>>(text, values),

    /** A gate that is followed from the present tip of its chain. */
    async follow(given: Parameters<typeof scriptedGate>[0] = {}): Promise<{ gate: Gate; script: Script }> {
      const made = scriptedGate(given)
      await beginFollowing(app.store, made.gate, app.following.maxDepth)
      return made
    },

    /** Follows the chain until there is nothing new. */
    async catchUp(gate: Gate, as: App = here): Promise<number> {
      let looks = 0
      while ((await followChain(as, gate, { evenIfHeld: true })) === 'advanced') {
        if (++looks > 100) throw new Error('Every look at the chain finds something new.')
      }
      return looks
    },

    /** Follows the chain and runs all jobs that result. */
    async settle(gate: Gate): Promise<void> {
      await this.catchUp(gate)
      await doJobs(here)
    },

    /** Returns once `work` is done, or a session waits for a lock, and thus for the caller. */
    async doneOrBlocked(work: Promise<unknown>): Promise<void> {
      let isDone = false
      const done = work.then(
        () => {
          isDone = true
        },
        () => {
          isDone = true
        },
      )
      const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      while (!isDone && (await run(blocked)).length === 0) await Promise.race([done, delay(5)])
    },

    async makeAddress(gate: Gate, called?: string): Promise<Place> {
      const position = positions++
      const address = called ?? `address ${position}`
      await run('insert into deposit_addresses (keychain, position, address) values ($1, $2, $3)', [
        keychainOf(gate.network, gate.environment),
        position,
        address,
      ])
      return { address, tag: null, position }
    },

    /** A live invoice with an address of its own; the window is in seconds from now and may be over. */
    async makeInvoice(
      gate: Gate,
      {
        windowSeconds = 1_800,
        feeBps = 0,
        units = priceOn(gate),
        address,
      }: { windowSeconds?: number; feeBps?: number; units?: bigint; address?: string } = {},
    ): Promise<{ id: string; place: Place }> {
      const place = await this.makeAddress(gate, address)
      const [asset] = gate.assets
      if (asset === undefined) throw new Error('The gate has no asset.')
      const id = uuidv7(new Date())
      await run(
        `insert into invoices (id, merchant_id, environment, status, source, deferred, currency, network, gate_id,
           decimals, amount_units, required_confirmations, keychain, deposit_position, deposit_address, base_currency,
           tolerance_bps, fee_bps, expires_at, due_at, live_at)
         select $1, $2, 'test', 'pending', 'api', false, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'USD', 0, $13, ends, ends,
           clock_timestamp()
         from (select date_trunc('milliseconds', clock_timestamp()) + $12 * interval '1 second' as ends) as clock`,
        [
          id,
          merchantId,
          asset.currency,
          gate.network.id,
          gate.id,
          asset.decimals,
          units,
          gate.network.confirmations,
          keychainOf(gate.network, gate.environment),
          place.position,
          place.address,
          windowSeconds,
          feeBps,
        ],
      )
      return { id, place }
    },

    async statusOf(id: string): Promise<string> {
      const [row] = await run<{ status: string }>('select status from invoices where id = $1', [id])
      return row?.status ?? 'none'
    },

    async eventsOf(id: string): Promise<string[]> {
      const rows = await run<{ event: string }>(
        `select event from events where data ->> 'id' = $1 or data ->> 'invoice_id' = $1 order by position`,
        [id],
      )
      return rows.map(({ event }) => event)
    },

    async close(): Promise<void> {
      await closers.close()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type ChainBench = Awaited<ReturnType<typeof openChainBench>>

let transactions = 0

/** The amount of an invoice of the bench, in the gate's first currency. */
export function priceOn(gate: Gate): bigint {
  return (gate.assets[0]?.minUnits ?? 0n) * 10n
}

/** A transfer of the gate's first currency, of the price unless stated otherwise. */
export function transferTo(gate: Gate, place: Place, given: Partial<Transfer> = {}): Transfer {
  return {
    txHash: `tx ${++transactions}`,
    outputIndex: 0,
    currency: gate.assets[0]?.currency ?? '',
    address: place.address,
    tag: place.tag,
    units: priceOn(gate),
    ...given,
  }
}
