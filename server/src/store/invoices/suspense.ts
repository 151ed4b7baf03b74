import type { Caller } from '../../domain/caller.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import type { HeldReason } from '../../domain/suspense.ts'
import { type Absent, type PageRow, pageFrom } from '../outer-rows.ts'
import type { ExportPage } from '../reports/export-page.ts'
import { type Db, type Sql, sql } from '../sql.ts'

/** A payment that belongs to no merchant, or did not until the operator released it to one. */
export type HeldPayment = {
  readonly id: string
  readonly environment: Environment
  readonly network: string
  readonly currency: string
  readonly decimals: number
  readonly units: bigint
  readonly address: string
  readonly tag: string | null
  readonly txHash: string
  readonly reason: HeldReason
  readonly requiredConfirmations: number
  /** Null while no block of the followed branch holds it. */
  readonly blockHeight: bigint | null
  readonly isWaiting: boolean
  /** How far its chain is followed. */
  readonly tip: bigint
  readonly isBooked: boolean
  /** Whose address was paid, where that is known. */
  readonly merchantId: string | null
  readonly invoiceId: string | null
  readonly staticAddressId: string | null
  readonly seenAt: Date
  readonly release: Release | null
}

export type Release = {
  readonly merchantId: string
  readonly by: string
  readonly note: string
  readonly at: Date
}

type Owner = Pick<Caller, 'merchantId' | 'environment'>

export type SuspenseFilter = {
  readonly reason: HeldReason | null
  readonly invoiceId: string | null
  readonly txHash: string | null
  readonly seenAfter?: Date | null
  readonly seenBefore?: Date | null
}

type ReleaseColumns = {
  readonly releasedTo: string
  readonly releasedBy: string
  readonly note: string
  readonly releasedAt: Date
}

type Row = Omit<HeldPayment, 'release'> & (ReleaseColumns | Absent<ReleaseColumns>)

const everything = { reason: null, invoiceId: null, txHash: null }

const columns = sql`
  payments.id, payments.environment, payments.network, payments.currency, payments.decimals, payments.units, payments.address,
  payments.address_tag as tag, payments.tx_hash as "txHash", payments.suspense_reason as reason,
  payments.required_confirmations as "requiredConfirmations", payments.block_height as "blockHeight",
  payments.waiting as "isWaiting", chain.height as tip, coalesce(booking.credited, false) as "isBooked",
  payments.for_merchant_id as "merchantId", payments.for_invoice_id as "invoiceId",
  payments.for_static_address_id as "staticAddressId", payments.seen_at as "seenAt", release.merchant_id as "releasedTo",
  release.released_by as "releasedBy", release.note, release.released_at as "releasedAt"`

const joined = sql`
  left join followed_chains as chain on chain.gate_id = payments.gate_id
  left join payment_bookings as booking on booking.payment_id = payments.id
  left join suspense_releases as release on release.payment_id = payments.id`

/** The ids of the payments to a merchant's addresses that are credited to no invoice, and of those released to it. */
const ofMerchant = ({ merchantId, environment }: Owner) => sql`
  select id from payments where for_merchant_id = ${merchantId} and environment = ${environment}
  union select id from suspense_releases join payments on id = payment_id
  where suspense_releases.merchant_id = ${merchantId} and environment = ${environment}`

const ofEnvironment = (environment: Environment) => sql`
  select id from payments
  where environment = ${environment} and invoice_id is null and suspense_reason <> 'operator_float'`

function wantedOf(ids: Sql, filter: SuspenseFilter): Sql {
  const { seenAfter = null, seenBefore = null } = filter
  return sql`
    from payments where id in (${ids}) and invoice_id is null and suspense_reason <> 'operator_float'
      and (${filter.reason}::text is null or suspense_reason = ${filter.reason})
      and (${filter.invoiceId}::uuid is null or for_invoice_id = ${filter.invoiceId})
      and (${filter.txHash}::text is null or tx_hash = ${filter.txHash})
      and (${seenAfter}::timestamptz is null or seen_at >= ${seenAfter})
      and (${seenBefore}::timestamptz is null or seen_at < ${seenBefore})`
}

export function suspenseOn(db: Db) {
  async function page(ids: Sql, filter: SuspenseFilter & PageRequest): Promise<Page<HeldPayment>> {
    const wanted = wantedOf(ids, filter)
    const rows = await sql<PageRow<Row>>`
      with page as (select * ${wanted} order by id desc limit ${filter.limit} offset ${filter.offset})
      select (select count(*) ${wanted}) as total, ${columns}
      from (select) as one
      left join page as payments on true
      ${joined} order by payments.id desc`.rows(db)
    return pageFrom(rows, 'id', heldPayment)
  }

  async function exportPage(
    ids: Sql,
    filter: SuspenseFilter,
    after: string | null,
    limit: number,
  ): Promise<ExportPage<HeldPayment, string>> {
    const rows = await sql<Row>`
      with page as (
        select * ${wantedOf(ids, filter)} ${after === null ? sql`` : sql`and id < ${after}`} order by id desc limit ${limit}
      )
      select ${columns} from page as payments ${joined} order by payments.id desc`.rows(db)
    return { rows: rows.map(heldPayment), next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) }
  }

  return {
    /** Payments to the merchant's addresses that are credited to no invoice, and payments released to it; newest first. */
    list: (owner: Owner, filter: SuspenseFilter & PageRequest) => page(ofMerchant(owner), filter),

    /** The rows of that list after a payment, without the total. */
    exportPage: (owner: Owner, filter: SuspenseFilter, after: string | null, limit: number) =>
      exportPage(ofMerchant(owner), filter, after, limit),

    /** All held payments of an environment, whether a merchant's address was paid or not. */
    listAll: (environment: Environment, filter: SuspenseFilter & PageRequest) =>
      page(ofEnvironment(environment), filter),

    /** The rows of that list after a payment, without the total. */
    exportPageOfAll: (
      environment: Environment,
      filter: SuspenseFilter,
      after: string | null,
      limit: number,
    ) => exportPage(ofEnvironment(environment), filter, after, limit),

    async find(id: string): Promise<HeldPayment | null> {
      const { rows } = await page(sql`select ${id}::uuid`, { ...everything, limit: 1, offset: 0 })
      return rows[0] ?? null
    },

    /** The payment must be locked. */
    async release(paymentId: string, { merchantId, by, note }: Omit<Release, 'at'>): Promise<void> {
      await sql`
        insert into suspense_releases (payment_id, merchant_id, released_by, note)
        values (${paymentId}, ${merchantId}, ${by}, ${note})`.run(db)
    },
  }
}

function heldPayment({ releasedTo, releasedBy, note, releasedAt, ...payment }: Row): HeldPayment {
  const release =
    releasedTo === null ? null : { merchantId: releasedTo, by: releasedBy, note, at: releasedAt }
  return { ...payment, release }
}
