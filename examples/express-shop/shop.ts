import { randomUUID } from 'node:crypto'
import { createSluice, SluiceWebhookError, webhooks } from '@sluice/sdk'
import express, { type NextFunction, type Request, type Response } from 'express'
import { createOrder, findOrder, payOnce, setInvoice } from './orders.ts'

const port = Number(process.env.PORT ?? 3000)
const shopUrl = process.env.SHOP_URL ?? `http://127.0.0.1:${port}`
const webhookSecret = setting('SLUICE_WEBHOOK_SECRET')
const sluice = createSluice({
  baseUrl: process.env.SLUICE_URL ?? 'http://127.0.0.1:8080/api',
  apiKey: setting('SLUICE_API_KEY'),
})

const app = express()

app.get('/', (_request, response) => {
  response.send('<h1>Mug, $49.90</h1><form method="post" action="/orders"><button>Buy</button></form>')
})

app.post('/orders', async (_request, response) => {
  const id = randomUUID()
  createOrder(id)
  const invoice = await sluice.invoices.create({
    amount_fiat: '49.90',
    fiat_currency: 'USD',
    external_id: id,
    // Sent twice, it is still one invoice.
    idempotency_key: id,
    redirect_url: `${shopUrl}/orders/${id}`,
  })
  if (invoice.checkout_url === null) throw new Error(`Invoice ${invoice.id} has no payment page.`)
  setInvoice(id, invoice.id)
  response.redirect(303, invoice.checkout_url)
})

app.get('/orders/:id', (request, response) => {
  const order = findOrder(request.params.id)
  if (order === undefined) response.status(404).send('No such order')
  else response.send(`<h1>Your order is ${order.status}</h1>`)
})

// The signature covers the bytes as they were sent, so nothing may parse them before.
app.post('/webhooks/sluice', express.raw({ type: () => true }), async (request, response) => {
  try {
    const event = await webhooks.verify(request.body ?? '', request.headers, webhookSecret)
    if (event.event === 'invoice.paid') {
      const orderId = payOnce(event.id, event.data.id)
      // A process can end right here: what ships takes its work from the orders that are paid.
      if (orderId !== null) console.log(`ship ${orderId}`)
    }
    response.sendStatus(204)
  } catch (error) {
    if (!(error instanceof SluiceWebhookError)) throw error
    response.status(400).type('text').send(error.message)
  }
})

// Sluice was not reachable or refused. Without this Express shows the stack to the customer.
app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  console.error(error)
  response.status(503).type('text').send('That did not work. Please try again in a minute.')
})

app.listen(port, '127.0.0.1', () => console.log(`The shop is at ${shopUrl}`))

function setting(name: string): string {
  const value = process.env[name] ?? ''
  if (value === '') throw new Error(`Set ${name}.`)
  return value
}
