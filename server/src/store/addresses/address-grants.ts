import type { Absent } from '../outer-rows.ts'
import { type Db, sql } from '../sql.ts'

/** Which positions of a keychain may be given: from `first` on and below `below`. `stamp` names the signer's note of it. */
export type AddressGrant = {
  readonly keychain: string
  readonly first: number
  readonly below: number
  readonly stamp: string
}

/** How far a keychain's addresses are given, and what the signer has granted. */
export type AddressState = {
  readonly keychain: string
  readonly given: number
  readonly grant: (Omit<AddressGrant, 'keychain'> & { readonly isAlive: boolean }) | null
}

/** Whether a grant was made for this very database, in its present life, and not loaded from a backup. */
export const isAlive = sql`life = database_life() and deposit_address_grants.xmin::text::bigint = written_by`

// The number of a transaction as rows carry it: without the epoch.
const ownNumber = sql`(pg_current_xact_id()::text::bigint % 4294967296)`

type GrantColumns = { first: bigint; below: bigint; stamp: string; alive: boolean }
type Row = { keychain: string; given: bigint } & (GrantColumns | Absent<GrantColumns>)

export function addressGrantsOn(db: Db) {
  return {
    /** One for each of the keychains, and for those of other chains of the same networks that this database has met. */
    async states(keychains: readonly string[]): Promise<AddressState[]> {
      const rows = await sql<Row>`
        with asked as (select keychain from unnest(${keychains}::text[]) as asked (keychain))
        select keychain, coalesce(given, 0) as given, first, below, stamp, (${isAlive}) as alive
        from (
          select keychain from asked
          union
          select counter.keychain from deposit_address_counters as counter join asked
            on starts_with(counter.keychain, asked.keychain || '-')
          union
          select granted.keychain from deposit_address_grants as granted join asked
            on starts_with(granted.keychain, asked.keychain || '-')
        ) as all_of_them
        left join deposit_address_counters using (keychain)
        left join deposit_address_grants using (keychain)
        order by keychain`.rows(db)
      return rows.map(({ keychain, given, first, below, stamp, alive }) => ({
        keychain,
        given: Number(given),
        grant: first === null ? null : { first: Number(first), below: Number(below), stamp, isAlive: alive },
      }))
    },

    /** Grants, in the database's present life. Whatever was granted of these keychains before counts no more. */
    async put(grants: readonly AddressGrant[]): Promise<void> {
      if (grants.length === 0) return
      await sql`
        insert into deposit_address_grants (keychain, first, below, stamp, life, written_by)
        select keychain, first, below, stamp, database_life(), ${ownNumber}
        from unnest(
          ${grants.map(({ keychain }) => keychain)}::text[], ${grants.map(({ first }) => first)}::bigint[],
          ${grants.map(({ below }) => below)}::bigint[], ${grants.map(({ stamp }) => stamp)}::text[]
        ) as wanted (keychain, first, below, stamp)
        order by keychain
        on conflict (keychain) do update set first = excluded.first, below = excluded.below, stamp = excluded.stamp,
          life = excluded.life, written_by = excluded.written_by`.run(db)
    },

    /** Whether the signer has looked at this database in its present life, if it ever has: it may have been restored. */
    async isLookedAt(keychain: string): Promise<boolean> {
      const found = await sql`
        select from deposit_address_grants where keychain = ${keychain} and not (${isAlive})`.run(db)
      return found === 0
    },

    /** Whether an address of the keychain could be given now, were it made. */
    async mayGive(keychain: string): Promise<boolean> {
      const found = await sql`
        select from deposit_address_grants left join deposit_address_counters using (keychain)
        where keychain = ${keychain} and ${isAlive} and below > greatest(coalesce(given, 0), first)`.run(db)
      return found > 0
    },
  }
}
