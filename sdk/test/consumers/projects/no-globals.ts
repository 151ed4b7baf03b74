// A consumer whose project has neither the DOM library nor the types of any runtime.
import { createSluice, type FetchResponse, webhooks } from '@sluice/sdk'

const answer: FetchResponse = {
  ok: true,
  status: 200,
  type: 'basic',
  headers: { get: () => null },
  text: async () => '{"data":[],"meta":{"request_id":"req_1"}}',
}
const sluice = createSluice({ baseUrl: 'http://127.0.0.1:8080/api', fetch: async () => answer })
export const rates = sluice.rates.list({ currency: ['BTC'] })
export const event = webhooks.verify('', { 'Webhook-Id': ['evt_1'] }, ['whsec_'])
