import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, query } from '../../support/database/database.ts'
import {
  answering,
  createEndpoint,
  delivered,
  eventually,
  type HookReceiver,
  makeDue,
  postpone,
  sendTestEvent,
  startHookReceiver,
  verify,
} from '../../support/servers/hook-receiver.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, Shop } from '../../support/shop/shop.ts'

let service: TestService
let receiver: HookReceiver

beforeAll(async () => {
  service = await startTestService(quiet)
  receiver = await startHookReceiver()
})
afterAll(async () => {
  await service.stop()
  await receiver.close()
})

const path = ({ id }: { id: string }) => ({ path: { endpointID: id } })

/** Every value of every table, as text: what an attacker with a copy of the database would search. */
async function wholeDatabase(): Promise<string> {
  const tables = await query<{ name: string }>(
    service.database.url,
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  expect(tables.map(({ name }) => name)).toContain('webhook_endpoints')
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await query<{ text: string; bytes: string }>(
        service.database.url,
        `select row_to_json(t)::text as text from ${name} as t`,
      )
      return rows.map(({ text }) => text).join('\n')
    }),
  )
  return texts.join('\n')
}

it('a secret is shown once, and never again in an answer, the log or the database', async () => {
  const shop = await openShop(service)
  const made = await createEndpoint(shop, { url: receiver.url, description: 'Order desk' })
  expect(made).toMatchObject({
    status: 'enabled',
    events: null,
    description: 'Order desk',
    url: receiver.url,
  })
  const { secret, ...shown } = made
  expect((await shop.expect(200, 'getWebhookEndpoint', path(made))).body.data).toEqual(shown)
  expect((await shop.expect(200, 'listWebhookEndpoints')).body.data).toEqual([shown])
  await delivered(shop, await sendTestEvent(shop, made), { status: 'succeeded' })
  const raw = secret.slice('whsec_'.length)
  const hex = Buffer.from(raw, 'base64').toString('hex')
  const kept = await wholeDatabase()
  const asText = Buffer.from(secret).toString('hex')
  for (const form of [raw, hex, asText]) {
    expect(kept).not.toContain(form)
    expect(JSON.stringify(service.logged)).not.toContain(form)
  }
})

it('two endpoints never share a secret, and a sealed secret does not open for another endpoint', async () => {
  const shop = await openShop(service)
  const one = await createEndpoint(shop, { url: `${receiver.url}/one` })
  const two = await createEndpoint(shop, { url: `${receiver.url}/two` })
  expect(one.secret).not.toBe(two.secret)
  await query(
    service.database.url,
    'update webhook_endpoints set secret = (select secret from webhook_endpoints where id = $1) where id = $2',
    [one.id, two.id],
  )
  await sendTestEvent(shop, two)
  await eventually(() =>
    expect(JSON.stringify(service.logged)).toContain('This SLUICE_SECRET_KEY cannot open the secrets'),
  )
  expect(receiver.hooks.filter((hook) => hook.path === '/hooks/two')).toEqual([])
})

it('endpoints are listed newest first, in pages', async () => {
  const shop = await openShop(service)
  const made: string[] = []
  for (let n = 0; n < 5; n++) made.unshift((await createEndpoint(shop, { url: receiver.url })).id)
  const first = (await shop.expect(200, 'listWebhookEndpoints', { query: { limit: '3' } })).body
  const second = (await shop.expect(200, 'listWebhookEndpoints', { query: { limit: '3', offset: '3' } })).body
  expect(first.meta.pagination).toEqual({ total: 5, limit: 3, offset: 0, has_more: true })
  expect(second.meta.pagination).toEqual({ total: 5, limit: 3, offset: 3, has_more: false })
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made)
  const past = (await shop.expect(200, 'listWebhookEndpoints', { query: { offset: '50' } })).body
  expect(past.meta.pagination).toEqual({ total: 5, limit: 20, offset: 50, has_more: false })
})

it('a deleted endpoint gets 404, and nothing more is sent to it, not even pending deliveries', async () => {
  const shop = await openShop(service)
  const url = `${receiver.url}/deleted`
  const here = () => receiver.hooks.filter((hook) => hook.path === '/hooks/deleted')
  const usual = receiver.answer
  receiver.answer = answering(503)
  const made = await createEndpoint(shop, { url })
  const event = await sendTestEvent(shop, made)
  await delivered(shop, event, { status: 'pending', attempts: 1 })
  await postpone(shop, event)
  await shop.expect(200, 'deleteWebhookEndpoint', path(made))
  receiver.answer = usual
  for (const operation of [
    'getWebhookEndpoint',
    'deleteWebhookEndpoint',
    'rotateWebhookSecret',
    'enableWebhookEndpoint',
    'testWebhookEndpoint',
  ])
    await shop.expect(404, operation, path(made))
  expect((await shop.expect(200, 'listWebhookEndpoints')).body.data).toEqual([])
  await delivered(shop, event, { status: 'failed', attempts: 1, next_attempt_at: null })
  // Another endpoint receives the next event; the deleted one would have received it by then.
  const other = await createEndpoint(shop, { url: `${receiver.url}/other` })
  await shop.create()
  const [told] = await shop.events().then((events) => events.slice(-1))
  const { endpoint_id } = await delivered(shop, told, { status: 'succeeded' })
  expect(endpoint_id).toBe(other.id)
  expect(here()).toHaveLength(1)
})

