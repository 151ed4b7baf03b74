import type { Environment } from '../../domain/environment.ts'
import type { Invoice, InvoiceAsset, InvoiceStatus, Payment } from '../../domain/invoices.ts'
import type { CursorPage, PageRequest } from '../../domain/page.ts'
import { type ExportPage, exportPage, type PlacedRow } from '../reports/export-page.ts'
import {
  type Listed,
  type ListedRow,
  listPage,
  metadataText,
  type Narrowing,
  type Place,
} from '../reports/list-page.ts'
import { type Db, type Sql, sql } from '../sql.ts'
import { rowNow, testClocksOn } from '../test-clocks.ts'
import { eventRecord, type NewEvent } from '../webhooks/events.ts'
import {
  assetRecord,
  type InvoiceRow,
  insertedColumns,
  invoiceColumns,
  invoiceFrom,
  invoiceRecord,
  type NewInvoice,
} from './invoice-rows.ts'
import { type PaymentJson, paymentFrom, paymentsOfInvoice } from './payment-json.ts'

export type InvoiceWithPayments = {
  readonly invoice: Invoice
  readonly payments: readonly Payment[]
  /** How far the chain was followed; null before the invoice has an asset. */
  readonly tip: bigint | null
}

/** An invoice by its id, requested by its owner. */
export type WantedInvoice = Owner & { readonly id: string }

type Owner = { readonly merchantId: string; readonly environment: Environment }

/** What an assessment writes to the invoice. */
export type AssessedInvoice = {
  readonly id: string
  readonly status: InvoiceStatus
  readonly paidUnits: bigint
  readonly settledUnits: bigint
  readonly pendingUnits: bigint
  readonly feeUnits: bigint
  readonly dueAt: Date | null
  readonly paidAt: Date | null
  readonly updatedAt: Date
}

const assetFromPicked = sql`
  currency = picked.currency, network = picked.network, gate_id = picked.gate_id, decimals = picked.decimals,
  amount_units = picked.amount_units, required_confirmations = picked.required_confirmations,
  keychain = picked.keychain, deposit_position = picked.deposit_position,
  deposit_address = picked.deposit_address, deposit_address_tag = picked.deposit_address_tag,
  deposit_address_proof = picked.deposit_address_proof, exchange_rate = picked.exchange_rate,
  rate_locked_at = picked.rate_locked_at, live_at = picked.live_at`

