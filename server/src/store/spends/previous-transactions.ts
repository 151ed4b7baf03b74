import type { BlockRef, PlainTransaction } from '../../domain/chain.ts'
import { type Db, sql } from '../sql.ts'

/** A transaction whose bytes are not stored, and the block that holds it. */
export type LackingTransaction = { readonly hash: string; readonly block: BlockRef }

type LackingRow = { readonly hash: string; readonly height: bigint; readonly blockHash: string }

/** Whether the node could not show the transaction that made the payment in a row of `payments`. */
export const isUnproven = sql`exists (
  select from previous_transactions as previous where previous.gate_id = payments.gate_id
    and previous.tx_hash = payments.tx_hash and previous.bytes is null)`

const isLacking = sql`not exists (
  select from previous_transactions as previous where previous.gate_id = payments.gate_id
    and previous.tx_hash = payments.tx_hash)`

const lackingColumns = sql`
  payments.tx_hash as hash, payments.block_height as height, payments.block_hash as "blockHash"`

/** The transactions that made our coins. Those of our change are the signed bytes of their spends. */
export function previousTransactionsOn(db: Db) {
  return {
    /** Stores transactions, in place of what is stored for them. */
    async add(gateId: string, transactions: readonly PlainTransaction[]): Promise<void> {
      if (transactions.length === 0) return
      const unique = [...new Map(transactions.map(({ hash, bytes }) => [hash, bytes]))]
      await sql`
        insert into previous_transactions as previous (gate_id, tx_hash, bytes)
        select ${gateId}, tx_hash, bytes from unnest(
          ${unique.map(([hash]) => hash)}::text[], ${unique.map(([, bytes]) => bytes)}::bytea[]
        ) as made (tx_hash, bytes)
        on conflict (gate_id, tx_hash) do update set bytes = excluded.bytes, asked_at = null
        where previous.bytes is distinct from excluded.bytes`.run(db)
    },

    /** Of these transactions, those that paid us and are not stored. */
    async lackingOf(gateId: string, hashes: readonly string[]): Promise<LackingTransaction[]> {
      if (hashes.length === 0) return []
      const rows = await sql<LackingRow>`
        select distinct ${lackingColumns} from payments
        where gate_id = ${gateId} and tx_hash = any(${[...new Set(hashes)]}::text[]) and block_hash is not null
          and ${isLacking}`.rows(db)
      return rows.map(lackingFrom)
    },

    /**
     * Transactions to ask the node for once more: those of coins in open spends that are not stored, and those that the node
     * could not show at least this long ago.
     */
    async toAskAgain(gateId: string, sinceMs: number, limit: number): Promise<LackingTransaction[]> {
      const rows = await sql<LackingRow>`
        select ${lackingColumns} from spends join payments on payments.pinned_by = spends.id
        where spends.gate_id = ${gateId} and spends.status = 'open' and payments.block_hash is not null
          and ${isLacking}
        union
        select ${lackingColumns} from previous_transactions as asked
        join payments on payments.gate_id = asked.gate_id and payments.tx_hash = asked.tx_hash
        where asked.gate_id = ${gateId} and asked.bytes is null and payments.block_hash is not null
          and asked.asked_at <= clock_timestamp() - ${sinceMs} * interval '1 millisecond'
        limit ${limit}`.rows(db)
      return rows.map(lackingFrom)
    },

    /** Whether the node could not show the transaction of any coin. */
    async hasUnavailable(gateId: string): Promise<boolean> {
      const found = await sql`
        select from previous_transactions where gate_id = ${gateId} and bytes is null limit 1`.run(db)
      return found > 0
    },

    /** Records that the node could not show these transactions. Returns those for which it was not recorded before. */
    async noteUnavailable(gateId: string, hashes: readonly string[]): Promise<string[]> {
      if (hashes.length === 0) return []
      const rows = await sql<{ hash: string; isNew: boolean }>`
        insert into previous_transactions as previous (gate_id, tx_hash, asked_at)
        select ${gateId}, tx_hash, clock_timestamp() from unnest(${[...new Set(hashes)]}::text[]) as asked (tx_hash)
        on conflict (gate_id, tx_hash) do update set asked_at = excluded.asked_at where previous.bytes is null
        returning tx_hash as hash, xmax = 0 as "isNew"`.rows(db)
      return rows.filter(({ isNew }) => isNew).map(({ hash }) => hash)
    },
  }
}

function lackingFrom({ hash, height, blockHash }: LackingRow): LackingTransaction {
  return { hash, block: { height, hash: blockHash } }
}
