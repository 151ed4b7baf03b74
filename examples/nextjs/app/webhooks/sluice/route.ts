import { SluiceWebhookError, webhooks } from '@sluice/sdk'
import { payOnce } from '@/lib/orders'
import { setting } from '@/lib/sluice'

export async function POST(request: Request): Promise<Response> {
  try {
    const secret = setting('SLUICE_WEBHOOK_SECRET')
    // The signature covers the bytes as they were sent: text(), not json().
    const event = await webhooks.verify(await request.text(), request.headers, secret)
    if (event.event === 'invoice.paid') {
      const orderId = payOnce(event.id, event.data.id)
      // A process can end right here: what ships takes its work from the orders that are paid.
      if (orderId !== null) console.log(`ship ${orderId}`)
    }
    return new Response(null, { status: 204 })
  } catch (error) {
    if (!(error instanceof SluiceWebhookError)) throw error
    return new Response(error.message, { status: 400 })
  }
}
