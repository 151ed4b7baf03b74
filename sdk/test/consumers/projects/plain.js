// A consumer in JavaScript, with the types checked by its comments.
import {
  createSluice,
  isKnownEvent,
  NotFoundError,
  responseOf,
  SluiceWebhookError,
  webhooks,
} from '@sluice/sdk'

/**
 * @param {string} origin
 * @returns {Promise<unknown>}
 */
export async function shop(origin) {
  const sluice = createSluice({ baseUrl: `${origin}/api`, apiKey: `sk_test_${'ab'.repeat(32)}` })
  const created = await sluice.invoices.create({ amount_fiat: '9.90', fiat_currency: 'EUR', currency: 'BTC' })
  await sluice.invoices.create({ amount: '2', currency: 'BTC' })
  /** @type {(string | null)[]} */
  const amounts = []
  for await (const { amount } of sluice.invoices.all({ limit: 1 })) amounts.push(amount)
  const refusal = await sluice.invoices.get('missing').catch((/** @type {unknown} */ error) => {
    if (error instanceof NotFoundError) return [error.name, error.status, error.message]
    throw error
  })
  const { body, headers, secret } = await fetch(`${origin}/a-webhook`).then((answer) => answer.json())
  const event = await webhooks.verify(new TextEncoder().encode(body), headers, [secret])
  const own = await webhooks.sign(body, secret, { now: 0 })
  const reason = await webhooks.verify(body, own, secret).catch((/** @type {unknown} */ error) => {
    if (error instanceof SluiceWebhookError) return error.reason
    throw error
  })
  return {
    status: responseOf(created)?.status,
    amounts,
    refusal,
    event: [isKnownEvent(event), event.event === 'invoice.paid' && event.data.description],
    reason,
  }
}
