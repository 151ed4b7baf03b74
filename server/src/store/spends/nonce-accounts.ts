import { type Db, sql } from '../sql.ts'

/** The nonce accounts of hot wallets, by index: one transaction at a time holds one. */
export function nonceAccountsOn(db: Db) {
  return {
    /** Those that an open spend holds or creates. */
    async held(gateId: string): Promise<ReadonlySet<number>> {
      const rows = await sql<{ index: number }>`
        select nonce_account as index from spends
        where gate_id = ${gateId} and status = 'open' and nonce_account is not null`.rows(db)
      return new Set(rows.map(({ index }) => index))
    },

    /** Which of these are held by no open spend, and have a value that no spend has used, dead ones aside. */
    async free(gateId: string, values: ReadonlyMap<number, string>): Promise<ReadonlySet<number>> {
      const rows = await sql<{ index: number }>`
        select asked.index from unnest(${[...values.keys()]}::integer[], ${[...values.values()]}::text[]) as asked (index, value)
        where not exists (select from spends where gate_id = ${gateId} and nonce_account = asked.index
          and (status = 'open' or (status <> 'dead' and nonce_value = asked.value)))`.rows(db)
      return new Set(rows.map(({ index }) => index))
    },
  }
}
