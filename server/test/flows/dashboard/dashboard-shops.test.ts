import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shopEvents, shopPermissions } from '../../../src/domain/shops.ts'
import { query } from '../../support/database/database.ts'
import {
  type DashboardClient,
  enrolTotp,
  makePerson,
  signedIn,
} from '../../support/people/dashboard-client.ts'
import { allowedShop, connectedShop, shopRequest, shopSecret } from '../../support/people/pairing-shop.ts'
import { type HookReceiver, startHookReceiver } from '../../support/servers/hook-receiver.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

/** Shops that are connected by one click: what the person allows, what the shop gets for its code, and how it ends. */

let service: TestService
let merchantId: string
let ownerId: string
let owner: DashboardClient
let hook: HookReceiver
beforeAll(async () => {
  service = await startTestService()
  hook = await startHookReceiver()
  merchantId = await service.makeMerchant()
  const login = await makePerson(service, { merchantId, role: 'owner' })
  ownerId = login.userId
  owner = await signedIn(service, login)
})
afterAll(async () => {
  await hook.close()
  await service.stop()
})

const here = (environment = 'test') => ({ merchantID: merchantId, environment })
const allow = (body: object, client = owner, environment = 'test') =>
  client.call('allowShop', { path: here(environment), body })
const exchange = (body: object) => call(service.url, 'createShopConnection', { body: JSON.stringify(body) })
const listed = async () => (await owner.call('listShops', { path: here() })).body.data
const log = async (limit: number) =>
  (await owner.call('listAuditLog', { path: { merchantID: merchantId }, query: { limit: String(limit) } }))
    .body.data
const status = async (key: string) => (await call(service.url, 'listInvoices', { key })).status
const live = () =>
  shopRequest({ return: 'https://93.184.215.14/back', webhook: 'https://93.184.215.14/hook' })

it('a shop asks, a person allows it once, and the shop gets its key and its signed events for its code', async () => {
  const { verifier, challenge } = shopSecret()
  const request = shopRequest({ challenge, webhook: `${hook.url}/wc-api/sluice` })
  const review = await owner.call('reviewShop', { path: here(), query: request })
  expect(review.body.data).toMatchObject({
    name: 'Blue Bottle',
    return_host: '127.0.0.1:9',
    webhook_url: request.webhook,
    permissions: [...shopPermissions],
    replaces: null,
    decline_url: `${request.return}&error=access_denied&state=${request.state}`,
  })

  const allowed = await allow(request)
  const back = new URL(allowed.body.data.redirect_to)
  const code = back.searchParams.get('code') ?? ''
  back.searchParams.delete('code')
  expect([allowed.status, back.href]).toEqual([201, `${request.return}&state=${request.state}`])
  expect(allowed.text).not.toMatch(/sk_test_|whsec_/)
  // Until the shop has exchanged the code there is nothing that could be used or has to be revoked.
  expect([await listed(), (await owner.call('listKeys', { path: here() })).body.data]).toEqual([[], []])

  const answer = await exchange({ code, verifier })
  const connection = answer.body.data
  expect([answer.status, connection]).toMatchObject([
    201,
    { environment: 'test', merchant_id: merchantId, permissions: shopPermissions, events: shopEvents },
  ])
  const key = connection.api_key
  const [made] = (await owner.call('listKeys', { path: here() })).body.data
  expect(made).toMatchObject({ permissions: [...shopPermissions], created_by: `user:${ownerId}` })
  expect(await listed()).toMatchObject([{ id: connection.id, status: 'connected', key_id: made.id }])
  expect(await log(2)).toMatchObject([
    {
      action: 'shop.connected',
      actor: `user:${ownerId}`,
      subject: connection.id,
      details: { name: 'Blue Bottle', host: '127.0.0.1:9', key_id: made.id, replaced: [] },
    },
    { action: 'shop.allowed', actor: `user:${ownerId}`, subject: connection.id },
  ])

  const { key: tester } = await service.makeKey(merchantId)
  const invoice = await call(service.url, 'createInvoice', {
    key,
    body: JSON.stringify({ currency: 'BTC', amount: '0.01' }),
  })
  const path = { invoiceID: invoice.body.data.id }
  await call(service.url, 'expireTestInvoice', { key: tester, path })
  const [webhook] = await hook.received(1)
  // Not `invoice.confirming`, which the shop made itself.
  expect(webhook).toMatchObject({ path: '/hooks/wc-api/sluice', body: { event: 'invoice.expired' } })
  new Webhook(connection.webhook_secret).verify(
    webhook?.text ?? '',
    webhook?.headers as Record<string, string>,
  )
  const payout = { currency: 'BTC', amount: '1', destination: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }
  expect((await call(service.url, 'createPayout', { key, body: JSON.stringify(payout) })).status).toBe(403)
})

