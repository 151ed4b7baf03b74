import { randomUUID } from 'node:crypto'
import { createOrder, setInvoice } from '@/lib/orders'
import { sluice } from '@/lib/sluice'

export async function POST(): Promise<Response> {
  const id = randomUUID()
  createOrder(id)
  const invoice = await sluice().invoices.create({
    amount_fiat: '49.90',
    fiat_currency: 'USD',
    external_id: id,
    // Sent twice, it is still one invoice.
    idempotency_key: id,
    redirect_url: `${process.env.SHOP_URL ?? 'http://127.0.0.1:3000'}/orders/${id}`,
  })
  if (invoice.checkout_url === null) throw new Error(`Invoice ${invoice.id} has no payment page.`)
  setInvoice(id, invoice.id)
  return Response.redirect(invoice.checkout_url, 303)
}
