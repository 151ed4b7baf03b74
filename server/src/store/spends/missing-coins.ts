import { type Db, sql } from '../sql.ts'

/** A coin, identified by its output. */
export type CoinPlace = { readonly txHash: string; readonly outputIndex: number }

/** Whether the node has reported the coin in a row of this table as missing. */
export const isMissing = (table: 'payments' | 'coin') => sql`exists (
  select from missing_coins as missing where missing.gate_id = ${sql.ref(table, 'gate_id')}
    and missing.tx_hash = ${sql.ref(table, 'tx_hash')}
    and missing.output_index = ${sql.ref(table, 'output_index')})`

/** Coins that are in the books but not on the chain. */
export function missingCoinsOn(db: Db) {
  return {
    /** Records missing coins. Returns those that were not recorded before. */
    async note(gateId: string, coins: readonly CoinPlace[]): Promise<CoinPlace[]> {
      if (coins.length === 0) return []
      return sql<CoinPlace>`
        insert into missing_coins (gate_id, tx_hash, output_index)
        select ${gateId}, tx_hash, output_index from unnest(
          ${coins.map(({ txHash }) => txHash)}::text[], ${coins.map(({ outputIndex }) => outputIndex)}::integer[]
        ) as coin (tx_hash, output_index)
        on conflict do nothing
        returning tx_hash as "txHash", output_index as "outputIndex"`.rows(db)
    },

    /** Removes coins that are on the chain after all. */
    async forget(gateId: string, coins: readonly CoinPlace[]): Promise<void> {
      if (coins.length === 0) return
      await sql`
        delete from missing_coins using unnest(
          ${coins.map(({ txHash }) => txHash)}::text[], ${coins.map(({ outputIndex }) => outputIndex)}::integer[]
        ) as coin (tx_hash, output_index)
        where gate_id = ${gateId} and missing_coins.tx_hash = coin.tx_hash
          and missing_coins.output_index = coin.output_index`.run(db)
    },
  }
}