describe('a code', () => {
  const refused = {
    status: 404,
    body: { error: { code: 'not_found', message: expect.stringContaining('There is no such code') } },
  }

  it('that is stolen on its way is worthless without the verifier, and stays good for the shop', async () => {
    const { code, verifier } = await allowedShop(owner, here())
    expect(await exchange({ code, verifier: shopSecret().verifier })).toMatchObject(refused)
    expect((await exchange({ code, verifier })).status).toBe(201)
  })

  it('works once, also when it is exchanged twice at the same time', async () => {
    const both = await allowedShop(owner, here())
    const answers = await Promise.all([exchange(both), exchange(both), exchange(both)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 404, 404])
    expect(await exchange(both)).toMatchObject(refused)
    const connected = (await listed()).filter((shop: { status: string }) => shop.status === 'connected')
    expect(connected.filter(({ webhook_url: url }: Row) => url === shopRequest().webhook)).toHaveLength(1)
  })

  it('is answered with secrets that nothing on the way may keep', async () => {
    const answer = await exchange(await allowedShop(owner, here()))
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
  })

  it('of the same shop as another code leaves one connection, also when both are exchanged at once', async () => {
    for (let round = 0; round < 5; round++) {
      const webhook = `http://127.0.0.1:9/both/${round}`
      const first = await allowedShop(owner, here(), { webhook })
      const second = await allowedShop(owner, here(), { webhook })
      const answers = await Promise.all([exchange(first), exchange(second)])
      expect(answers.map((answer) => answer.status)).toEqual([201, 201])
      const ofShop = (await listed()).filter(({ webhook_url: url }: Row) => url === webhook)
      expect(ofShop.map((shop: { status: string }) => shop.status).sort()).toEqual([
        'connected',
        'disconnected',
      ])
      const endpoints = (await owner.call('listWebhookEndpoints', { path: here() })).body.data
      expect(endpoints.filter(({ url }: { url: string }) => url === webhook)).toHaveLength(1)
    }
  })

  it('expires', async () => {
    const both = await allowedShop(owner, here())
    await query(
      service.database.url,
      `update shop_connections set expires_at = now() where connected_at is null`,
    )
    expect(await exchange(both)).toMatchObject(refused)
  })

  it('ends with the rights of the person who allowed the shop', async () => {
    for (const end of [
      `update memberships set role = 'viewer' where user_id = $1`,
      `update users set disabled_at = now() where id = $1`,
    ]) {
      const { userId, ...login } = await makePerson(service, { merchantId, role: 'admin' })
      const both = await allowedShop(await signedIn(service, { userId, ...login }), here())
      await query(service.database.url, end, [userId])
      expect(await exchange(both)).toMatchObject(refused)
    }
  })

  it('ends with them also while the exchange has begun', async () => {
    const { userId, ...login } = await makePerson(service, { merchantId, role: 'admin' })
    const both = await allowedShop(await signedIn(service, { userId, ...login }), here())
    const holder = new pg.Client({ connectionString: service.database.url })
    await holder.connect()
    try {
      await holder.query(
        `begin; select pg_advisory_xact_lock(hashtextextended('webhooks ${merchantId} test', 0))`,
      )
      const exchanged = exchange(both)
      await expect
        .poll(() =>
          query(
            service.database.url,
            `select from pg_locks join pg_database on pg_database.oid = database
             where datname = current_database() and locktype = 'advisory' and not granted`,
          ),
        )
        .toHaveLength(1)
      await holder.query(`update users set disabled_at = now() where id = '${userId}'; commit`)
      expect(await exchanged).toMatchObject(refused)
    } finally {
      await holder.end()
    }
  })

  it('is not lost to a merchant with too many endpoints, who is told before', async () => {
    const merchant = await service.makeMerchant()
    const client = await signedIn(service, await makePerson(service, { merchantId: merchant, role: 'owner' }))
    const path = { merchantID: merchant, environment: 'test' }
    const fill = (count: number) =>
      query(
        service.database.url,
        `insert into webhook_endpoints (id, merchant_id, environment, url, secret)
         select gen_random_uuid(), $1, 'test', 'http://127.0.0.1:9/' || n, '\\x00' from generate_series(1, $2::integer) n`,
        [merchant, count],
      )
    const both = await allowedShop(client, path)
    await fill(20)
    expect((await exchange(both)).body.error.code).toBe('conflict')
    const answer = await client.call('allowShop', { path, body: shopRequest() })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
    await query(
      service.database.url,
      `delete from webhook_endpoints where merchant_id = $1 and url = 'http://127.0.0.1:9/20'`,
      [merchant],
    )
    expect((await exchange(both)).status).toBe(201)
    // The shop's endpoint was deleted by hand: connecting it again needs a place, which there is not.
    await query(
      service.database.url,
      `update webhook_endpoints set status = 'deleted' where merchant_id = $1`,
      [merchant],
    )
    await fill(20)
    const broken = await client.call('allowShop', { path, body: shopRequest() })
    expect([broken.status, broken.body.error?.code]).toEqual([409, 'conflict'])
  })
})