export function invoicesOn(db: Db) {
  const listedInvoices = {
    id: 'id',
    read: (page: Sql) => sql<ListedRow<InvoiceRow>>`${page}`.rows(db),
    from: invoiceFrom,
  } as const

  return {
    /**
     * Inserts invoices with their events in one statement. Leaves out an invoice, with its events, if its idempotency key is
     * taken (also by another of the same call), or if its merchant has taken its test network offline. The latter does not
     * apply to an invoice made by a deposit, since that money has arrived. Returns the ids of the inserted invoices.
     */
    async insert(invoices: readonly NewInvoice[], events: readonly NewEvent[]): Promise<Set<string>> {
      const rows = await sql<{ id: string }>`
        with added as (
          insert into invoices (${insertedColumns})
          select ${insertedColumns} from json_populate_recordset(null::invoices, ${JSON.stringify(invoices.map(invoiceRecord))}::json) as given
          where given.static_address_id is not null or not exists (select from gates_taken_offline as taken
            where taken.merchant_id = given.merchant_id and taken.gate_id = given.gate_id)
          on conflict (merchant_id, environment, idempotency_key) where idempotency_key is not null do nothing
          returning id
        ), told as (
          insert into events (id, merchant_id, environment, event, data, resource_id, traceparent, created_at)
          select event.id, event.merchant_id, event.environment, event.event, event.data, event.resource_id,
            event.traceparent, ${rowNow}
          from json_to_recordset(${JSON.stringify(events.map(eventRecord))}::json) as event
            (id uuid, merchant_id uuid, environment text, event text, data json, resource_id uuid, traceparent text)
          join added on added.id = event.resource_id
        )
        select id from added`.rows(db)
      return new Set(rows.map(({ id }) => id))
    },

    /** The invoices with these idempotency keys, each with the hash of the request that created it. */
    async findByKeys(
      keys: readonly (Owner & { idempotencyKey: string })[],
    ): Promise<{ invoice: Invoice; requestHash: Buffer }[]> {
      const rows = await sql<InvoiceRow & { requestHash: Buffer }>`
        select ${invoiceColumns}, invoices.request_hash as "requestHash"
        from unnest(
          ${keys.map(({ merchantId }) => merchantId)}::uuid[],
          ${keys.map(({ environment }) => environment)}::text[],
          ${keys.map(({ idempotencyKey }) => idempotencyKey)}::text[]
        ) as wanted (merchant_id, environment, idempotency_key)
        join invoices using (merchant_id, environment, idempotency_key)`.rows(db)
      return rows.map((row) => ({ invoice: invoiceFrom(row), requestHash: row.requestHash }))
    },

    /** The requested invoices, each only if it belongs to its owner; in the order requested. */
    async findMany(wanted: readonly WantedInvoice[]): Promise<(InvoiceWithPayments | null)[]> {
      const rows = await sql<
        InvoiceRow & { asked: number; tip: bigint | null; payments: PaymentJson[] | null }
      >`
        select wanted.asked::integer as asked, ${invoiceColumns}, followed_chains.height as tip, ${paymentsOfInvoice} as payments
        from unnest(
          ${wanted.map(({ id }) => id)}::uuid[],
          ${wanted.map(({ merchantId }) => merchantId)}::uuid[],
          ${wanted.map(({ environment }) => environment)}::text[]
        ) with ordinality as wanted (id, merchant_id, environment, asked)
        join invoices using (id, merchant_id, environment)
        left join followed_chains on followed_chains.gate_id = invoices.gate_id`.rows(db)
      const answers = new Array<InvoiceWithPayments | null>(wanted.length).fill(null)
      for (const row of rows) {
        const payments = (row.payments ?? []).map(paymentFrom)
        answers[row.asked - 1] = { invoice: invoiceFrom(row), payments, tip: row.tip }
      }
      return answers
    },

    async find(owner: Owner, id: string): Promise<Invoice | null> {
      const row = await sql<InvoiceRow>`
        select ${invoiceColumns} from invoices
        where id = ${id} and merchant_id = ${owner.merchantId} and environment = ${owner.environment}`.maybeOne(
        db,
      )
      return row === null ? null : invoiceFrom(row)
    },

    /** The owner's invoice, locked until the transaction ends, and the time by its clock. */
    async lock(owner: Owner, id: string): Promise<{ invoice: Invoice; now: Date } | null> {
      const row = await sql<InvoiceRow & { now: Date }>`
        select ${invoiceColumns}, ${rowNow} as now from invoices
        where id = ${id} and merchant_id = ${owner.merchantId} and environment = ${owner.environment}
        for no key update`.maybeOne(db)
      return row === null ? null : { invoice: invoiceFrom(row), now: row.now }
    },

    /** Invoices by id, locked in an order that all callers share, and the time by the clock of each one's merchant. */
    async lockMany(ids: readonly string[]): Promise<{ invoices: Invoice[]; nowOf: (owner: Owner) => Date }> {
      const rows = await sql<InvoiceRow>`
        select ${invoiceColumns} from invoices where id = any(${[...ids]}::uuid[])
        order by id for no key update`.rows(db)
      // Read once the locks are held, since waiting for them takes time.
      const { now } = await sql<{ now: Date }>`select clock_timestamp() as now`.one(db)
      const invoices = rows.map(invoiceFrom)
      const ahead = await testClocksOn(db).aheadOf(invoices)
      const times = new Map(
        invoices.map(({ merchantId, environment }, at) => [
          `${merchantId} ${environment}`,
          new Date(now.getTime() + (ahead[at] as number)),
        ]),
      )
      return { invoices, nowOf: (owner) => times.get(`${owner.merchantId} ${owner.environment}`) ?? now }
    },

    /**
     * Up to `limit` invoices that time alone may change: their window is over, and their chain was polled since. Leaves out
     * those with a requested assessment: if that failed, it was postponed. An invoice due by the real time is due by
     * every clock; those due only by a moved clock are looked up for each of them. An index can be searched by the statement's time.
     */
    async findDue(limit: number): Promise<string[]> {
      const isAsked = sql`exists (select from jobs where kind = 'assess_invoice' and subject = invoices.id)`
      // Named in the statement: by a mere parameter the planner expects a tenth of the table, and plans anew every time.
      const most = sql.lit(limit)
      const rows = await sql<{ id: string }>`
        (select invoices.id from invoices join followed_chains using (gate_id)
          where due_at <= statement_timestamp() and due_at < scanned_at and halted_at is null and not ${isAsked}
          limit ${most})
        union
        (select id from invoices where gate_id is null and due_at <= statement_timestamp() and not ${isAsked}
          limit ${most})
        union
        (select due.id from test_clocks as clock cross join lateral (
          select invoices.id from invoices left join followed_chains as chain using (gate_id)
          where invoices.merchant_id = clock.merchant_id and invoices.environment = 'test'
            and due_at <= statement_timestamp() + clock.ahead
            and (gate_id is null or chain.halted_at is null
              and due_at < merchant_time(invoices.merchant_id, invoices.environment, scanned_at))
            and not ${isAsked}
          limit ${most}) as due limit ${limit})`.rows(db)
      return rows.map(({ id }) => id)
    },

    async saveAssessed(invoices: readonly AssessedInvoice[]): Promise<void> {
      if (invoices.length === 0) return
      const rows = invoices.map((invoice) => ({
        id: invoice.id,
        status: invoice.status,
        paid_units: invoice.paidUnits.toString(),
        settled_units: invoice.settledUnits.toString(),
        pending_units: invoice.pendingUnits.toString(),
        fee_units: invoice.feeUnits.toString(),
        due_at: invoice.dueAt,
        paid_at: invoice.paidAt,
        updated_at: invoice.updatedAt,
      }))
      await sql`
        update invoices set status = assessed.status, paid_units = assessed.paid_units,
          settled_units = assessed.settled_units, pending_units = assessed.pending_units,
          fee_units = assessed.fee_units, due_at = assessed.due_at, paid_at = assessed.paid_at,
          updated_at = assessed.updated_at
        from json_populate_recordset(null::invoices, ${JSON.stringify(rows)}::json) as assessed
        where invoices.id = assessed.id`.run(db)
    },

    async saveCancelled(id: string): Promise<Invoice> {
      const row = await sql<InvoiceRow>`
        update invoices set status = 'cancelled', due_at = null, cancelled_at = ${rowNow},
          updated_at = ${rowNow}
        where id = ${id} returning ${invoiceColumns}`.one(db)
      return invoiceFrom(row)
    },

    /** Fixes the asset, the address and the window of a deferred invoice. */
    async saveActivated(
      id: string,
      asset: InvoiceAsset,
      change: { expiresAt: Date; amountInBaseCurrency: bigint | null },
    ): Promise<Invoice> {
      const record = JSON.stringify({
        ...assetRecord(asset),
        expires_at: change.expiresAt,
        amount_in_base_currency: change.amountInBaseCurrency?.toString(),
      })
      const row = await sql<InvoiceRow>`
        update invoices set ${assetFromPicked}, expires_at = picked.expires_at,
          due_at = picked.expires_at, amount_in_base_currency = picked.amount_in_base_currency,
          updated_at = merchant_now(invoices.merchant_id, invoices.environment)
        from json_populate_record(null::invoices, ${record}::json) as picked
        where invoices.id = ${id} returning ${invoiceColumns}`.one(db)
      return invoiceFrom(row)
    },

    /** Gives a deferred invoice another asset than it had. Its window stays. */
    async saveAsset(
      id: string,
      { asset, amountInBaseCurrency }: { asset: InvoiceAsset; amountInBaseCurrency: bigint | null },
    ): Promise<Invoice> {
      const record = JSON.stringify({
        ...assetRecord(asset),
        amount_in_base_currency: amountInBaseCurrency?.toString(),
      })
      const row = await sql<InvoiceRow>`
        update invoices set ${assetFromPicked}, amount_in_base_currency = picked.amount_in_base_currency,
          updated_at = merchant_now(invoices.merchant_id, invoices.environment)
        from json_populate_record(null::invoices, ${record}::json) as picked
        where invoices.id = ${id} returning ${invoiceColumns}`.one(db)
      return invoiceFrom(row)
    },

    /** Adds to the refunded amount of an invoice. Its credited amount stays. */
    async addRefunded(id: string, units: bigint): Promise<void> {
      await sql`
        update invoices set refunded_units = refunded_units + ${units.toString()}::numeric, updated_at = ${rowNow}
        where id = ${id}`.run(db)
    },

    /** Ends the window of an open invoice now. */
    async endWindow(id: string): Promise<void> {
      await sql`
        update invoices set expires_at = ended.at, due_at = ended.at, updated_at = ended.at
        from (select id, ${rowNow} as at from invoices where id = ${id}) as ended
        where invoices.id = ended.id`.run(db)
    },

    /** One page, newest first, with the total of matching rows, from one snapshot. */
    async list(owner: Owner, filter: InvoiceFilter & PageRequest): Promise<CursorPage<Invoice>> {
      const { status, currency, externalId = null, fiat = null } = filter
      const indexed = sql`${ofOwner(owner)} ${status === null ? sql`` : sql`and invoices.status = ${status}`}
        ${currency === null ? sql`` : sql`and invoices.currency = ${currency}`}
        ${externalId === null ? sql`` : sql`and invoices.external_id = ${externalId}`}`
      const wanted = {
        indexed,
        counted: externalId === null ? { facet: status, currency } : null,
        others: fiat === null ? [] : [pricedIn(fiat)],
      }
      return listPage(db, listed('invoices'), owner, wanted, filter, listedInvoices)
    },

    async listOfAddress(
      owner: Owner,
      staticAddressId: string,
      asked: PageRequest & { readonly narrowing?: Narrowing },
    ): Promise<CursorPage<Invoice>> {
      const wanted = { indexed: ofAddress(owner, staticAddressId), counted: { facet: staticAddressId } }
      return listPage(db, listed('invoices_of_address'), owner, wanted, asked, listedInvoices)
    },

    /** The rows of that list after a place, without the total. */
    exportPageOfAddress(
      owner: Owner,
      staticAddressId: string,
      narrowing: Narrowing,
      after: Place | null,
      limit: number,
    ): Promise<ExportPage<Invoice, Place>> {
      const wanted = { indexed: ofAddress(owner, staticAddressId) }
      return exportPage(
        listed('invoices_of_address'),
        wanted,
        { narrowing, after, limit },
        {
          read: (page) => sql<PlacedRow<InvoiceRow>>`${page}`.rows(db),
          from: invoiceFrom,
        },
      )
    },
  }
}

