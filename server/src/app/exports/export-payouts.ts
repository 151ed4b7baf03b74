import type { Caller } from '../../domain/caller.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { ExportFilter, ListCursor } from '../../store/reports/exports.ts'
import type { App } from '../app.ts'
import { pages } from './pages.ts'

/** The caller's payouts, including those of refunds, in the order of the filter, read lazily in pages. */
export function exportPayouts(
  app: Pick<App, 'reading'>,
  caller: Caller,
  filter: ExportFilter,
): AsyncGenerator<readonly Payout[]> {
  return pages<Payout, ListCursor>((after, limit) =>
    app.reading((store) => store.exports.payouts(caller, filter, after, limit)),
  )
}