describe('who allows a shop', () => {
  it('a viewer may not even look at a request; a developer may allow what the role has, no refunds', async () => {
    const viewer = await signedIn(service, await makePerson(service, { merchantId, role: 'viewer' }))
    const path = here()
    const asked = [
      await viewer.call('reviewShop', { path, query: shopRequest() }),
      await allow(shopRequest(), viewer),
      await viewer.call('listShops', { path }),
    ]
    expect(asked.map((answer) => answer.status)).toEqual([403, 403, 403])
    const developer = await signedIn(service, await makePerson(service, { merchantId, role: 'developer' }))
    const all = await allow(shopRequest(), developer)
    expect([all.status, all.body.error.message]).toEqual([403, expect.stringContaining('refunds:write')])
    const less = shopRequest({ permissions: ['invoices:read', 'invoices:write'] })
    expect((await allow(less, developer)).status).toBe(201)
  })

  it('proves who they are: a stale proof is asked for again, in both directions', async () => {
    const login = await makePerson(service, { merchantId, role: 'owner' })
    const client = await signedIn(service, login)
    const { id } = await connectedShop(service, client, here(), { webhook: 'http://127.0.0.1:9/stale' })
    await query(
      service.database.url,
      `update sessions set proved_at = null, proved_by = null where user_id = $1`,
      [login.userId],
    )
    const answers = [
      await allow(shopRequest(), client),
      await client.call('disconnectShop', { path: { ...here(), shopID: id } }),
    ]
    expect(answers.map((answer) => answer.body.error.code)).toEqual(['step_up_required', 'step_up_required'])
  })
})

