import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics, createMetricsServer } from '../../../src/http/metrics.ts'
import { makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { codes, resources } from '../../support/processes/resources.ts'
import { call, contractOperations } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

// The API's part is generated from the contract, so that new operations are covered automatically.
let service: TestService
let merchantId: string
let key: string

beforeAll(async () => {
  service = await startTestService()
  merchantId = await service.makeMerchant()
  key = (await service.makeKey(merchantId)).key
})
afterAll(() => service.stop())

const anyPath: Record<string, string> = Object.fromEntries([
  ...Object.entries(resources).map(([name, { unknown }]) => [name, unknown()]),
  ...Object.entries(codes).map(([name, { good }]) => [name, good[0]]),
])

describe('HEAD gets the same answer as GET, without the body', () => {
  // Ignores headers that differ between any two answers, rate limit counters, and what fetch itself asks for with HEAD.
  const ownOf = ({ headers }: Response) =>
    Object.fromEntries(
      [...headers]
        .filter(
          ([name]) =>
            !/^(date|x-request-id|ratelimit-.*|connection|keep-alive|transfer-encoding)$/.test(name),
        )
        // A page with a nonce compresses to another length each time.
        .filter(
          ([name]) =>
            name !== 'content-length' || !headers.get('content-security-policy')?.includes('nonce-'),
        )
        .map(([name, value]) => [name, value.replace(/'nonce-[^']+'/, 'nonce')]),
    )

  async function sameAsGet(url: string, headers: Record<string, string> = {}): Promise<number> {
    const [got, asked] = [await fetch(url, { headers }), await fetch(url, { method: 'HEAD', headers })]
    expect(asked.status, url).toBe(got.status)
    expect(ownOf(asked), url).toEqual(ownOf(got))
    expect(await asked.text()).toBe('')
    await got.body?.cancel()
    return got.status
  }

  it.each(contractOperations.filter(({ method }) => method === 'GET'))(
    '$id',
    async ({ path, parameters, permission }) => {
      const own: Record<string, string> = {}
      for (const { name } of parameters.filter((parameter) => parameter.in === 'path'))
        own[name] = (await resources[name]?.make(service, merchantId, 'test')) ?? anyPath[name] ?? ''
      const filled = (values: Record<string, string>) =>
        `${service.url}/api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')}`
      expect(await sameAsGet(filled(own), { 'X-API-Key': key })).toBe(200)
      if (permission !== null) expect(await sameAsGet(filled(own))).toBe(401)
      await sameAsGet(filled(anyPath), { 'X-API-Key': key })
      await sameAsGet(`${filled(own)}?limit=-1`, { 'X-API-Key': key })
    },
  )

  it.each([
    '/',
    '/favicon.ico',
    '/healthz',
    '/readyz',
    '/docs/',
    '/api/openapi.json',
    '/pay/nothing',
    '/dashboard',
  ])('%s', async (path) => {
    await sameAsGet(`${service.url}${path}`)
  })

  it('/metrics', async () => {
    const server = createMetricsServer(createMetrics(), (error) => expect.unreachable(String(error)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`
    const [got, asked] = [await fetch(url), await fetch(url, { method: 'HEAD' })]
    expect([asked.status, asked.headers.get('content-type')]).toEqual([200, got.headers.get('content-type')])
    expect(await asked.text()).toBe('')
    expect((await fetch(`${url}/other`, { method: 'HEAD' })).status).toBe(404)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it('files that pages load, a payment page, and the dashboard’s own calls', async () => {
    const page = await (await fetch(`${service.url}/dashboard`)).text()
    const [script] = /\/dashboard-assets\/main-[\w-]+\.js/.exec(page) ?? ['']
    expect(await sameAsGet(`${service.url}${script}`)).toBe(200)
    const made = await call(service.url, 'createInvoice', {
      key,
      body: '{"currency":"BTC","amount":"0.01"}',
    })
    const asked = await fetch(made.body.data.checkout_url, { method: 'HEAD' })
    expect([asked.status, asked.headers.get('content-type'), await asked.text()]).toEqual([
      200,
      'text/html; charset=utf-8',
      '',
    ])
    const owner = await signedIn(service, await makePerson(service, { merchantId, role: 'owner' }))
    const below = `${service.url}/dashboard-api/merchants/${merchantId}/test`
    const headers = { Cookie: owner.cookie ?? '', 'Sec-Fetch-Site': 'same-origin' }
    for (const path of ['overview', 'invoices', 'ledger/export'])
      expect(await sameAsGet(`${below}/${path}`, headers), path).toBe(200)
  })
})
