import type { Absent } from '../outer-rows.ts'
import { spendPlanned } from '../spends/announcements.ts'
import { type Db, sql } from '../sql.ts'

/**
 * The positions of a keychain that may be given out: from `first` up to but not including `below`. `stamp` identifies the
 * signer's record of the grant.
 */
export type AddressGrant = {
  readonly keychain: string
  readonly first: number
  readonly below: number
  readonly stamp: string
}

/** Up to which position a keychain's addresses are given out, and what the signer has granted. */
export type AddressState = {
  readonly keychain: string
  readonly given: number
  readonly grant: (Omit<AddressGrant, 'keychain'> & { readonly isAlive: boolean }) | null
}

/** Whether a grant was made for this database in its present life, and not restored from a backup. */
export const isAlive = sql`life = database_life() and deposit_address_grants.xmin::text::bigint = written_by`

// The id of this transaction as rows store it in xmin: without the epoch.
const ownXid = sql`(pg_current_xact_id()::text::bigint % 4294967296)`

type GrantColumns = { first: bigint; below: bigint; stamp: string; alive: boolean }
type Row = { keychain: string; given: bigint } & (GrantColumns | Absent<GrantColumns>)

export function addressGrantsOn(db: Db) {
  return {
    /** One for each of the keychains, and for those of other chains of the same networks that this database has seen. */
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

    /** Grants positions, in the database's present life. Replaces all earlier grants of these keychains. */
    async put(grants: readonly AddressGrant[]): Promise<void> {
      if (grants.length === 0) return
      await sql`
        insert into deposit_address_grants (keychain, first, below, stamp, life, written_by)
        select keychain, first, below, stamp, database_life(), ${ownXid}
        from unnest(
          ${grants.map(({ keychain }) => keychain)}::text[], ${grants.map(({ first }) => first)}::bigint[],
          ${grants.map(({ below }) => below)}::bigint[], ${grants.map(({ stamp }) => stamp)}::text[]
        ) as wanted (keychain, first, below, stamp)
        order by keychain
        on conflict (keychain) do update set first = excluded.first, below = excluded.below, stamp = excluded.stamp,
          life = excluded.life, written_by = excluded.written_by`.run(db)
    },

    /**
     * False while a grant of the keychain is left over from an earlier life of the database: the database may have been
     * restored, and the signer has not checked it since.
     */
    async isLookedAt(keychain: string): Promise<boolean> {
      const found = await sql`
        select from deposit_address_grants where keychain = ${keychain} and not (${isAlive})`.run(db)
      return found === 0
    },

    /** Whether the grant allows another address of the keychain to be given out, even if that one is not derived yet. */
    async mayGive(keychain: string): Promise<boolean> {
      const found = await sql`
        select from deposit_address_grants left join deposit_address_counters using (keychain)
        where keychain = ${keychain} and ${isAlive} and below > greatest(coalesce(given, 0), first)`.run(db)
      return found > 0
    },

    /** Wakes the signer, which may be resting, to grant more. */
    async ask(): Promise<void> {
      await sql`select pg_notify(${spendPlanned}, '')`.run(db)
    },
  }
}