describe('where a shop may be', () => {
  it.each([
    [{ return: 'javascript:alert(1)' }, '/return'],
    [{ return: 'https://ann:secret@shop.example/' }, '/return'],
    [{ return: 'https://shop.example/#here' }, '/return'],
    [{ return: 'https://shop.example\\@evil.example/' }, '/return'],
    [{ webhook: 'file:///etc/passwd' }, '/webhook'],
    [{ state: 'short' }, '/state'],
    [{ challenge: 'plain' }, '/challenge'],
    [{ app: 'Woo Commerce' }, '/app'],
    [{ permissions: ['payouts:write'] }, '/permissions'],
  ])('%j is refused, in the review and when it is allowed', async (wrong, field) => {
    const body = shopRequest(wrong)
    const permissions = 'permissions' in wrong ? { permissions: wrong.permissions?.join(',') ?? '' } : {}
    const asked = [
      await owner.call('reviewShop', { path: here(), query: { ...body, ...permissions } }),
      await allow(body),
    ]
    for (const answer of asked)
      expect([answer.status, answer.body.error.details[0]]).toEqual([400, expect.stringContaining(field)])
  })

  it('in live it is https and public; the same request passes in test', async () => {
    const client = await signedIn(service, await makePerson(service, { merchantId, role: 'owner' }))
    await enrolTotp(client)
    for (const [wrong, code, field] of [
      [{ return: 'http://93.184.215.14/back' }, 'validation_error', '/return'],
      [{ return: 'https://10.0.0.7/back' }, 'validation_error', '/return'],
      [{ return: 'https://169.254.169.254/latest' }, 'validation_error', '/return'],
      [{ webhook: 'http://93.184.215.14/hook' }, 'webhook_target_refused', '/webhook'],
      [{ webhook: 'https://[fd00::1]/hook' }, 'webhook_target_refused', '/webhook'],
    ] as const) {
      const answer = await allow({ ...live(), ...wrong }, client, 'live')
      expect([answer.body.error.code, answer.body.error.details[0]]).toEqual([
        code,
        expect.stringContaining(field),
      ])
    }
    const { code, verifier } = await allowedShop(client, here('live'), live())
    const connection = (await exchange({ code, verifier })).body.data
    expect(connection).toMatchObject({ environment: 'live', api_key: expect.stringMatching(/^sk_live_/) })
    expect((await allow(shopRequest({ return: 'http://10.0.0.7/back' }))).status).toBe(201)
  })
})

describe('a connection', () => {
  it('ends for good when it is disconnected: key and endpoint with it, and the log says who did it', async () => {
    const shop = await connectedShop(service, owner, here(), { webhook: 'http://127.0.0.1:9/ends' })
    expect(await status(shop.api_key)).toBe(200)
    const path = { ...here(), shopID: shop.id }
    const gone = await owner.call('disconnectShop', { path })
    expect([gone.status, gone.body.data.status]).toEqual([200, 'disconnected'])
    await expect.poll(() => status(shop.api_key)).toBe(401)
    const endpoints = (await owner.call('listWebhookEndpoints', { path: here() })).body.data
    expect(endpoints.filter(({ url }: { url: string }) => url.endsWith('/ends'))).toEqual([])
    expect(await log(1)).toMatchObject([
      { action: 'shop.disconnected', actor: `user:${ownerId}`, subject: shop.id },
    ])
    const again = await owner.call('disconnectShop', { path })
    expect(again.body.data).toEqual(gone.body.data)
    expect((await log(1))[0].subject).toBe(shop.id)
  })

  it('gives way to the next one of the same shop, and to no other', async () => {
    const webhook = 'http://127.0.0.1:9/again'
    const first = await connectedShop(service, owner, here(), { webhook })
    const other = await connectedShop(service, owner, here(), { webhook: 'http://127.0.0.1:9/other' })
    const review = await owner.call('reviewShop', { path: here(), query: shopRequest({ webhook }) })
    expect(review.body.data.replaces).not.toBeNull()
    const second = await connectedShop(service, owner, here(), { webhook })
    await expect.poll(() => status(first.api_key)).toBe(401)
    expect([await status(second.api_key), await status(other.api_key)]).toEqual([200, 200])
    expect((await log(1))[0].details.replaced).toEqual([first.id])
  })

  it('is shown as broken once its key is revoked by hand, and belongs to its merchant and environment', async () => {
    const shop = await connectedShop(service, owner, here(), { webhook: 'http://127.0.0.1:9/broken' })
    const mine = async () => (await listed()).find(({ id }: { id: string }) => id === shop.id)
    await owner.call('revokeKey', { path: { ...here(), keyID: (await mine()).key_id } })
    expect((await mine()).status).toBe('broken')
    const elsewhere = await service.makeMerchant()
    const stranger = await signedIn(
      service,
      await makePerson(service, { merchantId: elsewhere, role: 'owner' }),
    )
    const path = { merchantID: elsewhere, environment: 'test', shopID: shop.id }
    expect((await stranger.call('disconnectShop', { path })).status).toBe(404)
    expect((await stranger.call('listShops', { path })).body.data).toEqual([])
  })
})

type Row = { readonly webhook_url: string }
