import type { GateId } from '../../domain/networks/network.ts'
import { type Db, sql } from '../sql.ts'

/** The nonces of accounts, which the network executes in order: which spends use them, and what blocks them. */
export function noncesOn(db: Db) {
  return {
    /** Gates with an open spend from an account. */
    async gatesWithOpen(): Promise<GateId[]> {
      const rows = await sql<{ gateId: GateId }>`
        select distinct gate_id as "gateId" from spends where status = 'open' and from_address is not null and kind <> 'refill'`.rows(
        db,
      )
      return rows.map(({ gateId }) => gateId)
    },

    /**
     * Records whether an open spend's account has less than the spend sends and costs. Returns for how many milliseconds
     * that has been so; null when the account has enough.
     */
    async noteShort(spendId: string, isShort: boolean): Promise<number | null> {
      const row = await sql<{ shortMs: number | null }>`
        update spends set short_since = case when ${isShort} then coalesce(short_since, clock_timestamp()) end
        where id = ${spendId} and status = 'open'
        returning extract(epoch from clock_timestamp() - short_since)::float8 * 1000 as "shortMs"`.maybeOne(
        db,
      )
      return row?.shortMs ?? null
    },

    /** Whether a nonce of an account belongs to a spend that is not dead, other than this one. */
    async isTaken(gateId: string, address: string, nonce: bigint, butFor: string): Promise<boolean> {
      const found = await sql`
        select from spends where gate_id = ${gateId} and from_address = ${address} and nonce = ${nonce.toString()}
          and status <> 'dead' and id <> ${butFor} limit 1`.run(db)
      return found > 0
    },

    /**
     * The lowest nonce from `from` on and below `below` that no spend of an account uses or has used, dead ones aside; null
     * when there is none.
     */
    async unused(gateId: string, address: string, from: bigint, below: bigint): Promise<bigint | null> {
      const row = await sql<{ unused: bigint }>`
        select unused from generate_series(${from.toString()}::bigint, ${below.toString()}::bigint - 1) as unused
        where not exists (select from spends where gate_id = ${gateId} and from_address = ${address}
          and nonce = unused and status <> 'dead')
        order by unused limit 1`.maybeOne(db)
      return row?.unused ?? null
    },

    /** Why the signer refuses to sign for an account, which blocks its later nonces; null when it does not refuse. */
    async refusalOf(gateId: string, address: string): Promise<string | null> {
      const row = await sql<{ refusal: string }>`
        select refusal from spend_transactions join spends on spends.id = spend_id
        where gate_id = ${gateId} and from_address = ${address} and status = 'open' and bytes is null
          and refusal is not null
          and not exists (select from spend_transactions as other where other.spend_id = spends.id and other.bytes is not null)
        order by nonce, attempt desc limit 1`.maybeOne(db)
      return row?.refusal ?? null
    },
  }
}
