import { type Db, sql } from '../sql.ts'

/** The operator's float of a currency on a gate, and what the hot wallet has that no spend has claimed. */
export type FloatRow = {
  readonly gateId: string
  readonly currency: string
  /** Null when nothing was ever posted there. */
  readonly floatUnits: bigint | null
  readonly freeUnits: bigint | null
}

export function floatsOn(db: Db) {
  return {
    /** Every gate and currency with a float or a hot wallet. */
    async list(): Promise<FloatRow[]> {
      return sql<FloatRow>`
        select gate_id as "gateId", currency, float_units as "floatUnits", free_units as "freeUnits" from (
          select network || '-' || environment as gate_id, currency, balance_units as float_units
          from ledger_accounts where kind = 'float'
        ) as float
        full join (select gate_id, currency, units as free_units from hot_balances) as hot using (gate_id, currency)
        order by gate_id, currency`.rows(db)
    },

    /** The operator's float of a currency on a gate, according to the ledger. */
    async of(gateId: string, currency: string): Promise<bigint> {
      const row = await sql<{ units: bigint }>`
        select balance_units as units from ledger_accounts
        where kind = 'float' and network || '-' || environment = ${gateId} and currency = ${currency}`.maybeOne(
        db,
      )
      return row?.units ?? 0n
    },

    /** Whether a gate has payments that no spend has claimed. */
    async hasUnswept(gateId: string): Promise<boolean> {
      const found = await sql`
        select from payments where gate_id = ${gateId} and pinned_by is null limit 1`.run(db)
      return found > 0
    },

    /** Records that a gate's float is too low; false when that is known. */
    async noteLow(gateId: string): Promise<boolean> {
      const changed = await sql`
        insert into float_alerts (gate_id) values (${gateId}) on conflict do nothing returning gate_id`.run(
        db,
      )
      return changed > 0
    },

    /** Records that it is sufficient again; false when it was not known to be low. */
    async noteEnough(gateId: string): Promise<boolean> {
      const changed = await sql`delete from float_alerts where gate_id = ${gateId} returning gate_id`.run(db)
      return changed > 0
    },
  }
}
