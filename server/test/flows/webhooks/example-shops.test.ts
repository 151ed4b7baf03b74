import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeKey } from '../../../src/app/keys/revoke-key.ts'
import { makeSecret, signedHeaders } from '../../../src/domain/webhooks.ts'
import { blocksOf } from '../../support/pages/claims.ts'
import { root } from '../../support/pages/code-blocks.ts'
import {
  type Example,
  express,
  fastapi,
  laravel,
  nextHandlers,
  type Shop as RunningShop,
  startShop,
  whole,
} from '../../support/pages/example-shop.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { eventually } from '../../support/servers/hook-receiver.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { quiet, type Row, Shop } from '../../support/shop/shop.ts'

// Next.js takes ten seconds of a processor to build, and an installation a minute: left to `npm run soak`.
const isEvery = process.env.SLUICE_EVERY_EXAMPLE !== undefined
const examples: readonly Example[] = [
  express,
  fastapi,
  laravel,
  nextHandlers,
  ...(isEvery ? ['express-shop', 'nextjs'].map(whole) : []),
]

const examplePages = ['express-shop', 'fastapi', 'laravel', 'nextjs'].map(
  (name) => `examples/${name}/README.md`,
)
const linesOf = (name: string) =>
  (blocksOf('example shops', `examples/${name}/README.md`)[0]?.text ?? '').split('\n')

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())

