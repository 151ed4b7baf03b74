import { divide, formatFixed } from '../../domain/money.ts'
import type { DailyOutcome, InvoiceOutcome, PaidWithin } from '../../store/reports/daily-figures.ts'

/** What has become of the invoices created over some days. */
export type Outcomes = Readonly<Record<InvoiceOutcome, number>> & {
  readonly created: number
  /** The paid ones of those that were paid or expired, to four decimals, rounded down; null if there are neither. */
  readonly share: string | null
}

const shareDigits = 4

/** Counts the invoices that were created on these days, the first and the last included. */
export function countOutcomes(
  rows: readonly DailyOutcome[],
  { from, to }: { readonly from: string; readonly to: string },
): Outcomes {
  const counts = { open: 0, paid: 0, expired: 0, cancelled: 0 }
  for (const { day, outcome, invoices } of rows) if (day >= from && day <= to) counts[outcome] += invoices
  const { open, paid, expired, cancelled } = counts
  return {
    ...counts,
    created: open + paid + expired + cancelled,
    share: paid + expired === 0 ? null : shareOf(paid, paid + expired),
  }
}

function shareOf(part: number, whole: number): string {
  const scaled = divide(BigInt(part) * 10n ** BigInt(shareDigits), BigInt(whole), 'down')
  return formatFixed(scaled, shareDigits)
}

/** The least time within which at least half were paid; null if there are none. */
export function medianSeconds(rows: readonly PaidWithin[]): number | null {
  const all = rows.reduce((sum, { invoices }) => sum + invoices, 0)
  let seen = 0
  for (const { seconds, invoices } of rows.toSorted((one, other) => one.seconds - other.seconds)) {
    seen += invoices
    if (seen > 0 && seen * 2 >= all) return seconds
  }
  return null
}
