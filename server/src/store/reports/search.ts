import type { Environment } from '../../domain/environment.ts'
import { type Db, type Sql, sql } from '../sql.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

/** A search result, and what it matched by. */
export type SearchHit = {
  readonly type: 'invoice' | 'payout' | 'refund' | 'static_address' | 'event'
  readonly id: string
  readonly matched: 'id' | 'external_id' | 'address' | 'tx_hash' | 'idempotency_key' | 'destination' | 'label'
  readonly value: string
  readonly title: string | null
  readonly status: string | null
  readonly units: bigint | null
  readonly decimals: number | null
  readonly currency: string | null
  readonly network: string | null
  readonly createdAt: Date
}

/** A deposit address as stored; the tag is '' when there is none. */
export type StoredPlace = { readonly keychain: string; readonly address: string; readonly tag: string }

/** The most results that a search shows. */
export const maxHits = 20

const invoice = (matched: SearchHit['matched'], value: Sql) => sql`
  'invoice' as type, invoices.id, ${matched}::text as matched, ${value}::text as value, invoices.description as title,
  invoices.status, invoices.amount_units as units, invoices.decimals, invoices.currency, invoices.network,
  invoices.created_at as "createdAt"`

// A payout that carries out a refund is shown as the refund.
const payout = (matched: SearchHit['matched'], value: Sql) => sql`
  case when payouts.refund_id is null then 'payout' else 'refund' end as type,
  coalesce(payouts.refund_id, payouts.id) as id, ${matched}::text as matched, ${value}::text as value,
  payouts.description as title, payouts.status, payouts.amount_units as units, payouts.decimals, payouts.currency,
  payouts.network, payouts.created_at as "createdAt"`

const staticAddress = (matched: SearchHit['matched'], value: Sql) => sql`
  'static_address' as type, static_addresses.id, ${matched}::text as matched, ${value}::text as value,
  static_addresses.label as title, null as status, null::numeric as units, null::smallint as decimals,
  static_addresses.currency, static_addresses.network, static_addresses.created_at as "createdAt"`

/**
 * Finds a merchant's resources by what a user has at hand. Every statement uses an index, however many rows there are.
 * Everything that begins with a text lies between that text and the text followed by the highest code point, compared by
 * bytes, as the operators with tildes do.
 */
