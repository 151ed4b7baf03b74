import { expect, expectTypeOf, it } from 'vitest'
import { createSluice, type Invoice, type InvoiceWithPayments } from '../src/client.ts'

type Sent = { method: string | undefined; url: string; body: unknown; type: string | null }

function clientThatNotes(sent: Sent[]) {
  return createSluice({
    baseUrl: 'http://127.0.0.1:1/api',
    apiKey: `sk_test_${'ab'.repeat(32)}`,
    fetch: async (url, init) => {
      const type = new Headers(init?.headers).get('content-type')
      sent.push({ method: init?.method, url: String(url), body: init?.body, type })
      return Response.json({ data: { id: '1' }, meta: { request_id: 'req_1' } }, { status: 201 })
    },
  })
}

it('a body is sent as JSON to the path in the contract, and the answer has the type from the contract', async () => {
  const sent: Sent[] = []
  const { request } = clientThatNotes(sent)
  const created = await request('createInvoice', { body: { currency: 'BTC', amount: '0.01' } })
  expectTypeOf(created.data).toEqualTypeOf<Invoice>()
  expect(created).toEqual({ data: { id: '1' }, requestId: 'req_1' })
  expect(sent).toEqual([
    {
      method: 'POST',
      url: 'http://127.0.0.1:1/api/v1/invoices',
      body: '{"currency":"BTC","amount":"0.01"}',
      type: 'application/json',
    },
  ])
  // @ts-expect-error an amount is never a number
  await request('createInvoice', { body: { currency: 'BTC', amount: 0.01 } })
  // @ts-expect-error the body is required
  await request('createInvoice')
})

it('an action without a body sends none', async () => {
  const sent: Sent[] = []
  const { request } = clientThatNotes(sent)
  await request('cancelInvoice', { path: { invoiceID: 'a' } })
  expect(sent).toMatchObject([
    { method: 'POST', url: 'http://127.0.0.1:1/api/v1/invoices/a/cancel', body: undefined, type: null },
  ])
  const one = await request('getInvoice', { path: { invoiceID: 'a' } })
  expectTypeOf(one.data).toEqualTypeOf<InvoiceWithPayments>()
})
