import type { Caller } from '../../domain/caller.ts'
import type { Environment } from '../../domain/environment.ts'
import { type Db, sql } from '../sql.ts'

/** A merchant's balance of one asset. */
export type AssetBalance = {
  readonly currency: string
  readonly network: string
  readonly decimals: number
  readonly availableUnits: bigint
  readonly reservedUnits: bigint
  readonly pendingUnits: bigint
  readonly receivedUnits: bigint
  readonly feeUnits: bigint
  readonly paidOutUnits: bigint
}

/** A change of a merchant's totals of one asset. */
export type TotalsChange = {
  readonly merchantId: string
  readonly environment: Environment
  readonly currency: string
  readonly network: string
  readonly decimals: number
  readonly pendingUnits: bigint
  readonly receivedUnits: bigint
  readonly feeUnits: bigint
  readonly paidOutUnits?: bigint
}

export function balancesOn(db: Db) {
  return {
    /** By currency, then network. */
    async list(caller: Caller): Promise<AssetBalance[]> {
      return sql<AssetBalance>`
        select totals.currency, totals.network, totals.decimals,
          coalesce(available.balance_units, 0) as "availableUnits",
          coalesce(reserved.balance_units, 0) as "reservedUnits",
          totals.pending_units as "pendingUnits", totals.received_units as "receivedUnits",
          totals.fee_units as "feeUnits", totals.paid_out_units as "paidOutUnits"
        from merchant_totals as totals
        left join ledger_accounts as available on available.kind = 'available'
          and available.merchant_id = totals.merchant_id and available.environment = totals.environment
          and available.currency = totals.currency and available.network = totals.network
        left join ledger_accounts as reserved on reserved.kind = 'reserved'
          and reserved.merchant_id = totals.merchant_id and reserved.environment = totals.environment
          and reserved.currency = totals.currency and reserved.network = totals.network
        where totals.merchant_id = ${caller.merchantId} and totals.environment = ${caller.environment}
        order by totals.currency, totals.network`.rows(db)
    },

    /** A merchant's available balance of an asset right now, without locking it. */
    async available(
      of: Pick<TotalsChange, 'merchantId' | 'environment' | 'currency' | 'network'>,
    ): Promise<bigint> {
      const row = await sql<{ units: bigint }>`
        select balance_units as units from ledger_accounts
        where kind = 'available' and merchant_id = ${of.merchantId} and environment = ${of.environment}
          and currency = ${of.currency} and network = ${of.network}`.maybeOne(db)
      return row?.units ?? 0n
    },

    /** Updates the totals. A transaction takes these locks last, in an order that all callers share. */
    async change(changes: readonly TotalsChange[]): Promise<void> {
      const merged = new Map<string, TotalsChange>()
      for (const change of changes) {
        const name = `${change.merchantId} ${change.environment} ${change.currency} ${change.network}`
        const held = merged.get(name)
        merged.set(name, {
          ...change,
          pendingUnits: change.pendingUnits + (held?.pendingUnits ?? 0n),
          receivedUnits: change.receivedUnits + (held?.receivedUnits ?? 0n),
          feeUnits: change.feeUnits + (held?.feeUnits ?? 0n),
          paidOutUnits: (change.paidOutUnits ?? 0n) + (held?.paidOutUnits ?? 0n),
        })
      }
      if (merged.size === 0) return
      const rows = [...merged]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, change]) => ({
          merchant_id: change.merchantId,
          environment: change.environment,
          currency: change.currency,
          network: change.network,
          decimals: change.decimals,
          pending_units: change.pendingUnits.toString(),
          received_units: change.receivedUnits.toString(),
          fee_units: change.feeUnits.toString(),
          paid_out_units: (change.paidOutUnits ?? 0n).toString(),
        }))
      await sql`
        insert into merchant_totals as totals (merchant_id, environment, currency, network, decimals, pending_units,
          received_units, fee_units, paid_out_units)
        select merchant_id, environment, currency, network, decimals, pending_units, received_units, fee_units,
          paid_out_units
        from json_populate_recordset(null::merchant_totals, ${JSON.stringify(rows)}::json)
        order by merchant_id, environment, currency, network
        on conflict (merchant_id, environment, currency, network) do update set
          pending_units = totals.pending_units + excluded.pending_units,
          received_units = totals.received_units + excluded.received_units,
          fee_units = totals.fee_units + excluded.fee_units,
          paid_out_units = totals.paid_out_units + excluded.paid_out_units`.run(db)
    },
  }
}
