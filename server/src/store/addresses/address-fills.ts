import { type Db, sql } from '../sql.ts'

/** Who is filling the pools of deposit addresses: one process at a time for each keychain. */
export function addressFillsOn(db: Db) {
  return {
    /** Takes or keeps the right to fill these pools, for `holdMs`. Returns those that no other process is filling. */
    async hold(keychains: readonly string[], filler: string, holdMs: number): Promise<Set<string>> {
      if (keychains.length === 0) return new Set()
      const rows = await sql<{ keychain: string }>`
        insert into deposit_address_fills as fill (keychain, filler, held_until)
        select keychain, ${filler}::uuid, clock_timestamp() + ${holdMs} * interval '1 millisecond'
        from unnest(${[...new Set(keychains)].sort()}::text[]) as keychain
        on conflict (keychain) do update set filler = excluded.filler, held_until = excluded.held_until
        where fill.filler = excluded.filler or fill.held_until < clock_timestamp()
        returning fill.keychain`.rows(db)
      return new Set(rows.map(({ keychain }) => keychain))
    },

    /** Lets other processes fill these pools again. */
    async release(keychains: readonly string[], filler: string): Promise<void> {
      if (keychains.length === 0) return
      await sql`
        delete from deposit_address_fills
        where keychain = any (${[...keychains]}::text[]) and filler = ${filler}::uuid`.run(db)
    },
  }
}
