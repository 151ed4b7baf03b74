import { type Db, sql } from '../sql.ts'
import type { Check } from './audit-check.ts'
import { figureChecks } from './audit-figures.ts'
import { ledgerChecks } from './audit-ledger.ts'
import { paymentChecks } from './audit-payments.ts'
import { payoutChecks } from './audit-payouts.ts'
import { spendChecks } from './audit-spends.ts'
import { totalChecks } from './audit-totals.ts'

export type CheckResult = {
  readonly promise: string
  /** The first rows that break the promise, in plain words with ids and amounts. */
  readonly differences: readonly string[]
  /** How many there are in all. */
  readonly total: number
}

// Enough to see what is wrong, even when there are thousands.
const maxNamed = 20

const checks: readonly Check[] = [
  ...ledgerChecks,
  ...paymentChecks,
  ...payoutChecks,
  ...spendChecks,
  ...totalChecks,
  ...figureChecks,
]

export function auditOn(db: Db) {
  return {
    /**
     * Recomputes everything that the database keeps, each promise in one query and all of them in one snapshot. A
     * transaction that a running service commits meanwhile is seen completely or not at all.
     */
    async run(): Promise<CheckResult[]> {
      return db.snapshot(async (tx) => {
        // Reading large books takes longer than a request may.
        await sql`set local statement_timeout = 0`.run(tx)
        const results: CheckResult[] = []
        for (const { promise, differences } of checks) {
          const rows = await sql<{ difference: string; total: bigint }>`
              select difference, count(*) over () as total from (${differences}) as found
              order by difference limit ${maxNamed}`.rows(tx)
          results.push({
            promise,
            differences: rows.map(({ difference }) => difference),
            total: Number(rows[0]?.total ?? 0n),
          })
        }
        return results
      })
    },
  }
}
