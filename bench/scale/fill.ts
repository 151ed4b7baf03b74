import pg from 'pg'
import { createMerchant } from '../../server/src/app/merchants/create-merchant.ts'
import type { BenchApp } from '../follow/app.ts'
import { withDatabase } from '../service.ts'
import * as rows from './rows.ts'

/** Waiting invoices, as many in a small database as in a large one: the newest of each. */
export const openInvoices = 2_000
const merchants = 10
const chunk = 100_000

export type Filled = {
  /** The merchant with nine of ten invoices. */
  readonly merchantId: string
  readonly endpointId: string
  readonly invoices: number
  readonly bytes: number
  /** The largest tables with their indexes, in bytes. */
  readonly tables: readonly { readonly name: string; readonly bytes: number }[]
}

/** Tables that are filled; their indexes are made afterwards, which takes a third of the time. */
const filled = [
  'invoices',
  'deposit_addresses',
  'payments',
  'payment_bookings',
  'ledger_transactions',
  'postings',
  'ledger_entries',
  'events',
  'webhook_deliveries',
  'webhook_attempts',
  'audit_entries',
]

/**
 * Five years of business: so many invoices of ten merchants with their payments and bookings, the events of the last two
 * years, and the deliveries of the last 90 days. The books are right: the audit says so.
 */
export async function fill(bench: BenchApp, invoices: number): Promise<Filled> {
  const ids: string[] = []
  for (let n = 0; n < merchants; n++)
    ids.push((await createMerchant(bench.app, { name: `Merchant ${n}` })).merchantId)
  return withDatabase(ownDatabase(bench.superuserUrl), async (client) => {
    for (const setting of [
      "max_wal_size = '4GB'",
      "wal_compression = 'pglz'",
      "maintenance_work_mem = '512MB'",
    ])
      await client.query(`alter system set ${setting}`)
    await client.query('alter system set autovacuum = off')
    await client.query('select pg_reload_conf()')
    await client.query(`
      set session_replication_role = 'replica';
      set synchronous_commit = off;
      set work_mem = '256MB';`)
    const indexes = await dropIndexes(client)
    await client.query(rows.chains)
    await client.query(rows.scratch)
    await client.query(rows.merchants, [ids])
    await client.query(rows.accounts)
    for (let from = 1; from <= invoices; from += chunk) {
      const to = Math.min(from + chunk - 1, invoices)
      await client.query('truncate chunk')
      await client.query(rows.chunk, [from, to, invoices, openInvoices])
      for (const statement of rows.ofChunk) await client.query(statement)
    }
    for (const index of indexes) await client.query(index)
    for (const statement of rows.totals) await client.query(statement)
    const { counts, dailySums, dailyFigures } = bench.app.store
    for (const kept of [counts, dailySums, dailyFigures]) while ((await kept.fold()) > 0);
    await client.query('vacuum (analyze)')
    await client.query('alter system reset autovacuum')
    await client.query('select pg_reload_conf()')
    await client.query('checkpoint')
    const { rows: found } = await client.query<{ endpoint: string; bytes: string }>(
      `select (select id from webhook_endpoints where merchant_id = $1) as endpoint,
         pg_database_size(current_database()) as bytes`,
      [ids[0]],
    )
    const { rows: tables } = await client.query<{ name: string; bytes: string }>(
      `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc limit 10`,
    )
    return {
      tables: tables.map(({ name, bytes }) => ({ name, bytes: Number(bytes) })),
      merchantId: ids[0] as string,
      endpointId: found[0]?.endpoint as string,
      invoices,
      bytes: Number(found[0]?.bytes),
    }
  })
}

/** The service's own database, for the superuser. */
export function ownDatabase(superuserUrl: string): string {
  return superuserUrl.replace('/postgres?', '/sluice?')
}

/** Drops the indexes behind no constraint and returns the statements that make them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any ($1::regclass[])
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [filled],
  )
  for (const { name } of found) await client.query(`drop index ${pg.escapeIdentifier(name)}`)
  return found.map(({ definition }) => definition)
}
