import type { Caller } from '../../domain/caller.ts'
import { type Db, sql } from '../sql.ts'

/** Test networks that merchants have taken offline, each only for itself. */
export function gatesOfflineOn(db: Db) {
  return {
    async set(caller: Caller, gateId: string, offline: boolean): Promise<void> {
      if (offline) {
        await sql`
          insert into gates_taken_offline (merchant_id, gate_id) values (${caller.merchantId}, ${gateId})
          on conflict do nothing`.run(db)
      } else {
        await sql`
          delete from gates_taken_offline
          where merchant_id = ${caller.merchantId} and gate_id = ${gateId}`.run(db)
      }
    },

    /** The pairs whose gate the merchant has taken offline, as `<merchant> <gate>`. */
    async among(
      pairs: readonly { readonly merchantId: string; readonly gateId: string }[],
    ): Promise<ReadonlySet<string>> {
      const rows = await sql<{ name: string }>`
        select merchant_id || ' ' || gate_id as name from gates_taken_offline
        where (merchant_id, gate_id) in (select * from unnest(
          ${pairs.map(({ merchantId }) => merchantId)}::uuid[], ${pairs.map(({ gateId }) => gateId)}::text[]))`.rows(
        db,
      )
      return new Set(rows.map(({ name }) => name))
    },

    async isOffline(owner: Pick<Caller, 'merchantId'>, gateId: string): Promise<boolean> {
      const found = await sql`
        select from gates_taken_offline
        where merchant_id = ${owner.merchantId} and gate_id = ${gateId}`.run(db)
      return found > 0
    },
  }
}