describe.each(examples)('the shop in examples/$name', ({ name, prepare, fetches, user }) => {
  let temporary: string
  let shop: Shop
  let keyId: string
  let running: RunningShop
  let secret: string

  beforeAll(async () => {
    const merchantId = await service.makeMerchant()
    const made = await service.makeKey(merchantId)
    keyId = made.keyId
    shop = new Shop(service, merchantId, made.key)
    mkdirSync(join(root, 'tmp'), { recursive: true })
    temporary = mkdtempSync(join(user === undefined ? join(root, 'tmp') : tmpdir(), 'example-'))
    if (user?.uid !== undefined) await chown(temporary, user.uid, user.gid ?? user.uid)
    const folder = await prepare(temporary)
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}/webhooks/sluice`
    const endpoint = await shop.expect(201, 'createWebhookEndpoint', {
      json: { url, events: ['invoice.paid'] },
    })
    secret = endpoint.body.data.secret
    const lines = linesOf(name)
    expect(lines.filter((line) => fetches.includes(line))).toEqual(fetches)
    // What a reader puts in.
    const filled = lines.map((line) => line.replace('sk_test_…', shop.key).replace('whsec_…', secret))
    running = await startShop(
      { folder, lines: filled.filter((line) => !fetches.includes(line)), user },
      {
        HOME: temporary,
        PORT: port,
        SHOP_URL: `http://127.0.0.1:${port}`,
        APP_URL: `http://127.0.0.1:${port}`,
        SLUICE_URL: `${service.url}/api`,
        DATABASE: join(temporary, 'shop.db'),
        // A client that is not installed.
        ...(user === undefined && { PYTHONPATH: join(root, 'clients/python/src') }),
        // Several processes, as behind a web server.
        PHP_CLI_SERVER_WORKERS: '4',
        NEXT_TELEMETRY_DISABLED: '1',
      },
    )
  })
  afterAll(async () => {
    await running?.stop()
    rmSync(temporary, { recursive: true, force: true })
  })

  const shown = async (id: string) => (await fetch(`${running.url}/orders/${id}`)).text()
  const shipped = () => running.said().match(/ship [0-9a-f-]{36}/g) ?? []
  const send = async (body: string, id: string, by: string) => {
    const headers = signedHeaders([by], { id, timestampSeconds: Math.floor(Date.now() / 1000), body })
    return (await fetch(`${running.url}/webhooks/sluice`, { method: 'POST', headers, body })).status
  }
  const order = () => {
    // A browser may ask for any price.
    const body = new URLSearchParams({
      amount: '0.01',
      amount_fiat: '0.01',
      price: '0.01',
      fiat_currency: 'JPY',
    })
    return fetch(`${running.url}/orders?amount_fiat=0.01`, { method: 'POST', body, redirect: 'manual' })
  }
  /** Buys, and returns the invoice. */
  async function buy(): Promise<Row> {
    const answer = await order()
    expect(answer.status, running.said()).toBe(303)
    const { body } = await shop.expect(200, 'listInvoices', { query: { limit: '1' } })
    const [invoice] = body.data
    expect(answer.headers.get('location')).toBe(invoice.checkout_url)
    expect(invoice).toMatchObject({
      amount_fiat: '49.90',
      fiat_currency: 'USD',
      idempotency_key: invoice.external_id,
    })
    expect(invoice.redirect_url).toBe(`${running.url}/orders/${invoice.external_id}`)
    return invoice
  }

  it('sells: an invoice, the payment page, a signed webhook, and one shipment', async () => {
    const bought = await buy()
    expect(await shown(bought.external_id)).toContain('Your order is open')
    const { body } = await shop.activate(bought, { currency: 'BTC' })
    await shop.pay(body.data, body.data.amount)
    await shop.mine(body.data.required_confirmations)
    await eventually(async () => expect(await shown(bought.external_id)).toContain('Your order is paid'))
    await eventually(() => expect(shipped()).toEqual([`ship ${bought.external_id}`]))

    const events = await shop.expect(200, 'listEvents', { query: { limit: '100' } })
    const paid = events.body.data.find(({ event }: Row) => event === 'invoice.paid')
    expect(await send(JSON.stringify(paid), paid.id, secret)).toBe(204)
    expect(shipped()).toHaveLength(1)
  })

  /** A webhook as Sluice would send it for this invoice. */
  const paidEvent = async (bought: Row, id: string) => {
    const data = { ...(await shop.get(bought)), status: 'paid' }
    return JSON.stringify({
      id,
      event: 'invoice.paid',
      created_at: bought.created_at,
      environment: 'test',
      data,
    })
  }

  it('ships once when the same webhook arrives many times at once', async () => {
    const bought = await buy()
    const id = 'evt_019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8d'
    const body = await paidEvent(bought, id)
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(body, id, secret)))
    expect(answers).toEqual(answers.map(() => 204))
    // Its log is a stream, so the line may come after the answers; a second one would be there already or before the next.
    const ofIt = () => shipped().filter((line) => line === `ship ${bought.external_id}`)
    await eventually(() => expect(ofIt()).toHaveLength(1))
    const next = await buy()
    expect(await send(await paidEvent(next, `${id.slice(0, -1)}c`), `${id.slice(0, -1)}c`, secret)).toBe(204)
    await eventually(() => expect(shipped()).toContain(`ship ${next.external_id}`))
    expect(ofIt()).toHaveLength(1)
  })

  it('refuses a forged webhook', async () => {
    const bought = await buy()
    const id = 'evt_019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e'
    const event = await paidEvent(bought, id)
    expect(await send(event, id, makeSecret(randomBytes))).toBe(400)
    const unsigned = { method: 'POST', body: event }
    expect((await fetch(`${running.url}/webhooks/sluice`, unsigned)).status).toBe(400)
    expect(await shown(bought.external_id)).toContain('Your order is open')
    expect(shipped()).not.toContain(`ship ${bought.external_id}`)
    // The same with the right secret is taken, so it was the signature that was refused.
    expect(await send(event, id, secret)).toBe(204)
    expect(await shown(bought.external_id)).toContain('Your order is paid')
  })

  it('tells customers that it failed and never why, and its own log why', async () => {
    await revokeKey(service.app, { actor: 'cli:test', name: 'test', ip: null, userAgent: null }, keyId)
    let answer = await order()
    await eventually(async () => {
      answer = await order()
      expect(answer.status).not.toBe(303)
    })
    expect([answer.status, await answer.text()]).toEqual([
      503,
      'That did not work. Please try again in a minute.',
    ])
    expect(running.said()).toContain('API key')
    expect(running.said()).not.toContain(shop.key)
  })
})

it('each shop has one block on its page, which is run', () => {
  const pages = blocksOf('example shops').map(({ page }) => page)
  expect(pages.sort()).toEqual(examplePages)
})

it('what the shops depend on is pinned, and the clients are where their files say', () => {
  const requirements = readFileSync(join(root, 'examples/fastapi/requirements.txt'), 'utf8')
    .trim()
    .split('\n')
  expect(requirements.filter((line) => !/^[\w.-]+==\d[\w.]*$/.test(line))).toEqual([])
  for (const name of ['fastapi', 'uvicorn', 'starlette', 'pydantic'])
    expect(requirements.some((line) => line.startsWith(`${name}==`))).toBe(true)
  const composer = JSON.parse(readFileSync(join(root, 'examples/laravel/composer.json'), 'utf8'))
  const client = join(root, 'examples/laravel', composer.repositories[0].url, 'composer.json')
  const { name } = JSON.parse(readFileSync(client, 'utf8'))
  expect(Object.keys(composer.require)).toContain(name)
})
