import type { Caller } from '../../domain/caller.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { ExportFilter, ListCursor } from '../../store/reports/exports.ts'
import type { App } from '../app.ts'
import { pages } from './pages.ts'

/** The caller's invoices, in the order of the filter, read lazily in pages. */
export function exportInvoices(
  app: Pick<App, 'reading'>,
  caller: Caller,
  filter: ExportFilter,
): AsyncGenerator<readonly Invoice[]> {
  return pages<Invoice, ListCursor>((after, limit) =>
    app.reading((store) => store.exports.invoices(caller, filter, after, limit)),
  )
}
