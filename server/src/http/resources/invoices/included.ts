import type { InvoiceWithIncluded as InvoiceWithIncludedView } from '@sluice/sdk/contract'
import type { App } from '../../../app/app.ts'
import { invalid } from '../../../app/choose-asset.ts'
import type { Caller } from '../../../domain/caller.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { Invoice } from '../../../domain/invoices.ts'
import type { Store } from '../../../store/store.ts'
import { refundView } from '../payouts/refund-view.ts'
import { type InvoiceViewer, invoiceWithPaymentsView } from './view.ts'

type Part = 'payments' | 'refunds'

/** What a request wants beside the invoices; throws if it is not available, or the caller may not see it. */
export function includedBy<P extends Part>(
  caller: Caller,
  { include = '' }: { readonly include?: string },
  parts: readonly P[],
): ReadonlySet<P> {
  const named = include.split(',').filter((name) => name !== '')
  const unknown = named.find((name) => !parts.includes(name as P))
  if (unknown !== undefined) throw invalid(`/include: must be one or more of ${parts.join(', ')}`)
  if (named.includes('refunds') && !caller.permissions.has('refunds:read'))
    throw new ServiceError(
      'forbidden',
      'This key lacks the permission refunds:read. Use a key that has it, or leave refunds out of include.',
    )
  return new Set(named as P[])
}

/** The refunds of each of these invoices, as answers show them. */
export async function refundsOf(
  app: Pick<App, 'assets'>,
  store: Store,
  caller: Caller,
  ids: readonly string[],
): Promise<(id: string) => ReturnType<typeof refundView>[]> {
  const refunds = Map.groupBy(await store.refunds.ofInvoices(caller, ids), ({ invoiceId }) => invoiceId)
  return (id) => (refunds.get(id) ?? []).map((refund) => refundView(app.assets, refund))
}

/** Shows the invoices of a page with what the request wants beside them. */
export async function withIncluded(
  app: Pick<App, 'assets'>,
  store: Store,
  caller: Caller,
  included: ReadonlySet<Part>,
  invoices: readonly Invoice[],
  view: InvoiceViewer,
): Promise<InvoiceWithIncludedView[]> {
  const { merchantId, environment } = caller
  const ids = invoices.map(({ id }) => id)
  const refunds = included.has('refunds') ? await refundsOf(app, store, caller, ids) : null
  const found = included.has('payments')
    ? await store.invoices.findMany(ids.map((id) => ({ id, merchantId, environment })))
    : null
  return invoices.map((invoice, at) => {
    const whole = found?.[at] ?? null
    const shown: InvoiceWithIncludedView =
      whole === null ? view(invoice) : invoiceWithPaymentsView(app.assets, view, whole)
    return refunds === null ? shown : { ...shown, refunds: refunds(invoice.id) }
  })
}