/** What a list of invoices is filtered by; null: by nothing. */
export type InvoiceFilter = {
  readonly status: string | null
  readonly currency: string | null
  readonly externalId?: string | null
  /** A price in this currency, from `least` to `most` in its minor units. */
  readonly fiat?: {
    readonly currency: string
    readonly least: bigint | null
    readonly most: bigint | null
  } | null
  readonly narrowing?: Narrowing
}

/** What a search for invoices looks through. */
export const searchedOfInvoices = sql`concat_ws(e'\n', invoices.description, invoices.external_id, ${metadataText('invoices')})`

const listed = (list: 'invoices' | 'invoices_of_address'): Listed => ({
  list,
  table: 'invoices',
  columns: invoiceColumns,
  hasTimes: list === 'invoices',
  hasBuckets: true,
  searched: searchedOfInvoices,
})

function ofAddress(owner: Owner, staticAddressId: string): Sql {
  return sql`${ofOwner(owner)} and invoices.static_address_id = ${staticAddressId}`
}

function ofOwner({ merchantId, environment }: Owner): Sql {
  return sql`invoices.merchant_id = ${merchantId} and invoices.environment = ${environment}`
}

function pricedIn({ currency, least, most }: NonNullable<InvoiceFilter['fiat']>): Sql {
  const low = least === null ? sql`` : sql`and invoices.amount_fiat >= ${least.toString()}::numeric`
  const high = most === null ? sql`` : sql`and invoices.amount_fiat <= ${most.toString()}::numeric`
  return sql`(invoices.fiat_currency = ${currency} ${low} ${high})`
}
