import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { type Invoice, invoiceTransitions } from '../../domain/invoices.ts'
import { nextState } from '../../domain/transitions.ts'
import type { App } from '../app.ts'
import { noteActOf } from '../audit/note-act.ts'
import { noSuchInvoice } from './get-invoice.ts'
import { invoiceDetails } from './invoice-details.ts'

/** Cancels a pending invoice for which no payment was seen on chain. A later payment becomes a late deposit. */
export async function cancelInvoice(app: App, caller: Caller, id: string): Promise<Invoice> {
  return app.transaction(async (tx) => {
    const held = await tx.invoices.lock(caller, id)
    if (held === null) throw noSuchInvoice()
    const { status } = held.invoice
    if (nextState(invoiceTransitions, status, 'cancel') === null)
      throw new ServiceError('conflict', `Only a pending invoice can be cancelled; this one is ${status}.`)
    if (await tx.payments.isSeen(id))
      throw new ServiceError(
        'conflict',
        'A payment of this invoice was seen on chain, so it cannot be cancelled.',
      )
    const invoice = await tx.invoices.saveCancelled(id)
    const { merchantId, environment } = invoice
    await tx.events.append({
      id: uuidv7(app.now()),
      merchantId,
      environment,
      event: 'invoice.cancelled',
      data: app.present.invoice(invoice),
      resourceId: invoice.id,
    })
    const details = invoiceDetails(invoice)
    await noteActOf(tx, caller, { action: 'invoice.cancelled', subject: invoice.id, details })
    return invoice
  })
}
