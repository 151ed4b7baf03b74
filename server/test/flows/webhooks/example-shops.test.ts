import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSecret, signedHeaders } from '../../../src/domain/webhooks.ts'
import { blocksOf } from '../../support/pages/claims.ts'
import { root } from '../../support/pages/code-blocks.ts'
import {
  express,
  fastapi,
  laravel,
  nextHandlers,
  nextjs,
  type Shop as RunningShop,
  startShop,
} from '../../support/pages/example-shop.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { eventually } from '../../support/servers/hook-receiver.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { quiet, type Row, Shop } from '../../support/shop/shop.ts'

// Next.js takes ten seconds of a processor to build: left to `npm run soak`.
const whole = process.env.SLUICE_EVERY_EXAMPLE !== undefined
const examples = [express, fastapi, laravel, whole ? nextjs : nextHandlers]

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())

describe.each(examples)('the shop in examples/$name', ({ name, prepare, fetches }) => {
  let temporary: string
  let shop: Shop
  let running: RunningShop
  let secret: string

  beforeAll(async () => {
    const merchantId = await service.makeMerchant()
    shop = new Shop(service, merchantId, (await service.makeKey(merchantId)).key)
    mkdirSync(join(root, 'tmp'), { recursive: true })
    temporary = mkdtempSync(join(root, 'tmp/example-'))
    const folder = await prepare(temporary)
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}/webhooks/sluice`
    const endpoint = await shop.expect(201, 'createWebhookEndpoint', {
      json: { url, events: ['invoice.paid'] },
    })
    secret = endpoint.body.data.secret
    const [block] = blocksOf('example shops', `examples/${name}/README.md`)
    const lines = (block?.text ?? '').split('\n').flatMap((line) => line.split(' && '))
    expect(lines.filter((line) => fetches.test(line))).toHaveLength(1)
    running = await startShop(
      folder,
      lines.filter((line) => !fetches.test(line)),
      {
        PORT: port,
        SHOP_URL: `http://127.0.0.1:${port}`,
        APP_URL: `http://127.0.0.1:${port}`,
        SLUICE_URL: `${service.url}/api`,
        SLUICE_API_KEY: shop.key,
        SLUICE_WEBHOOK_SECRET: secret,
        DATABASE: join(temporary, 'shop.db'),
        PYTHONPATH: join(root, 'clients/python/src'),
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
  /** Buys, and returns the invoice. */
  async function buy(): Promise<Row> {
    const answer = await fetch(`${running.url}/orders`, { method: 'POST', redirect: 'manual' })
    expect(answer.status, running.said()).toBe(303)
    const { body } = await shop.expect(200, 'listInvoices', { query: { limit: '1' } })
    const [invoice] = body.data
    expect(answer.headers.get('location')).toBe(invoice.checkout_url)
    expect(invoice).toMatchObject({ amount_fiat: '49.90', idempotency_key: invoice.external_id })
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
    expect(shipped()).toEqual([`ship ${bought.external_id}`])

    const events = await shop.expect(200, 'listEvents', { query: { limit: '100' } })
    const paid = events.body.data.find(({ event }: Row) => event === 'invoice.paid')
    expect(await send(JSON.stringify(paid), paid.id, secret)).toBe(204)
    expect(shipped()).toHaveLength(1)
  })

  it('refuses a forged webhook', async () => {
    const bought = await buy()
    const id = 'evt_019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e'
    const data = { ...(await shop.get(bought)), status: 'paid' }
    const event = { id, event: 'invoice.paid', created_at: bought.created_at, environment: 'test', data }
    const before = shipped().length
    expect(await send(JSON.stringify(event), id, makeSecret(randomBytes))).toBe(400)
    const unsigned = { method: 'POST', body: JSON.stringify(event) }
    expect((await fetch(`${running.url}/webhooks/sluice`, unsigned)).status).toBe(400)
    expect(await shown(bought.external_id)).toContain('Your order is open')
    expect(shipped()).toHaveLength(before)
    // The same with the right secret is taken, so it was the signature that was refused.
    expect(await send(JSON.stringify(event), id, secret)).toBe(204)
    expect(await shown(bought.external_id)).toContain('Your order is paid')
  })
})

it('the Python packages that a reader installs are those of Debian or newer, and the client is where the pages say', () => {
  const requirements = readFileSync(join(root, 'examples/fastapi/requirements.txt'), 'utf8')
  expect(requirements).toBe('fastapi>=0.92\nuvicorn>=0.17\n')
  const composer = JSON.parse(readFileSync(join(root, 'examples/laravel/composer.json'), 'utf8'))
  const client = join(root, 'examples/laravel', composer.repositories[0].url, 'composer.json')
  const { name } = JSON.parse(readFileSync(client, 'utf8'))
  expect(Object.keys(composer.require)).toContain(name)
})
