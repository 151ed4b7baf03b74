import type pg from 'pg'
import { createMerchant } from '../../server/src/app/merchants/create-merchant.ts'
import type { BenchApp } from '../follow/app.ts'
import { withDatabase } from '../service.ts'
import * as rows from './rows.ts'

/** Waiting invoices, as many in a small database as in a large one: the newest of each. */
export const openInvoices = 2_000
const merchants = 10
const chunk = 100_000
// As many as the machine has processors to spare: each fills another table.
const connections = 2

export type Filled = {
  /** The merchant with nine of ten invoices. */
  readonly merchantId: string
  readonly endpointId: string
  readonly invoices: number
  readonly bytes: number
  /** The largest tables with their indexes, in bytes. */
  readonly tables: readonly { readonly name: string; readonly bytes: number }[]
}

/**
 * Settings for the time of the filling. The log of changes is minimal, so that a table whose file is new in a transaction is
 * synced at its end and not logged.
 */
const settings = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  maintenance_work_mem: '1GB',
  max_parallel_maintenance_workers: '1',
  checkpoint_timeout: '30min',
  autovacuum: 'off',
}

/** Sets the server to be filled once it was restarted, or back to what it is in a service. */
export async function prepare(superuserUrl: string, what: 'filling' | 'service'): Promise<void> {
  await withDatabase(superuserUrl, async (client) => {
    for (const [name, value] of Object.entries(settings))
      await client.query(
        what === 'filling' ? `alter system set ${name} = '${value}'` : `alter system reset ${name}`,
      )
  })
}

/**
 * Five years of business: so many invoices of ten merchants with their payments and bookings, the events of the last two
 * years, and the deliveries of the last 90 days. The books are right: the audit says so.
 */
export async function fill(bench: BenchApp, invoices: number): Promise<Filled> {
  const ids: string[] = []
  for (let n = 0; n < merchants; n++)
    ids.push((await createMerchant(bench.app, { name: `Merchant ${n}` })).merchantId)
  const url = ownDatabase(bench.superuserUrl)
  return withDatabase(url, async (client) => {
    await client.query("set session_replication_role = 'replica'; set work_mem = '256MB'")
    await client.query(rows.chains)
    await client.query(rows.scratch)
    await client.query(rows.merchants, [ids])
    await client.query(rows.accounts)
    for (const [from, to] of ranges(invoices)) {
      await client.query(rows.layOut, [from, to, invoices, openInvoices])
      await client.query(rows.number, [from, to])
    }
    await client.query('vacuum (analyze) laid')
    const tables = Object.keys(rows.ofRange)
    await inTurn(url, tables, (own, table) => fillTable(own, table, invoices))
    for (const statement of rows.totals) await client.query(statement)
    const { counts, dailySums, dailyFigures } = bench.app.store
    for (const kept of [counts, dailySums, dailyFigures]) while ((await kept.fold()) > 0);
    await client.query(rows.dropScratch)
    // When all have committed: rows are visible to all only then.
    await inTurn(url, tables, async (own, table) => {
      await own.query(`vacuum (analyze) ${table}`)
    })
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
    const { rows: found } = await client.query<{ endpoint: string; bytes: string }>(
      `select (select id from webhook_endpoints where merchant_id = $1) as endpoint,
         pg_database_size(current_database()) as bytes`,
      [ids[0]],
    )
    const { rows: sizes } = await client.query<{ name: string; bytes: string }>(
      `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc limit 10`,
    )
    return {
      tables: sizes.map(({ name, bytes }) => ({ name, bytes: Number(bytes) })),
      merchantId: ids[0] as string,
      endpointId: found[0]?.endpoint as string,
      invoices,
      bytes: Number(found[0]?.bytes),
    }
  })
}

/** Does the work for each table on a few connections, each of which takes the next one that is left. */
async function inTurn(
  url: string,
  tables: readonly string[],
  work: (client: pg.Client, table: string) => Promise<void>,
): Promise<void> {
  const left = [...tables]
  const oneByOne = (client: pg.Client) =>
    (async () => {
      for (let table = left.shift(); table !== undefined; table = left.shift()) await work(client, table)
    })()
  await Promise.all(Array.from({ length: connections }, () => withDatabase(url, oneByOne)))
}

/**
 * Fills a table in one transaction. `cluster` gives it and its indexes new files, which are not logged before it commits; and
 * its indexes, marked as not ready, are made at the end, each in one go.
 */
async function fillTable(client: pg.Client, table: string, invoices: number): Promise<void> {
  const startedAt = performance.now()
  await client.query("set session_replication_role = 'replica'; set work_mem = '256MB'; begin")
  await client.query(`cluster ${table} using ${table}_pkey`)
  await client.query(`alter table ${table} set without cluster`)
  await client.query(
    `update pg_index set indisready = false, indisvalid = false where indrelid = '${table}'::regclass`,
  )
  for (const range of ranges(invoices)) await client.query(rows.ofRange[table] as string, range)
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0)
  const filled = seconds()
  await client.query(`reindex table ${table}`)
  await client.query('commit')
  console.log(`  ${table}: filled after ${filled} s, indexed after ${seconds()} s`)
}

function ranges(invoices: number): [number, number][] {
  const found: [number, number][] = []
  for (let from = 1; from <= invoices; from += chunk) found.push([from, Math.min(from + chunk - 1, invoices)])
  return found
}

/** The service's own database, for the superuser. */
export function ownDatabase(superuserUrl: string): string {
  return superuserUrl.replace('/postgres?', '/sluice?')
}
