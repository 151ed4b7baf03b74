import type { Caller } from '../../domain/caller.ts'
import type { Page } from '../../domain/page.ts'
import { valueAsRecorded } from '../../domain/pricing.ts'
import type { LedgerEntry } from '../../store/ledger/ledger.ts'
import type { RecordedValue } from '../../store/ledger/recorded-values.ts'
import type { Store } from '../../store/store.ts'

export type ValuedEntry = LedgerEntry & {
  /** In minor units of the base currency; null where no rate was recorded. */
  readonly amountInBaseCurrency: bigint | null
  readonly baseCurrency: string | null
}

/** Adds to ledger entries what they were worth by the rate that their invoice, payout or refund was made with. */
export async function valueEntries(
  { recordedValues }: Pick<Store, 'recordedValues'>,
  caller: Caller,
  page: Page<LedgerEntry>,
): Promise<Page<ValuedEntry>> {
  const ids = new Set(page.rows.flatMap(({ referenceId }) => (referenceId === null ? [] : [referenceId])))
  const recorded = new Map((await recordedValues.of(caller, [...ids])).map((value) => [value.id, value]))
  return { ...page, rows: page.rows.map((entry) => valued(entry, recorded.get(entry.referenceId ?? ''))) }
}

/** A payer may have chosen another coin since: that one's value says nothing about this entry. */
function valued(entry: LedgerEntry, recorded: RecordedValue | undefined): ValuedEntry {
  if (recorded === undefined || recorded.currency !== entry.currency || recorded.network !== entry.network)
    return { ...entry, amountInBaseCurrency: null, baseCurrency: null }
  const units = entry.units < 0n ? -entry.units : entry.units
  const { baseCurrency } = recorded
  return { ...entry, amountInBaseCurrency: valueAsRecorded(units, recorded), baseCurrency }
}
