import { SluiceWebhookError, webhooks } from '@sluice/sdk'
import { payOnce } from '@/lib/orders'

export async function POST(request: Request): Promise<Response> {
  try {
    const secret = process.env.SLUICE_WEBHOOK_SECRET ?? ''
    // The signature covers the bytes as they were sent: text(), not json().
    const event = await webhooks.verify(await request.text(), request.headers, secret)
    if (event.event === 'invoice.paid') {
      const orderId = payOnce(event.id, event.data.id)
      if (orderId !== null) console.log(`ship ${orderId}`)
    }
    return new Response(null, { status: 204 })
  } catch (error) {
    if (!(error instanceof SluiceWebhookError)) throw error
    return new Response(error.message, { status: 400 })
  }
}
