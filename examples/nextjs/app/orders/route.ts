import { randomUUID } from 'node:crypto'
import { createOrder, setInvoice } from '@/lib/orders'
import { sluice } from '@/lib/sluice'

export async function POST(): Promise<Response> {
  try {
    return Response.redirect(await paymentPage(), 303)
  } catch (error) {
    // Sluice was not reachable or refused.
    console.error(error)
    return new Response('That did not work. Please try again in a minute.', { status: 503 })
  }
}

/** The payment page of a new order. */
async function paymentPage(): Promise<string> {
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
  return invoice.checkout_url
}
