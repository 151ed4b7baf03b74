import type { Caller } from '../../domain/caller.ts'
import { type Db, sql } from '../sql.ts'

/** What an invoice, payout or refund was worth when it was made. */
export type RecordedValue = {
  readonly id: string
  readonly currency: string
  readonly network: string
  readonly amountUnits: bigint
  readonly amountInBaseCurrency: bigint
  readonly baseCurrency: string
}

export function recordedValuesOn(db: Db) {
  return {
    /** The values of those of the caller's invoices, payouts and refunds with these ids that had a rate. */
    async of(
      { merchantId, environment }: Pick<Caller, 'merchantId' | 'environment'>,
      ids: readonly string[],
    ): Promise<RecordedValue[]> {
      if (ids.length === 0) return []
      const wanted = (table: 'invoices' | 'payouts' | 'refunds') => {
        const own = (column: string) => sql.ref(table, column)
        return sql`${own('id')} = any(${ids}::uuid[]) and ${own('merchant_id')} = ${merchantId}
          and ${own('environment')} = ${environment}`
      }
      return sql<RecordedValue>`
        select id, currency, network, amount_units as "amountUnits",
          amount_in_base_currency as "amountInBaseCurrency", base_currency as "baseCurrency"
        from invoices where ${wanted('invoices')} and amount_in_base_currency is not null
        union all
        select id, currency, network, amount_units, amount_in_base_currency, base_currency
        from payouts where ${wanted('payouts')} and amount_in_base_currency is not null
        union all
        select refunds.id, payouts.currency, payouts.network, payouts.amount_units, payouts.amount_in_base_currency,
          payouts.base_currency
        from refunds join payouts on payouts.id = refunds.payout_id
        where ${wanted('refunds')} and payouts.amount_in_base_currency is not null`.rows(db)
    },
  }
}
