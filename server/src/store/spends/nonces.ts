import type { GateId } from '../../domain/networks/network.ts'
import { type Db, sql } from '../sql.ts'

/** The numbers of accounts, which the network takes in turn: whose they are, and what holds them up. */
export function noncesOn(db: Db) {
  return {
    /** Gates on which something of an account is on its way. */
    async gatesWithOpen(): Promise<GateId[]> {
      const rows = await sql<{ gateId: GateId }>`
        select distinct gate_id as "gateId" from spends where status = 'open' and from_address is not null`.rows(
        db,
      )
      return rows.map(({ gateId }) => gateId)
    },

    /** Notes whether an open spend's account has less than it sends and pays; for how many milliseconds by now, null when it has enough. */
    async noteShort(spendId: string, isShort: boolean): Promise<number | null> {
      const row = await sql<{ shortMs: number | null }>`
        update spends set short_since = case when ${isShort} then coalesce(short_since, clock_timestamp()) end
        where id = ${spendId} and status = 'open'
        returning extract(epoch from clock_timestamp() - short_since)::float8 * 1000 as "shortMs"`.maybeOne(
        db,
      )
      return row?.shortMs ?? null
    },

    /** Whether a number of an account belongs to a spend that is not dead, other than this one. */
    async isTaken(gateId: string, address: string, nonce: bigint, butFor: string): Promise<boolean> {
      const found = await sql`
        select from spends where gate_id = ${gateId} and from_address = ${address} and nonce = ${nonce.toString()}
          and status <> 'dead' and id <> ${butFor} limit 1`.run(db)
      return found > 0
    },

    /** The lowest number from `from` on and below `below` that no spend of an account uses or has used; null when there is none. */
    async unused(gateId: string, address: string, from: bigint, below: bigint): Promise<bigint | null> {
      const row = await sql<{ number: bigint }>`
        select number from generate_series(${from.toString()}::bigint, ${below.toString()}::bigint - 1) as number
        where not exists (select from spends where gate_id = ${gateId} and from_address = ${address}
          and nonce = number and status <> 'dead')
        order by number limit 1`.maybeOne(db)
      return row?.number ?? null
    },

    /** Why the signer does not sign for an account, whose later numbers have to wait for that one; null when it does. */
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
