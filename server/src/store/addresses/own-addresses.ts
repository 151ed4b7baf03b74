import { type Db, sql } from '../sql.ts'

/** One of our own addresses, which change goes to, with its position. */
export type OwnAddress = { readonly position: number; readonly address: string }

/** The change addresses that an earlier database may have used. All others are known from the spends that use them. */
export function ownAddressesOn(db: Db) {
  return {
    /** How many addresses of a keychain are known: those at all lower positions. */
    async count(keychain: string): Promise<number> {
      const { next } = await sql<{ next: bigint | null }>`
        select max(position) + 1 as next from own_addresses where keychain = ${keychain}`.one(db)
      return Number(next ?? 0n)
    },

    /** Adds addresses from position `from` on. Known ones stay as they are. */
    async add(keychain: string, from: number, addresses: readonly string[]): Promise<void> {
      await sql`
        insert into own_addresses (keychain, position, address)
        select ${keychain}, ${from} + own.nth - 1, own.address
        from unnest(${[...addresses]}::text[]) with ordinality as own (address, nth)
        on conflict (keychain, position) do nothing`.run(db)
    },

    /** Those of the addresses that are known. */
    async among(keychain: string, addresses: readonly string[]): Promise<Set<string>> {
      return new Set((await find(keychain, addresses)).map(({ address }) => address))
    },

    find,
  }

  /** The same, with their positions. */
  async function find(keychain: string, addresses: readonly string[]): Promise<OwnAddress[]> {
    if (addresses.length === 0) return []
    // An index lookup for each, even with a cached plan from when the table was empty.
    const rows = await sql<{ position: bigint; address: string }>`
      select own.position, own.address
      from unnest(${[...new Set(addresses)]}::text[]) as asked (address)
      cross join lateral (
        select position, address from own_addresses
        where address = asked.address and keychain = ${keychain}
        order by address, keychain limit 1
      ) as own`.rows(db)
    return rows.map(({ position, address }) => ({ position: Number(position), address }))
  }
}