it('while a secret rotates both secrets sign, and after a day only the new one does', async () => {
  const shop = await openShop(service)
  const made = await createEndpoint(shop, { url: `${receiver.url}/rotating` })
  const rotated = (await shop.expect(200, 'rotateWebhookSecret', path(made))).body.data
  expect(rotated.secret).not.toBe(made.secret)
  const until = Date.parse(rotated.secret_rotates_until) - Date.now()
  expect(Math.abs(until - 24 * 3_600_000)).toBeLessThan(600_000)
  const nextHook = async () => {
    const event = await sendTestEvent(shop, made)
    await delivered(shop, event, { status: 'succeeded' })
    const [hook] = receiver.of(event)
    if (hook === undefined) throw new Error('no webhook arrived')
    return hook
  }
  const both = await eventually(async () => {
    const hook = await nextHook()
    expect(String(hook.headers['webhook-signature']).split(' ')).toHaveLength(2)
    return hook
  })
  expect(verify(made.secret, both)).toEqual(both.body)
  expect(verify(rotated.secret, both)).toEqual(both.body)
  await query(
    service.database.url,
    `update webhook_endpoints set previous_until = previous_until - interval '24 hours' where id = $1`,
    [made.id],
  )
  const after = await eventually(async () => {
    const hook = await nextHook()
    expect(String(hook.headers['webhook-signature']).split(' ')).toHaveLength(1)
    return hook
  })
  expect(verify(rotated.secret, after)).toEqual(after.body)
  expect(() => verify(made.secret, after)).toThrow('No matching signature')
  const shown = (await shop.expect(200, 'getWebhookEndpoint', path(made))).body.data
  expect(shown).toMatchObject({ secret_rotates_until: null })
  expect(shown).not.toHaveProperty('secret')
})

it('rotating twice drops the oldest secret at once', async () => {
  const shop = await openShop(service)
  const made = await createEndpoint(shop, { url: `${receiver.url}/twice` })
  const second = (await shop.expect(200, 'rotateWebhookSecret', path(made))).body.data.secret
  const third = (await shop.expect(200, 'rotateWebhookSecret', path(made))).body.data.secret
  const event = await sendTestEvent(shop, made)
  await delivered(shop, event, { status: 'succeeded' })
  const [hook] = receiver.of(event)
  if (hook === undefined) throw new Error('no webhook arrived')
  expect(verify(second, hook)).toEqual(hook.body)
  expect(verify(third, hook)).toEqual(hook.body)
  expect(() => verify(made.secret, hook)).toThrow('No matching signature')
})

it('an endpoint receives only the events it subscribes to', async () => {
  const shop = await openShop(service)
  await createEndpoint(shop, { url: `${receiver.url}/paid`, events: ['invoice.paid'] })
  const invoice = await shop.create()
  await shop.pay(invoice, '0.01')
  await shop.mine(2)
  const events = await shop.events()
  const paid = events.find(({ event }) => event === 'invoice.paid')
  await delivered(shop, paid, { status: 'succeeded' })
  expect(receiver.hooks.filter((hook) => hook.path === '/hooks/paid').map(({ id }) => id)).toEqual([paid.id])
  const unheard = events.filter(({ event }) => event !== 'invoice.paid')
  expect(unheard.length).toBeGreaterThan(1)
  for (const { id } of unheard) {
    expect((await shop.expect(200, 'getEvent', { path: { eventID: id } })).body.data.deliveries).toEqual([])
  }
})

it.each([
  [['invoice.payed'], 'an unknown name'],
  [[], 'no name'],
  [['invoice.paid', 'invoice.paid'], 'a name twice'],
])('the events %j are refused: %s', async (events) => {
  const shop = await openShop(service)
  await shop.expect(400, 'createWebhookEndpoint', { json: { url: receiver.url, events } })
})

it('the 21st endpoint of a merchant gets 409, even with concurrent requests, and deleting one makes room', async () => {
  const shop = await openShop(service)
  const answers = await Promise.all(
    Array.from({ length: 24 }, () => shop.call('createWebhookEndpoint', { json: { url: receiver.url } })),
  )
  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses).toEqual([...Array(20).fill(201), ...Array(4).fill(409)])
  const [made] = answers.filter(({ status }) => status === 201)
  await shop.expect(200, 'deleteWebhookEndpoint', path(made?.body.data))
  await createEndpoint(shop, { url: receiver.url })
})

