import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRedis, type TestRedis } from '../../support/servers/redis.ts'
import { type Answer, call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

function tally(answers: readonly Answer[]): { passed: number; refused: number } {
  const refused = answers.filter((answer) => answer.status === 429)
  for (const answer of refused) {
    const wait = Number(answer.headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(wait).toBeLessThanOrEqual(60)
    expect(answer.body.error.code).toBe('rate_limited')
    expect(answer.body.error.message).toContain(`${wait} second`)
    expect(answer.headers.get('ratelimit-remaining')).toBe('0')
  }
  return { passed: answers.length - refused.length, refused: refused.length }
}

describe('one process', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.stop())

  it('passes exactly 300 of 320 concurrent requests of one key, and does not slow another key', async () => {
    const merchantId = await service.makeMerchant()
    const { key } = await service.makeKey(merchantId)
    const answers = await Promise.all(
      Array.from({ length: 320 }, () => call(service.url, 'listEvents', { key })),
    )
    expect(tally(answers)).toEqual({ passed: 300, refused: 20 })
    const remaining = answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => headers.get('ratelimit-remaining'))
    expect(new Set(remaining).size).toBe(300)
    const other = await service.makeKey(merchantId)
    expect((await call(service.url, 'listEvents', { key: other.key })).status).toBe(200)
  })

  it('passes exactly 120 requests of one IP address on the public endpoints together', async () => {
    const answers = await Promise.all(
      Array.from({ length: 140 }, (_, n) => call(service.url, n % 2 ? 'listRates' : 'listCurrencies')),
    )
    expect(tally(answers)).toEqual({ passed: 120, refused: 20 })
  })

  it('applies the limit before it checks permission or input', async () => {
    const { key } = await service.makeKey(await service.makeMerchant(), { permissions: ['balances:read'] })
    const answers = await Promise.all(
      Array.from({ length: 301 }, () => call(service.url, 'listEvents', { key, query: 'limit=bad' })),
    )
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(300)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})

describe('two processes that share Redis', () => {
  let redis: TestRedis
  let services: TestService[]
  beforeAll(async () => {
    redis = await startRedis()
    const first = await startTestService({ env: { REDIS_URL: redis.url } })
    services = [first, await startTestService({ env: { REDIS_URL: redis.url }, database: first.database })]
  })
  afterAll(async () => {
    for (const service of services.reverse()) await service.stop()
    await redis.stop()
  })

  it('pass exactly 300 of 320 requests together, and continue separately when Redis is down', async () => {
    const [first, second] = services as [TestService, TestService]
    const { key } = await first.makeKey(await first.makeMerchant())
    const answers: Awaited<ReturnType<typeof call>>[] = []
    // In waves: both processes run in this one, and while it reads 320 requests Redis would seem not to answer.
    for (let wave = 0; wave < 16; wave++)
      answers.push(
        ...(await Promise.all(
          Array.from({ length: 20 }, (_, n) => call((n % 2 ? first : second).url, 'listEvents', { key })),
        )),
      )
    expect(tally(answers)).toEqual({ passed: 300, refused: 20 })
    await redis.kill()
    const { key: fresh } = await first.makeKey(await first.makeMerchant())
    expect((await call(first.url, 'listEvents', { key: fresh })).status).toBe(200)
    expect(first.logged.some((line) => /per process until Redis answers again/.test(String(line.msg)))).toBe(
      true,
    )
  })
})
