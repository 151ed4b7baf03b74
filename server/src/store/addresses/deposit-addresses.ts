import { type Db, sql } from '../sql.ts'
import { isAlive } from './address-grants.ts'

/** Where a payer pays: an address, and a tag on networks where payers share one address. */
export type Place = { readonly address: string; readonly tag: string | null }

/** A place with the proof that we derived it; null where it was stored without one. */
export type ProvedPlace = Place & { readonly proof: string | null }

/** A deposit address with its position in its keychain, from 0. */
export type PooledAddress = ProvedPlace & { readonly position: number }

/**
 * How many addresses of a keychain are ready, the position to derive next, and how many were given out or skipped. `ready` is negative while addresses that
 * an earlier database may have given out are still to be derived: they are not given out again, but may still be paid.
 */
export type Stock = {
  readonly keychain: string
  readonly ready: number
  readonly from: number
  readonly given: number
}

/** A keychain with few addresses ready. */
export type Shortage = Omit<Stock, 'given'>

type Row = { position: bigint; address: string; tag: string; proof: string | null }

export function depositAddressesOn(db: Db) {
  return {
    /**
     * Claims up to `count` addresses that were never given out, in order; fewer, or none, if no more are ready or the signer
     * has granted no more. A claimed address is never given out again, whether or not it is used.
     */
    async claim(keychain: string, count: number): Promise<PooledAddress[]> {
      // Waits for a grant that is being withdrawn. The lock reads the newest counter, but addresses are read as of the
      // statement's start: only those that are seen are taken.
      const rows = await sql<Row>`
        with held as (
          select given from deposit_address_counters where keychain = ${keychain} for update
        ), granted as (
          select first, below from deposit_address_grants where keychain = ${keychain} and ${isAlive} for share
        ), ready as (
          select next.position, next.address, next.tag, next.proof
          from held cross join granted cross join lateral (
            select position, address, tag, proof from deposit_addresses
            where keychain = ${keychain} and position >= greatest(held.given, granted.first)
              and position < granted.below
            order by position limit ${count}
          ) as next
        ), moved as (
          update deposit_address_counters as counter set given = last.position + 1
          from (select max(position) as position from ready) as last
          where counter.keychain = ${keychain} and last.position is not null
        )
        select position, address, tag, proof from ready order by position`.rows(db)
      return rows.map(pooled)
    },

    /** The address at position 0 of a keychain; null until it is derived. */
    async first(keychain: string): Promise<PooledAddress | null> {
      const row = await sql<Row>`
        select position, address, tag, proof from deposit_addresses
        where keychain = ${keychain} and position = 0`.maybeOne(db)
      return row === null ? null : pooled(row)
    },

    /** The keychains that have addresses. */
    async keychains(): Promise<string[]> {
      const rows = await sql<{ keychain: string }>`
        select keychain from deposit_address_counters order by keychain`.rows(db)
      return rows.map(({ keychain }) => keychain)
    },

    /** The last addresses of a keychain, those at the highest positions first. */
    async newest(keychain: string, count: number): Promise<PooledAddress[]> {
      const rows = await sql<Row>`
        select position, address, tag, proof from deposit_addresses
        where keychain = ${keychain} order by position desc limit ${count}`.rows(db)
      return rows.map(pooled)
    },

    /** A slice of all addresses of a keychain, from a position on. */
    async from(keychain: string, position: number, count: number): Promise<PooledAddress[]> {
      const rows = await sql<Row>`
        select position, address, tag, proof from deposit_addresses
        where keychain = ${keychain} and position >= ${position} order by position limit ${count}`.rows(db)
      return rows.map(pooled)
    },

    /** How many addresses of a keychain are derived, and how many of them were given out. */
    async counts(keychain: string): Promise<{ readonly derived: number; readonly given: number }> {
      const row = await sql<{ derived: bigint; given: bigint }>`
        select derived, given from deposit_address_counters where keychain = ${keychain}`.maybeOne(db)
      return { derived: Number(row?.derived ?? 0n), given: Number(row?.given ?? 0n) }
    },

    /** Makes sure that no address below this position is given out any more. Those addresses must be derived already. */
    async skipTo(keychain: string, position: number): Promise<void> {
      await sql`
        update deposit_address_counters set given = ${position}
        where keychain = ${keychain} and given < ${position}`.run(db)
    },

    /** What each of the keychains has, in this order; also of those that have no address yet. */
    async stocks(keychains: readonly string[]): Promise<Stock[]> {
      const rows = await sql<{ keychain: string; ready: bigint; derived: bigint; given: bigint }>`
        select keychain, derived - given as ready, derived, given from (
          select keychain, nth, coalesce(derived, 0) as derived,
            greatest(coalesce(given, 0), coalesce(first, 0)) as given
          from unnest(${keychains}::text[]) with ordinality as asked (keychain, nth)
          left join deposit_address_counters using (keychain)
          left join deposit_address_grants using (keychain)
        ) as pool
        order by nth`.rows(db)
      return rows.map((row) => ({
        keychain: row.keychain,
        ready: Number(row.ready),
        from: Number(row.derived),
        given: Number(row.given),
      }))
    },

    /** The keychains that have fewer than `low` addresses ready to be given out. */
    async shortage(keychains: readonly string[], low: number): Promise<Shortage[]> {
      const stocks = await this.stocks(keychains)
      return stocks
        .filter(({ ready }) => ready < low)
        .map(({ keychain, ready, from }) => ({ keychain, ready, from }))
    },

    /**
     * Appends addresses derived from position `from` on. Returns false, and adds nothing, if another process has derived
     * that position meanwhile.
     */
    async add(keychain: string, from: number, places: readonly ProvedPlace[]): Promise<boolean> {
      if (places.length === 0) return true
      if (from === 0)
        await sql`
          insert into deposit_address_counters (keychain) values (${keychain}) on conflict do nothing`.run(db)
      const changed = await sql`
        with moved as (
          update deposit_address_counters set derived = derived + ${places.length}
          where keychain = ${keychain} and derived = ${from}
          returning keychain
        )
        insert into deposit_addresses (keychain, position, address, tag, proof)
        select moved.keychain, ${from} + place.nth - 1, place.address, place.tag, place.proof
        from moved cross join unnest(
          ${places.map(({ address }) => address)}::text[],
          ${places.map(({ tag }) => tag ?? '')}::text[],
          ${places.map(({ proof }) => proof)}::text[]
        ) with ordinality as place (address, tag, proof, nth)
        returning position`.run(db)
      return changed > 0
    },

    /** Those of the places that are ours, with their positions. Each is an index lookup. */
    async find(keychain: string, places: readonly Place[]): Promise<PooledAddress[]> {
      if (places.length === 0) return []
      const rows = await sql<Row>`
        select ours.position, ours.address, ours.tag, ours.proof
        from (
          select distinct address, tag from unnest(
            ${places.map(({ address }) => address)}::text[],
            ${places.map(({ tag }) => tag ?? '')}::text[]
          ) as place (address, tag)
        ) as asked
        cross join lateral (
          select position, address, tag, proof from deposit_addresses
          where keychain = ${keychain} and address = asked.address and tag = asked.tag
          order by keychain, address, tag limit 1
        ) as ours
        order by ours.position`.rows(db)
      return rows.map(pooled)
    },

    /**
     * Those of the addresses that were ever derived for deposits, on any network, or that change went to or may have gone
     * to. Tagged addresses are not considered.
     */
    async everMade(addresses: readonly string[]): Promise<Set<string>> {
      const rows = await sql<{ address: string }>`
        select asked.address from unnest(${[...new Set(addresses)]}::text[]) as asked (address)
        cross join lateral (
          (select from deposit_addresses where address = asked.address and tag = '' limit 1)
          union all
          (select from spend_transactions where change_address = asked.address limit 1)
          union all
          (select from own_addresses where address = asked.address limit 1)
          limit 1
        ) as ours`.rows(db)
      return new Set(rows.map(({ address }) => address))
    },

    /**
     * Those of the addresses that are ours, on a network without tags: one lookup in a hash index for each. On a network
     * with tags the whole account is ours, so there is nothing to look up.
     */
    async among(keychain: string, addresses: readonly string[]): Promise<Set<string>> {
      if (addresses.length === 0) return new Set()
      // `offset 0` keeps the keychain out of the lookup. With it the planner would use the B-tree, which is three times as
      // slow.
      const rows = await sql<{ address: string }>`
        select ours.address
        from unnest(${addresses}::text[]) as asked (address)
        cross join lateral (
          select keychain, address from deposit_addresses where address = asked.address and tag = '' offset 0
        ) as ours
        where ours.keychain = ${keychain}`.rows(db)
      return new Set(rows.map(({ address }) => address))
    },

    /**
     * The same for lower-case addresses where case does not matter (those that begin with 0x). Returns ours as they were
     * given out.
     */
    async amongLower(keychain: string, addresses: readonly string[]): Promise<Set<string>> {
      if (addresses.length === 0) return new Set()
      const rows = await sql<{ address: string }>`
        select ours.address
        from unnest(${addresses}::text[]) as asked (address)
        cross join lateral (
          select keychain, address from deposit_addresses
          where lower(address) = asked.address and address like '0x%' and tag = '' offset 0
        ) as ours
        where ours.keychain = ${keychain}`.rows(db)
      return new Set(rows.map(({ address }) => address))
    },
  }
}

// Positions end where BIP-32's non-hardened children do, far below the largest integer that a number holds exactly.
function pooled({ position, address, tag, proof }: Row): PooledAddress {
  return { position: Number(position), address, tag: tag === '' ? null : tag, proof }
}