it.each([
  'https://10.0.0.1/hook',
  'https://172.16.0.1/hook',
  'https://192.168.1.1/hook',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/hook',
  'https://0.0.0.0/hook',
  'https://127.0.0.2/hook',
  'https://2130706434/hook',
  'https://0x7f.2/hook',
  'https://0177.0.0.2/hook',
  'https://[::1]/hook',
  'https://[::ffff:10.0.0.1]/hook',
  'https://[fe80::1]/hook',
  'https://[fd00::1]/hook',
  'https://[64:ff9b::a00:1]/hook',
  'http://10.0.0.1/hook',
  'https://user:secret@example.com/hook',
  'https://user@127.0.0.1/hook',
  'https://example.com/hook#part',
])('the target %s is refused with the reason', async (url) => {
  const shop = await openShop(service)
  const { body } = await shop.expect(422, 'createWebhookEndpoint', { json: { url } })
  expect(body.error.code).toBe('webhook_target_refused')
  expect(body.error.details[0]).toMatch(/^\/url: must /)
  // The error must not reveal what the name or address led to.
  expect(body.error.details[0]).not.toContain('secret')
  expect((await shop.expect(200, 'listWebhookEndpoints')).body.data).toEqual([])
})

it.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'example.com',
  '',
  'javascript:1',
])('a URL that is not https is malformed: %s', async (url) => {
  await (await openShop(service)).expect(400, 'createWebhookEndpoint', { json: { url } })
})

it('http is refused in live, even to a host that the operator allows', async () => {
  const merchantId = await service.makeMerchant()
  const { key } = await service.makeKey(merchantId, { environment: 'live' })
  const live = new Shop(service, merchantId, key)
  const { body } = await live.expect(422, 'createWebhookEndpoint', { json: { url: receiver.url } })
  expect(body.error).toMatchObject({
    code: 'webhook_target_refused',
    details: ['/url: must be an https URL'],
  })
})

it('another merchant’s endpoint and one of the other environment get 404 for every operation', async () => {
  const shop = await openShop(service)
  const made = await createEndpoint(shop, { url: receiver.url })
  const stranger = await openShop(service)
  const { key } = await service.makeKey(shop.merchantId, { environment: 'live' })
  for (const other of [stranger, new Shop(service, shop.merchantId, key)]) {
    for (const operation of [
      'getWebhookEndpoint',
      'deleteWebhookEndpoint',
      'rotateWebhookSecret',
      'enableWebhookEndpoint',
      'testWebhookEndpoint',
    ])
      await other.expect(404, operation, path(made))
    const range = { created_after: '2020-01-01T00:00:00Z', created_before: '2100-01-01T00:00:00Z' }
    await other.expect(404, 'redeliverEvents', { json: { endpoint_id: made.id, ...range } })
    expect((await other.expect(200, 'listWebhookEndpoints')).body.data).toEqual([])
  }
  expect((await shop.expect(200, 'getWebhookEndpoint', path(made))).body.data.status).toBe('enabled')
})

it('enabling an enabled endpoint changes nothing', async () => {
  const shop = await openShop(service)
  const { secret, ...made } = await createEndpoint(shop, { url: receiver.url })
  expect(secret).toMatch(/^whsec_/)
  expect((await shop.expect(200, 'enableWebhookEndpoint', path(made))).body.data).toEqual(made)
})

it('without SLUICE_SECRET_KEY, a service on the operator’s own database refuses endpoints and says what to set', async () => {
  const bare = await startTestService({ env: { SLUICE_SECRET_KEY: '' } })
  try {
    const { key } = await bare.makeKey(await bare.makeMerchant())
    const body = JSON.stringify({ url: receiver.url })
    const answer = await call(bare.url, 'createWebhookEndpoint', { key, body })
    expect(answer.status).toBe(503)
    expect(answer.body.error).toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('until its operator sets SLUICE_SECRET_KEY'),
    })
    expect(JSON.stringify(bare.logged)).toContain('SLUICE_SECRET_KEY is not set')
    // Everything else works.
    expect((await call(bare.url, 'listEvents', { key })).status).toBe(200)
  } finally {
    await bare.stop()
  }
})

it('with another SLUICE_SECRET_KEY nothing is sent unsigned, and rotating the secret repairs the endpoint', async () => {
  const database = await createTestDatabase()
  const first = await startTestService({ ...quiet, database })
  const before = await openShop(first)
  const made = await createEndpoint(before, { url: `${receiver.url}/lost` })
  await first.stop()
  const env = { ...quiet.env, SLUICE_SECRET_KEY: 'ab'.repeat(32) }
  const second = await startTestService({ ...quiet, env, database })
  try {
    const shop = new Shop(second, before.merchantId, before.key)
    const event = await sendTestEvent(shop, made)
    await eventually(() =>
      expect(JSON.stringify(second.logged)).toContain('This SLUICE_SECRET_KEY cannot open the secrets'),
    )
    expect(receiver.of(event)).toEqual([])
    const rotated = (await shop.expect(200, 'rotateWebhookSecret', path(made))).body.data
    await eventually(async () => {
      await makeDue(shop, event)
      expect(receiver.of(event).length).toBeGreaterThan(0)
    })
    const [hook] = receiver.of(event)
    if (hook === undefined) throw new Error('no webhook arrived')
    expect(verify(rotated.secret, hook)).toEqual(hook.body)
    expect(String(hook.headers['webhook-signature']).split(' ')).toHaveLength(1)
  } finally {
    await second.stop()
    await database.drop()
  }
})
