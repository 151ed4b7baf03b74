import { expect, it } from 'vitest'
import { SluiceError } from '../src/client.ts'
import { clientOf, failure, one, page, type Sent } from './answering-client.ts'

it('each method of webhook endpoints calls its own operation', async () => {
  const sent: Sent[] = []
  const { webhookEndpoints } = clientOf(sent, [one({ id: 'a', secret: 'whsec_x' })])
  const made = await webhookEndpoints.create({ url: 'https://shop.example.com/', events: ['invoice.paid'] })
  expect(made.secret).toBe('whsec_x')
  expect(sent[0]?.body).toEqual({ url: 'https://shop.example.com/', events: ['invoice.paid'] })
  expect((await webhookEndpoints.list({ limit: 5 })).data).toEqual({ id: 'a', secret: 'whsec_x' })
  for (const method of ['get', 'delete', 'rotateSecret', 'enable', 'test'] as const) {
    expect(await webhookEndpoints[method]('a')).toEqual({ id: 'a', secret: 'whsec_x' })
  }
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /v1/webhook_endpoints',
    'GET /v1/webhook_endpoints?limit=5',
    'GET /v1/webhook_endpoints/a',
    'DELETE /v1/webhook_endpoints/a',
    'POST /v1/webhook_endpoints/a/rotate_secret',
    'POST /v1/webhook_endpoints/a/enable',
    'POST /v1/webhook_endpoints/a/test',
  ])
  expect(sent.slice(1).map(({ body }) => body)).toEqual(Array(6).fill(null))
})

it('a request that would create a second endpoint or a second secret is not retried', async () => {
  const sent: Sent[] = []
  const { webhookEndpoints } = clientOf(sent, [failure])
  await expect(webhookEndpoints.create({ url: 'https://shop.example.com/' })).rejects.toThrow(SluiceError)
  await expect(webhookEndpoints.rotateSecret('a')).rejects.toThrow(SluiceError)
  expect(sent).toHaveLength(2)
})

it('a single event is redelivered to all its endpoints or to one, and a time range to one endpoint', async () => {
  const sent: Sent[] = []
  const { events } = clientOf(sent, [one({ id: 'evt_1' }), one({ id: 'evt_1' }), one({ count: 7 })])
  const range = {
    endpoint_id: 'a',
    created_after: '2026-11-14T22:00:00Z',
    created_before: '2026-11-15T06:00:00Z',
    only_failed: true,
  }
  expect(await events.redeliver('evt_1')).toEqual({ id: 'evt_1' })
  await events.redeliver('evt_1', { endpoint_id: 'a' })
  expect(await events.redeliverRange(range)).toEqual({ count: 7 })
  expect(sent).toEqual([
    { method: 'POST', url: '/v1/events/evt_1/redeliver', body: {} },
    { method: 'POST', url: '/v1/events/evt_1/redeliver', body: { endpoint_id: 'a' } },
    { method: 'POST', url: '/v1/events/redeliver', body: range },
  ])
})

it('events after a position are read in ascending order, each page from the last event of the previous one', async () => {
  const sent: Sent[] = []
  const pages = [page([{ position: '4' }, { position: '9' }], true), page([{ position: '12' }], false)]
  expect(await positions(clientOf(sent, pages).events.all({ after: '3', event: 'invoice.paid' }))).toEqual([
    '4',
    '9',
    '12',
  ])
  expect(sent.map(({ url }) => url)).toEqual([
    '/v1/events?after=3&event=invoice.paid&limit=100',
    '/v1/events?after=9&event=invoice.paid&limit=100',
  ])
})

it('a page that promises more but makes no progress ends the iteration', async () => {
  const sent: Sent[] = []
  expect(await positions(clientOf(sent, [page([], true)]).events.all({ after: '0' }))).toEqual([])
  expect(sent).toHaveLength(1)
  const stuck = [page([{ position: '4' }], true)]
  expect(await positions(clientOf([], stuck).events.all({ after: '0' }))).toEqual(['4', '4'])
})

async function positions(rows: AsyncGenerator<{ position: string }>): Promise<string[]> {
  const all: string[] = []
  for await (const { position } of rows) all.push(position)
  return all
}
