import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { call, contractOperations } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

/** What API keys leave in the audit log: every change of what is trusted. */

let service: TestService
let key: string
let keyId: string
let merchantId: string
beforeAll(async () => {
  service = await startTestService()
  merchantId = await service.makeMerchant()
  ;({ key, keyId } = await service.makeKey(merchantId))
})
afterAll(() => service.stop())

const body = JSON.stringify({ url: 'http://127.0.0.1:9/hook' })
const endpoint = async () => (await call(service.url, 'createWebhookEndpoint', { key, body })).body.data.id
const on = (id: string) => async () =>
  call(service.url, id, { key, path: { endpointID: await endpoint() }, body: '{}' })

/** By operation: the call, and the entry it leaves. */
const recorded: Record<string, [act: () => ReturnType<typeof call>, action: string]> = {
  createWebhookEndpoint: [() => call(service.url, 'createWebhookEndpoint', { key, body }), 'webhook.created'],
  deleteWebhookEndpoint: [on('deleteWebhookEndpoint'), 'webhook.deleted'],
  enableWebhookEndpoint: [on('enableWebhookEndpoint'), 'webhook.enabled'],
  rotateWebhookSecret: [on('rotateWebhookSecret'), 'webhook.secret_rotated'],
}

const moves = 'The resource itself records the key that made it, and a person approves what leaves.'
const repeats = 'It only sends again what was recorded before.'
const simulates = 'It exists in the test environment alone.'
/** Why the other operations that change something leave no entry. */
const unrecorded: Record<string, string> = {
  createInvoice: moves,
  cancelInvoice: moves,
  createAddress: moves,
  createPayout: moves,
  createPayouts: moves,
  cancelPayout: moves,
  createRefund: moves,
  redeliverEvent: repeats,
  redeliverEvents: repeats,
  testWebhookEndpoint: repeats,
  createShopConnection: 'It needs no key, and is recorded in the name of the person who allowed the shop.',
}

it('every operation that changes something is recorded, or has a reason not to be', () => {
  const changing = contractOperations.filter(({ method }) => method !== 'GET')
  const reasonOf = (id: string, environment: string | null) =>
    environment === 'test' ? simulates : unrecorded[id]
  const open = changing.filter(({ id, environment }) => !(id in recorded) && !reasonOf(id, environment))
  expect(open.map(({ id }) => id)).toEqual([])
  expect(changing.length).toBeGreaterThan(Object.keys(recorded).length)
})

it.each(Object.keys(recorded))('%s with a key leaves an entry that names the key', async (id) => {
  const [act, action] = recorded[id] as (typeof recorded)[string]
  const answer = await act()
  expect(answer.status, answer.text).toBeLessThan(300)
  const [entry] = await query(
    service.database.url,
    'select actor, action, subject, environment from audit_entries where chain = $1 order by seq desc limit 1',
    [merchantId],
  )
  expect(entry).toMatchObject({ actor: `key:${keyId}`, action, environment: 'test' })
})