export function searchOn(db: Db) {
  const owned = (table: string, { merchantId, environment }: Owner) =>
    sql`${sql.ref(table, 'merchant_id')} = ${merchantId} and ${sql.ref(table, 'environment')} = ${environment}`
  const lastOf = (text: string) => `${text}\u{10ffff}`

  return {
    byId: (owner: Owner, id: string): Promise<SearchHit[]> =>
      sql<SearchHit>`
        select ${invoice('id', sql`invoices.id`)} from invoices where id = ${id} and ${owned('invoices', owner)}
        union all
        select ${payout('id', sql`payouts.id`)} from payouts where id = ${id} and ${owned('payouts', owner)}
        union all
        select ${payout('id', sql`payouts.refund_id`)} from payouts
        where refund_id = ${id} and ${owned('payouts', owner)}
        union all
        select ${staticAddress('id', sql`static_addresses.id`)} from static_addresses
        where id = ${id} and ${owned('static_addresses', owner)}
        union all
        select 'event', id, 'id', id::text, event, null, null, null, null, null, created_at from events
        where id = ${id} and ${owned('events', owner)}`.rows(db),

    byExternalId: (owner: Owner, text: string): Promise<SearchHit[]> =>
      sql<SearchHit>`
        select ${invoice('external_id', sql`invoices.external_id`)} from invoices
        where ${owned('invoices', owner)} and external_id is not null
          and external_id ~>=~ ${text} and external_id ~<=~ ${lastOf(text)}
        order by external_id using ~<~ limit ${maxHits}`.rows(db),

    byIdempotencyKey: (owner: Owner, key: string): Promise<SearchHit[]> =>
      sql<SearchHit>`
        select ${invoice('idempotency_key', sql`invoices.idempotency_key`)} from invoices
        where ${owned('invoices', owner)} and idempotency_key = ${key}
        union all
        select ${payout('idempotency_key', sql`payouts.idempotency_key`)} from payouts
        where ${owned('payouts', owner)} and idempotency_key = ${key}
        union all
        select ${payout('idempotency_key', sql`refunds.idempotency_key`)} from refunds
        join payouts on payouts.id = refunds.payout_id
        where ${owned('refunds', owner)} and refunds.idempotency_key = ${key}`.rows(db),

    byLabel: (owner: Owner, text: string): Promise<SearchHit[]> =>
      sql<SearchHit>`
        select ${staticAddress('label', sql`static_addresses.label`)} from static_addresses
        where ${owned('static_addresses', owner)} and label is not null
          and lower(label) ~>=~ lower(${text}) and lower(label) ~<=~ (lower(${text}) || ${lastOf('')})
        order by lower(label) using ~<~ limit ${maxHits}`.rows(db),

    /** Invoices and static addresses with one of these deposit addresses. */
    byAddress: (owner: Owner, places: readonly StoredPlace[]): Promise<SearchHit[]> =>
      sql<SearchHit>`
        with places as materialized (
          select deposit.* from unnest(${places.map(({ keychain }) => keychain)}::text[],
            ${places.map(({ address }) => address)}::text[], ${places.map(({ tag }) => tag)}::text[]
          ) as wanted (keychain, address, tag)
          cross join lateral (
            select keychain, position, address from deposit_addresses
            where keychain = wanted.keychain and address = wanted.address and tag = wanted.tag offset 0
          ) as deposit
        )
        select ${invoice('address', sql`places.address`)} from places cross join lateral (
          select * from invoices where keychain = places.keychain and deposit_position = places.position
            and static_address_id is null and ${owned('invoices', owner)} offset 0
        ) as invoices
        union all
        select ${invoice('address', sql`places.address`)} from places
        cross join lateral (
          select invoice_id from invoice_choices where keychain = places.keychain and deposit_position = places.position offset 0
        ) as choice
        cross join lateral (
          select * from invoices where id = choice.invoice_id and ${owned('invoices', owner)}
            and (keychain, deposit_position) <> (places.keychain, places.position) offset 0
        ) as invoices
        union all
        select ${staticAddress('address', sql`places.address`)} from places cross join lateral (
          select * from static_addresses where keychain = places.keychain and deposit_position = places.position
            and ${owned('static_addresses', owner)} offset 0
        ) as static_addresses`.rows(db),

    /** Payouts to destinations that begin with this text, or to one of these addresses in canonical form. */
    byDestination: (owner: Owner, text: string, forms: readonly string[]): Promise<SearchHit[]> =>
      sql<SearchHit>`
        (select ${payout('destination', sql`payouts.destination`)} from payouts
        where ${owned('payouts', owner)} and destination = any(${[...forms]}::text[]) limit ${maxHits})
        union all
        (select ${payout('destination', sql`payouts.destination`)} from payouts
        where ${owned('payouts', owner)} and destination ~>=~ ${text} and destination ~<=~ ${lastOf(text)}
        order by destination using ~<~ limit ${maxHits})`.rows(db),

    /** Invoices that one of these transactions paid on one of these gates, and payouts that one of them carried out. */
    byTransaction: (
      owner: Owner,
      gateIds: readonly string[],
      hashes: readonly string[],
    ): Promise<SearchHit[]> =>
      sql<SearchHit>`
        (select ${invoice('tx_hash', sql`paid.tx_hash`)} from unnest(${[...gateIds]}::text[]) as gate (id)
        cross join unnest(${[...hashes]}::text[]) as wanted (hash)
        cross join lateral (
          select invoice_id, tx_hash from payments
          where gate_id = gate.id and tx_hash = wanted.hash and invoice_id is not null offset 0
        ) as paid
        cross join lateral (
          select * from invoices where id = paid.invoice_id and ${owned('invoices', owner)} offset 0
        ) as invoices limit ${maxHits})
        union all
        (select ${payout('tx_hash', sql`sent.tx_hash`)} from unnest(${[...hashes]}::text[]) as wanted (hash)
        cross join lateral (
          select spend_id, tx_hash from spend_transactions where tx_hash = wanted.hash offset 0
        ) as sent
        cross join lateral (
          select * from payouts where spend_id = sent.spend_id and ${owned('payouts', owner)} offset 0
        ) as payouts limit ${maxHits})`.rows(db),
  }
}
