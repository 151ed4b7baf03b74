import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect, vi } from 'vitest'
import type { EventName } from '../../../src/domain/events.ts'
import { uuidv7 } from '../../../src/domain/ids.ts'
import { query } from '../database/database.ts'
import { patienceMs } from '../patience.ts'
import { expectWebhook, expectWebhookHeaders } from '../shop/contract-client.ts'
import { inventedEvents } from '../shop/invented-events.ts'
import type { Shop } from '../shop/shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: webhooks are checked field by field
type Row = any

export type Hook = {
  readonly id: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Row
}

export type HookReceiver = {
  readonly url: string
  /** All webhooks received here, in order of arrival. */
  readonly hooks: Hook[]
  /** How it answers a webhook: 204 unless a test decides otherwise. */
  answer: (response: ServerResponse, hook: Hook) => void
  /** The hooks about one event. */
  of(event: { id: string }): Hook[]
  /** Waits until this many webhooks were received. */
  received(count: number): Promise<Hook[]>
  close(): Promise<void>
}

/** A merchant's webhook server. */
export async function startHookReceiver(): Promise<HookReceiver> {
  const complaints: string[] = []
  // Deviations from the contract are reported at the end: an error here would only make the sender retry.
  const check = ({ headers, body }: Hook) => {
    try {
      expectWebhookHeaders(body.event, headers)
      expectWebhook(inventedEvents.has(body.id) ? { ...body, event: 'webhook.test' } : body)
    } catch (error) {
      complaints.push((error as Error).message)
    }
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const { url: path = '', headers } = request
    const hook = { id: String(headers['webhook-id']), path, headers, text, body: JSON.parse(text) }
    receiver.hooks.push(hook)
    check(hook)
    receiver.answer(response, hook)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: HookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    hooks: [],
    answer: (response) => response.writeHead(204).end(),
    of: ({ id }) => receiver.hooks.filter((hook) => hook.id === id),
    async received(count) {
      await eventually(() => expect(receiver.hooks.length).toBeGreaterThanOrEqual(count))
      return receiver.hooks
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      expect(complaints).toEqual([])
    },
  }
  return receiver
}

/** Answers with a status and nothing else. */
export function answering(status: number, headers: Record<string, string> = {}): HookReceiver['answer'] {
  return (response) => response.writeHead(status, headers).end()
}

/** Verifies a webhook with the published library; throws if the signature is not by this secret. */
export function verify(secret: string, { text, headers }: Hook): Row {
  return new Webhook(secret).verify(text, headers as Record<string, string>)
}

/**
 * Waits until a condition holds. The limit is generous: the machine may be busy, and a node may take ten seconds to answer.
 */
export function eventually<T>(condition: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(condition, { timeout: patienceMs, interval: 50 })
}

export async function createEndpoint(shop: Shop, json: object): Promise<Row> {
  return (await shop.expect(201, 'createWebhookEndpoint', { json })).body.data
}

/** An event with its deliveries. */
export async function eventOf(shop: Shop, { id }: { id: string }): Promise<Row> {
  return (await shop.expect(200, 'getEvent', { path: { eventID: id } })).body.data
}

/** Waits until the event's only delivery matches, and returns it. */
export async function delivered(shop: Shop, event: { id: string }, expected: object): Promise<Row> {
  return eventually(async () => {
    const { deliveries } = await eventOf(shop, event)
    expect(deliveries).toHaveLength(1)
    expect(deliveries[0]).toMatchObject(expected)
    return deliveries[0]
  })
}

/** Makes an event that waits for its next attempt due now, instead of in hours. */
export async function makeDue({ service }: Shop, event: { id: string }): Promise<void> {
  await query(
    service.database.url,
    `update webhook_deliveries set due_at = clock_timestamp() - interval '1 second'
     where event_id = $1 and status = 'pending'`,
    [event.id.slice('evt_'.length)],
  )
}

/** Postpones its retry, so that none comes while the test is busy. */
export async function postpone({ service }: Shop, event: { id: string }): Promise<void> {
  await query(
    service.database.url,
    `update webhook_deliveries set due_at = clock_timestamp() + interval '1 hour'
     where event_id = $1 and status = 'pending'`,
    [event.id.slice('evt_'.length)],
  )
}

/** An event of the shop without a payment; it is appended like every event. */
export async function appendEvent(
  { service, merchantId }: Shop,
  fields: { event?: EventName; environment?: 'live' | 'test'; data?: object; resourceId?: string } = {},
): Promise<{ id: string }> {
  const { event = 'invoice.expired', environment = 'test', data = {}, resourceId = null } = fields
  const id = uuidv7(service.app.now())
  inventedEvents.add(`evt_${id}`)
  await service.app.store.events.append({ id, merchantId, environment, event, data, resourceId })
  return { id: `evt_${id}` }
}

/** Sends a test event to an endpoint. */
export async function sendTestEvent(shop: Shop, { id }: { id: string }): Promise<Row> {
  return (await shop.expect(201, 'testWebhookEndpoint', { path: { endpointID: id } })).body.data
}
