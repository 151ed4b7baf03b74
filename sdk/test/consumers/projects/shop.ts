// A consumer in TypeScript. What it returns is compared, and every line marked must be refused by the compiler.
import {
  createSluice,
  type Invoice,
  isKnownEvent,
  responseOf,
  SluiceError,
  SluiceWebhookError,
  ValidationError,
  type WebhookEvent,
  webhooks,
} from '@sluice/sdk'
import type { Operations } from '@sluice/sdk/contract'

export type Permission = Operations['createInvoice']['permission']

export async function shop(origin: string): Promise<unknown> {
  const sluice = createSluice({
    baseUrl: `${origin}/api`,
    apiKey: `sk_test_${'ab'.repeat(32)}`,
    maxRetries: 1,
  })

  const created: Invoice = await sluice.invoices.create(
    { amount: '0.5', currency: 'BTC' },
    { idempotencyKey: 'order-1', timeoutMs: 30_000, signal: new AbortController().signal },
  )
  const again = await sluice.invoices.create(
    { amount: '0.5', currency: 'BTC' },
    { idempotencyKey: 'order-1' },
  )
  for (const amount of ['1', '2', '3']) await sluice.invoices.create({ amount, currency: 'BTC' })
  const amounts: string[] = []
  for await (const row of sluice.invoices.all({ limit: 2 })) amounts.push(row.amount ?? '')

  let refusal: unknown = null
  try {
    // @ts-expect-error an amount is never a number
    await sluice.invoices.create({ amount: 0.5, currency: 'BTC' })
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    refusal = { code: error.code, message: error.message, isBase: error instanceof SluiceError }
  }

  const answer = await fetch(`${origin}/a-webhook`)
  const sent = (await answer.json()) as { body: string; headers: Record<string, string>; secret: string }
  const event = await webhooks.verify(sent.body, new Headers(sent.headers), sent.secret)
  const reason = await webhooks.verify(`${sent.body} `, sent.headers, sent.secret).catch((error: unknown) => {
    if (error instanceof SluiceWebhookError) return error.reason
    throw error
  })
  return {
    isSame: created.id === again.id,
    responses: [responseOf(created), responseOf(again)],
    amounts,
    refusal,
    event: [isKnownEvent(event), textOf(event)],
    reason,
  }
}

function textOf(event: WebhookEvent): string | null {
  // @ts-expect-error which data it has depends on its name
  event.data.description
  switch (event.event) {
    case 'invoice.paid':
      return event.data.description
    case 'balance.credited':
      return event.data.available
    default:
      return event.event
  }
}
