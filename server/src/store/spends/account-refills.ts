import type { GateId } from '../../domain/networks/network.ts'
import { type Db, sql } from '../sql.ts'

/** What the books hold of a refill from an account. */
export type RefillBooking = { readonly booking: number; readonly coldFeeUnits: bigint }

/** Refills from cold wallets that are accounts. Their address and nonce identify them. */
export function accountRefillsOn(db: Db) {
  return {
    /** Inserts a refill after its spend. */
    async insert(refill: { spendId: string; gasTip: bigint; preparedBy: string }): Promise<void> {
      await sql`
        insert into refills (spend_id, gas_tip, prepared_by)
        values (${refill.spendId}, ${refill.gasTip.toString()}, ${refill.preparedBy})`.run(db)
    },

    /** The tip that was written to the file of a refill from an account; null for any other spend. */
    async tipOf(spendId: string): Promise<bigint | null> {
      const row = await sql<{ gasTip: bigint | null }>`
        select gas_tip as "gasTip" from refills where spend_id = ${spendId}`.maybeOne(db)
      return row?.gasTip ?? null
    },

    /** The open refill of a gate; there is at most one. */
    async openOn(gateId: string): Promise<string | null> {
      const row = await sql<{ id: string }>`
        select id from spends where gate_id = ${gateId} and kind = 'refill' and status = 'open'
          and from_address is not null limit 1`.maybeOne(db)
      return row?.id ?? null
    },

    /** When a refill was prepared, who prepared it, and what the node said when it was last sent. */
    async origin(
      spendId: string,
    ): Promise<{ readonly preparedAt: Date; readonly preparedBy: string; readonly answer: string | null }> {
      return sql<{ preparedAt: Date; preparedBy: string; answer: string | null }>`
        select created_at as "preparedAt", prepared_by as "preparedBy", (
          select answer from spend_transactions as sent where sent.spend_id = spends.id and last_sent_at is not null
          order by attempt desc limit 1) as answer
        from refills join spends on spends.id = refills.spend_id where refills.spend_id = ${spendId}`.one(db)
    },

    /** The newest refill of these gates that used a nonce of an account, however it ended; null when there is none. */
    async at(gateIds: readonly string[], address: string, nonce: bigint): Promise<string | null> {
      const row = await sql<{ id: string }>`
        select id from spends where gate_id = any(${[...gateIds]}::text[]) and kind = 'refill'
          and from_address = ${address} and nonce = ${nonce.toString()}
        order by status = 'open' desc, created_at desc, id desc limit 1`.maybeOne(db)
      return row?.id ?? null
    },

    /** The refill that a transaction belongs to; null when it is of none. */
    async withHash(hash: string): Promise<string | null> {
      const row = await sql<{ id: string }>`
        select spends.id from spend_transactions join spends on spends.id = spend_id
        where tx_hash = ${hash} and kind = 'refill' and from_address is not null limit 1`.maybeOne(db)
      return row?.id ?? null
    },

    /** Open refills of a gate of which no signed transaction is known. */
    async unsigned(gateId: string): Promise<string[]> {
      const rows = await sql<{ id: string }>`
        select id from spends
        where gate_id = ${gateId} and kind = 'refill' and status = 'open' and from_address is not null
          and not exists (select from spend_transactions where spend_id = spends.id and bytes is not null)
        order by created_at, id`.rows(db)
      return rows.map(({ id }) => id)
    },

    /** Transactions that brought a refill's currency to where it goes, since it was prepared: it may be one of them. */
    async hints(spendId: string, limit: number): Promise<string[]> {
      const rows = await sql<{ hash: string }>`
        select payments.tx_hash as hash from spends join payments on payments.gate_id = spends.gate_id
          and payments.address = to_address and payments.currency = spends.currency
        where spends.id = ${spendId} and payments.block_height is not null and payments.seen_at >= spends.created_at
        order by payments.seen_at limit ${limit}`.rows(db)
      return [...new Set(rows.map(({ hash }) => hash))]
    },

    /** What the books have of a currency in the cold wallet of a gate. */
    async coldUnits(gateId: GateId, currency: string): Promise<bigint> {
      const row = await sql<{ units: bigint }>`
        select coalesce(-sum(balance_units), 0) as units from ledger_accounts
        where kind = 'cold' and network || '-' || environment = ${gateId} and currency = ${currency}`.one(db)
      return row.units
    },

    /**
     * Notes a booking of a locked refill, with what the fee takes from the cold wallet's books. Returns which one it is, from 1.
     */
    async book(spendId: string, coldFeeUnits: bigint): Promise<number> {
      const { booking } = await sql<{ booking: number }>`
        insert into refill_bookings (spend_id, booking, cold_fee_units)
        select ${spendId}, coalesce(max(booking), 0) + 1, ${coldFeeUnits.toString()}
        from refill_bookings where spend_id = ${spendId} returning booking`.one(db)
      return booking
    },

    /** The newest booking of a refill that was booked. */
    async newestBooking(spendId: string): Promise<RefillBooking> {
      return sql<RefillBooking>`
        select booking, cold_fee_units as "coldFeeUnits" from refill_bookings where spend_id = ${spendId}
        order by booking desc limit 1`.one(db)
    },

    /** Opens an ended refill again, whose booking the caller has reversed: the chain has decided otherwise. */
    async reopen(spendId: string): Promise<void> {
      await sql`
        update spends set status = 'open', ended_at = null, mined_hash = null, block_height = null, block_hash = null,
          fee_units = null, undone_reason = null, look_at = clock_timestamp()
        where id = ${spendId} and kind = 'refill' and status <> 'open'`.run(db)
    },
  }
}
