import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { InvoiceWithPayments, WantedInvoice } from '../../store/invoices/invoices.ts'
import type { App } from '../app.ts'
import { batch } from '../batch.ts'

const maxBatch = 128
const maxRunning = 2

export function noSuchInvoice(): ServiceError {
  return new ServiceError('not_found', 'There is no such invoice.')
}

/** Makes the use case: one invoice of the caller with its payments. Concurrent calls share statements. */
export function invoiceGetter(
  app: Pick<App, 'store'>,
): (caller: Caller, id: string) => Promise<InvoiceWithPayments> {
  const find = batch((wanted: readonly WantedInvoice[]) => app.store.invoices.findMany(wanted), {
    maxBatch,
    maxRunning,
  })
  return async ({ merchantId, environment }, id) => {
    const found = await find({ id, merchantId, environment })
    if (found === null) throw noSuchInvoice()
    return found
  }
}
