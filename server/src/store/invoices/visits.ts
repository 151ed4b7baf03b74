import type { Invoice } from '../../domain/invoices.ts'
import { type Db, sql } from '../sql.ts'
import { type InvoiceRow, invoiceColumns, invoiceFrom } from './invoice-rows.ts'
import type { InvoiceWithPayments } from './invoices.ts'
import { type PaymentJson, paymentFrom, paymentsOfInvoice } from './payment-json.ts'

/** The merchant behind a payment page, as payers see it. */
export type Shop = {
  readonly name: string
  readonly colour: string | null
  /** In hexadecimal. */
  readonly logoSha256: string | null
  readonly logoMediaType: string | null
  /** The origins that may show the page in a frame. */
  readonly embedOrigins: readonly string[]
}

/** An invoice as a visitor of its payment page sees it. */
export type Visit = InvoiceWithPayments & {
  readonly invoice: Invoice & { readonly link: string }
  readonly shop: Shop
  /** Whether the merchant has taken its test network offline. */
  readonly takenOffline: boolean
  /** How far the merchant's clock is ahead of the real time. */
  readonly aheadMs: number
}

/** Notified with the ids of invoices whose payment page may have changed, separated by commas. */
export const checkoutChanged = 'checkout_changed'
/** Notified with the id of a gate whose followed chain has a new tip. */
export const followedChainMoved = 'followed_chain_moved'

type VisitRow = InvoiceRow & {
  readonly link: string
  readonly asked: number
  readonly tip: bigint | null
  readonly payments: PaymentJson[] | null
  readonly name: string
  readonly colour: string | null
  readonly logo: string | null
  readonly logoMediaType: string | null
  readonly embedOrigins: string[] | null
  readonly takenOffline: boolean
  readonly aheadMs: number
}

/** Invoices as payers look them up. They are not filtered by caller: knowing the link is the right to see the invoice. */
export function visitsOn(db: Db) {
  return {
    /** In the order requested; null where there is no such link. */
    byLinks: (links: readonly string[]) =>
      find(
        links,
        sql`unnest(${[...links]}::text[]) with ordinality as wanted (link, asked) join invoices using (link)`,
      ),

    /** In the order requested; null where there is no such invoice, or it has no payment page. */
    byIds: (ids: readonly string[]) =>
      find(
        ids,
        sql`unnest(${[...ids]}::uuid[]) with ordinality as wanted (id, asked) join invoices using (id)`,
      ),
  }

  async function find(
    wanted: readonly string[],
    invoices: ReturnType<typeof sql>,
  ): Promise<(Visit | null)[]> {
    const rows = await sql<VisitRow>`
      select wanted.asked::integer as asked, ${invoiceColumns}, followed_chains.height as tip,
        ${paymentsOfInvoice} as payments, merchants.name, brand.colour, encode(brand.logo_sha256, 'hex') as logo,
        brand.logo_media_type as "logoMediaType", brand.embed_origins as "embedOrigins",
        exists (select from gates_taken_offline as taken
          where taken.merchant_id = invoices.merchant_id and taken.gate_id = invoices.gate_id) as "takenOffline",
        coalesce(extract(epoch from clock.ahead) * 1000, 0)::float8 as "aheadMs"
      from ${invoices}
      join merchants on merchants.id = invoices.merchant_id
      left join merchant_brands as brand on brand.merchant_id = invoices.merchant_id
      left join followed_chains on followed_chains.gate_id = invoices.gate_id
      left join test_clocks as clock
        on invoices.environment = 'test' and clock.merchant_id = invoices.merchant_id and clock.environment = 'test'
      where invoices.link is not null`.rows(db)
    const answers = new Array<Visit | null>(wanted.length).fill(null)
    for (const row of rows) answers[row.asked - 1] = visitFrom(row)
    return answers
  }
}

function visitFrom(row: VisitRow): Visit {
  return {
    invoice: { ...invoiceFrom(row), link: row.link },
    payments: (row.payments ?? []).map(paymentFrom),
    tip: row.tip,
    shop: {
      name: row.name,
      colour: row.colour,
      logoSha256: row.logo,
      logoMediaType: row.logoMediaType,
      embedOrigins: row.embedOrigins ?? [],
    },
    takenOffline: row.takenOffline,
    aheadMs: row.aheadMs,
  }
}
