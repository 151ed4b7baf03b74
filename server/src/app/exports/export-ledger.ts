import type { Caller } from '../../domain/caller.ts'
import type { LedgerEntry } from '../../store/ledger/ledger.ts'
import type { LedgerFilter } from '../../store/ledger/ledger-list.ts'
import type { LedgerCursor } from '../../store/reports/exports.ts'
import type { App } from '../app.ts'
import { pages } from './pages.ts'

/** The caller's ledger entries, newest first, read lazily in pages. */
export function exportLedger(
  app: Pick<App, 'reading'>,
  caller: Caller,
  filter: LedgerFilter,
): AsyncGenerator<readonly LedgerEntry[]> {
  return pages<LedgerEntry, LedgerCursor>((after, limit) =>
    app.reading((store) => store.exports.ledger(caller, filter, after, limit)),
  )
}
