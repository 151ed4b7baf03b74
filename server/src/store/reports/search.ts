import type { Environment } from '../../domain/environment.ts'
import { type Db, type Sql, sql } from '../sql.ts'
import { contains } from './list-page.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

/** A search result, and what it matched by. */
export type SearchHit = {
  readonly type: 'invoice' | 'payout' | 'refund' | 'static_address' | 'event'
  readonly id: string
  readonly matched:
    | 'id'
    | 'external_id'
    | 'address'
    | 'tx_hash'
    | 'idempotency_key'
    | 'destination'
    | 'label'
    | 'description'
    | 'metadata'
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

/** How many rows with a partial id, address or hash are looked at; many may be other merchants'. */
const mostNear = 1_000
/** How many of the newest invoices, and of the newest payouts, are looked through for a text. */
const mostLookedThrough = 10_000
/** Longer than what follows a partial address or hash. */
const farEnd = 'z'.repeat(90)

const named = (matched: SearchHit['matched']) => sql`${matched}::text`

const invoice = (matched: Sql, value: Sql) => sql`
  'invoice' as type, invoices.id, ${matched} as matched, ${value}::text as value, invoices.description as title,
  invoices.status, invoices.amount_units as units, invoices.decimals, invoices.currency, invoices.network,
  invoices.created_at as "createdAt"`

// A payout that carries out a refund is shown as the refund.
const payout = (matched: Sql, value: Sql) => sql`
  case when payouts.refund_id is null then 'payout' else 'refund' end as type,
  coalesce(payouts.refund_id, payouts.id) as id, ${matched} as matched, ${value}::text as value,
  payouts.description as title, payouts.status, payouts.amount_units as units, payouts.decimals, payouts.currency,
  payouts.network, payouts.created_at as "createdAt"`

const staticAddress = (matched: Sql, value: Sql) => sql`
  'static_address' as type, static_addresses.id, ${matched} as matched, ${value}::text as value,
  static_addresses.label as title, null as status, null::numeric as units, null::smallint as decimals,
  static_addresses.currency, static_addresses.network, static_addresses.created_at as "createdAt"`

/** What a search looks through, and in which column it is. */
type Part = readonly [matched: SearchHit['matched'], column: string]
const invoiceTexts: readonly Part[] = [
  ['external_id', 'external_id'],
  ['description', 'description'],
]
const invoiceCodes: readonly Part[] = [
  ['id', 'id'],
  ['address', 'deposit_address'],
]
const payoutTexts: readonly Part[] = [['description', 'description']]
const payoutCodes: readonly Part[] = [
  ['id', 'id'],
  ['destination', 'destination'],
  ['tx_hash', 'tx_hash'],
]

/**
 * Finds a merchant's resources by what a user has at hand. Every statement uses an index, however many rows there are.
 * Everything that begins with a text lies between that text and the text followed by the highest code point, compared by
 * bytes, as the operators with tildes do. Addresses and hashes are compared as the database sorts text; there it lies before the
 * text followed by as many `z` as none of them has.
 */
export function searchOn(db: Db) {
  const owned = (table: string, { merchantId, environment }: Owner) =>
    sql`${sql.ref(table, 'merchant_id')} = ${merchantId} and ${sql.ref(table, 'environment')} = ${environment}`
  const lastOf = (text: string) => `${text}\u{10ffff}`

  return {
    byId: (owner: Owner, id: string): Promise<SearchHit[]> => byIds(owner, id, id),

    /** Resources whose ids begin with these digits. */
    byIdStart: (owner: Owner, digits: string): Promise<SearchHit[]> =>
      byIds(owner, uuidOf(digits.padEnd(32, '0')), uuidOf(digits.padEnd(32, 'f'))),

    byExternalId: (owner: Owner, text: string): Promise<SearchHit[]> =>
      sql<SearchHit>`
        select ${invoice(named('external_id'), sql`invoices.external_id`)} from invoices
        where ${owned('invoices', owner)} and external_id is not null
          and external_id ~>=~ ${text} and external_id ~<=~ ${lastOf(text)}
        order by external_id using ~<~ limit ${maxHits}`.rows(db),

    byIdempotencyKey: (owner: Owner, key: string): Promise<SearchHit[]> =>
      sql<SearchHit>`
        select ${invoice(named('idempotency_key'), sql`invoices.idempotency_key`)} from invoices
        where ${owned('invoices', owner)} and idempotency_key = ${key}
        union all
        select ${payout(named('idempotency_key'), sql`payouts.idempotency_key`)} from payouts
        where ${owned('payouts', owner)} and idempotency_key = ${key}
        union all
        select ${payout(named('idempotency_key'), sql`refunds.idempotency_key`)} from refunds
        join payouts on payouts.id = refunds.payout_id
        where ${owned('refunds', owner)} and refunds.idempotency_key = ${key}`.rows(db),

    byLabel: (owner: Owner, text: string): Promise<SearchHit[]> =>
      sql<SearchHit>`
        select ${staticAddress(named('label'), sql`static_addresses.label`)} from static_addresses
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
        select ${invoice(named('address'), sql`places.address`)} from places cross join lateral (
          select * from invoices where keychain = places.keychain and deposit_position = places.position
            and static_address_id is null and ${owned('invoices', owner)} offset 0
        ) as invoices
        union all
        select ${invoice(named('address'), sql`places.address`)} from places
        cross join lateral (
          select invoice_id from invoice_choices where keychain = places.keychain and deposit_position = places.position offset 0
        ) as choice
        cross join lateral (
          select * from invoices where id = choice.invoice_id and ${owned('invoices', owner)}
            and (keychain, deposit_position) <> (places.keychain, places.position) offset 0
        ) as invoices
        union all
        select ${staticAddress(named('address'), sql`places.address`)} from places cross join lateral (
          select * from static_addresses where keychain = places.keychain and deposit_position = places.position
            and ${owned('static_addresses', owner)} offset 0
        ) as static_addresses`.rows(db),

    /** Invoices and static addresses whose deposit addresses begin with this text. */
    byAddressStart: (owner: Owner, keychains: readonly string[], text: string): Promise<SearchHit[]> =>
      sql<SearchHit>`
        with places as materialized (
          select deposit.* from unnest(${[...keychains]}::text[]) as wanted (keychain) cross join lateral (
            select keychain, position, address from deposit_addresses
            where keychain = wanted.keychain and address >= ${text} and address <= ${text + farEnd}
            order by address limit ${mostNear}
          ) as deposit where starts_with(address, ${text})
        )
        (select ${invoice(named('address'), sql`places.address`)} from places cross join lateral (
          select * from invoices where keychain = places.keychain and deposit_position = places.position
            and static_address_id is null and ${owned('invoices', owner)} offset 0
        ) as invoices limit ${maxHits})
        union all
        (select ${staticAddress(named('address'), sql`places.address`)} from places cross join lateral (
          select * from static_addresses where keychain = places.keychain and deposit_position = places.position
            and ${owned('static_addresses', owner)} offset 0
        ) as static_addresses limit ${maxHits})`.rows(db),

    /** Payouts to destinations that begin with this text, or to one of these addresses in canonical form. */
    byDestination: (owner: Owner, text: string, forms: readonly string[]): Promise<SearchHit[]> =>
      sql<SearchHit>`
        (select ${payout(named('destination'), sql`payouts.destination`)} from payouts
        where ${owned('payouts', owner)} and destination = any(${[...forms]}::text[]) limit ${maxHits})
        union all
        (select ${payout(named('destination'), sql`payouts.destination`)} from payouts
        where ${owned('payouts', owner)} and destination ~>=~ ${text} and destination ~<=~ ${lastOf(text)}
        order by destination using ~<~ limit ${maxHits})`.rows(db),

    /** Invoices that one of these transactions paid on one of these gates, and payouts that one of them carried out. */
    byTransaction: (
      owner: Owner,
      gateIds: readonly string[],
      hashes: readonly string[],
    ): Promise<SearchHit[]> =>
      sql<SearchHit>`
        (select ${invoice(named('tx_hash'), sql`paid.tx_hash`)} from unnest(${[...gateIds]}::text[]) as gate (id)
        cross join unnest(${[...hashes]}::text[]) as wanted (hash)
        cross join lateral (
          select invoice_id, tx_hash from payments
          where gate_id = gate.id and tx_hash = wanted.hash and invoice_id is not null offset 0
        ) as paid
        cross join lateral (
          select * from invoices where id = paid.invoice_id and ${owned('invoices', owner)} offset 0
        ) as invoices limit ${maxHits})
        union all
        (select ${payout(named('tx_hash'), sql`sent.tx_hash`)} from unnest(${[...hashes]}::text[]) as wanted (hash)
        cross join lateral (
          select spend_id, tx_hash from spend_transactions where tx_hash = wanted.hash offset 0
        ) as sent
        cross join lateral (
          select * from payouts where spend_id = sent.spend_id and ${owned('payouts', owner)} offset 0
        ) as payouts limit ${maxHits})`.rows(db),

    /** Invoices that transactions paid whose hashes begin with one of these texts, and payouts that such carried out. */
    byTransactionStart: (
      owner: Owner,
      gateIds: readonly string[],
      starts: readonly string[],
    ): Promise<SearchHit[]> =>
      sql<SearchHit>`
        (select ${invoice(named('tx_hash'), sql`paid.tx_hash`)} from unnest(${[...gateIds]}::text[]) as gate (id)
        cross join unnest(${[...starts]}::text[]) as wanted (start)
        cross join lateral (
          select invoice_id, tx_hash from payments
          where gate_id = gate.id and tx_hash >= wanted.start and tx_hash <= wanted.start || ${farEnd}
          order by tx_hash limit ${mostNear}
        ) as paid
        cross join lateral (
          select * from invoices where id = paid.invoice_id and ${owned('invoices', owner)} offset 0
        ) as invoices where starts_with(paid.tx_hash, wanted.start) limit ${maxHits})
        union all
        (select ${payout(named('tx_hash'), sql`sent.tx_hash`)} from unnest(${[...starts]}::text[]) as wanted (start)
        cross join lateral (
          select spend_id, tx_hash from spend_transactions
          where tx_hash >= wanted.start and tx_hash <= wanted.start || ${farEnd} order by tx_hash limit ${mostNear}
        ) as sent
        cross join lateral (
          select * from payouts where spend_id = sent.spend_id and ${owned('payouts', owner)} offset 0
        ) as payouts where starts_with(sent.tx_hash, wanted.start) limit ${maxHits})`.rows(db),

    /**
     * Among the newest invoices and payouts those with this text, in any case, anywhere in what people know them by; and in their
     * ids, addresses and hashes, if it may be a part of one.
     */
    byText: (owner: Owner, text: string, { isPart }: { readonly isPart: boolean }): Promise<SearchHit[]> => {
      const invoiceParts = isPart ? [...invoiceTexts, ...invoiceCodes] : invoiceTexts
      const payoutParts = isPart ? [...payoutTexts, ...payoutCodes] : payoutTexts
      return sql<SearchHit>`
        (select ${invoice(sql`hit.matched`, sql`hit.value`)} from ${having(owner, 'invoices', invoiceParts, text)})
        union all
        (select ${payout(sql`hit.matched`, sql`hit.value`)} from ${having(owner, 'payouts', payoutParts, text)})`.rows(
        db,
      )
    },
  }

  function having(owner: Owner, name: 'invoices' | 'payouts', parts: readonly Part[], text: string): Sql {
    const table = sql.ref(name)
    const known = parts.map(([matched, column]) => sql`(${matched}, ${sql.ref(name, column)}::text)`)
    const all = sql.join(parts.map(([, column]) => sql.ref(name, column)))
    // Written as JSON it is found in all metadata at once, which is ten times as fast as value by value.
    const asJson = JSON.stringify(text).slice(1, -1)
    return sql`(
        select * from ${table} where ${owned(name, owner)} order by position desc limit ${sql.lit(mostLookedThrough)}
      ) as ${table}
      cross join lateral (
        select matched, value from (
          select matched, value from (values ${sql.join(known)}) as own (matched, value)
          union all select 'metadata', value from jsonb_each_text(${table}.metadata)
        ) as known where ${contains(sql`value`, text)} limit 1
      ) as hit
      where (${contains(sql`concat_ws(e'\n', ${all})`, text)} or ${contains(sql`${table}.metadata::text`, asJson)})
      order by ${table}.position desc limit ${maxHits}`
  }

  function byIds(owner: Owner, from: string, to: string): Promise<SearchHit[]> {
    // Ids begin with the time: what others made at that moment lies in between.
    const near = (table: string, column = 'id') => sql`(
        select * from ${sql.ref(table)} where ${sql.ref(column)} >= ${from} and ${sql.ref(column)} <= ${to}
        order by ${sql.ref(column)} limit ${mostNear}
      ) as ${sql.ref(table)} where ${owned(table, owner)}`
    return sql<SearchHit>`
      (select ${invoice(named('id'), sql`invoices.id`)} from ${near('invoices')} limit ${maxHits})
      union all
      (select ${payout(named('id'), sql`payouts.id`)} from ${near('payouts')} limit ${maxHits})
      union all
      (select ${payout(named('id'), sql`payouts.refund_id`)} from ${near('payouts', 'refund_id')} limit ${maxHits})
      union all
      (select ${staticAddress(named('id'), sql`static_addresses.id`)} from ${near('static_addresses')} limit ${maxHits})
      union all
      (select 'event', id, 'id', id::text, event, null, null, null, null, null, created_at
      from ${near('events')} limit ${maxHits})`.rows(db)
  }
}

function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
