import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())

const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const order = (key: string, amount = '0.01', more: object = {}) => ({
  currency: 'BTC',
  amount,
  destination,
  idempotency_key: key,
  ...more,
})

const create = (shop: Shop, payouts: readonly object[]) => shop.call('createPayouts', { json: { payouts } })
async function results(shop: Shop, payouts: readonly object[]): Promise<Row[]> {
  const answer = await create(shop, payouts)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const count = async (shop: Shop) => (await shop.expect(200, 'listPayouts')).body.meta.pagination.total

it('creates each payout, and says for each that is refused why', async () => {
  const shop = await openShop(service)
  await shop.fund('1')
  const made = await results(shop, [
    order('a', '0.01', { description: 'Anna', network: null }),
    order('b', '0.02', { destination: 'nowhere' }),
    order('c', '0.03', { currency: 'NOPE' }),
    order('d', '0.000000001'),
    order('e', '0.05'),
  ])
  expect(made.map(({ payout, error }) => payout?.amount ?? error.code)).toEqual([
    '0.01',
    'invalid_destination',
    'validation_error',
    'validation_error',
    '0.05',
  ])
  expect(made[2].error.details).toEqual([
    '/currency: is not a supported currency; GET /v1/currencies lists them',
  ])
  expect(made.map(({ outcome }) => outcome)).toEqual(['created', 'refused', 'refused', 'refused', 'created'])
  expect(await count(shop)).toBe(2)
  const alone = (await shop.expect(200, 'getPayout', { path: { payoutID: made[0].payout.id } })).body.data
  expect(made[0].payout).toEqual(alone)
  await expectSoundBooks(service.database.url)
})

it('a request sent again creates nothing twice, alone or with others', async () => {
  const shop = await openShop(service)
  await shop.fund('1')
  const orders = [order('a'), order('b', '0.02')]
  const first = await results(shop, orders)
  const again = await results(shop, [...orders, order('c', '0.03')])
  expect(again.map(({ payout, outcome }) => [payout.id, outcome])).toEqual([
    [first[0].payout.id, 'replayed'],
    [first[1].payout.id, 'replayed'],
    [expect.any(String), 'created'],
  ])
  const [other] = await results(shop, [order('a', '0.5')])
  expect(other.error.code).toBe('idempotency_key_mismatch')
  const single = await shop.expect(201, 'createPayout', { json: order('a') })
  expect(single.body.data.id).toBe(first[0].payout.id)
  expect(await count(shop)).toBe(3)
  const together = await Promise.all([results(shop, orders), results(shop, orders), results(shop, orders)])
  for (const each of together)
    expect(each.map(({ payout }) => payout.id)).toEqual(first.map(({ payout }) => payout.id))
})

it('reserves in order: when the balance runs out, the last ones are refused', async () => {
  const shop = await openShop(service)
  await shop.fund('0.1')
  const made = await results(
    shop,
    Array.from({ length: 30 }, (_, n) => order(`n${n}`, '0.009')),
  )
  const firstRefused = made.findIndex(({ error }) => error !== null)
  expect(firstRefused).toBeGreaterThan(8)
  expect(made.slice(firstRefused).every(({ error }) => error?.code === 'insufficient_balance')).toBe(true)
  expect(await count(shop)).toBe(firstRefused)
  await expectSoundBooks(service.database.url)
})

it('refuses a malformed request as a whole, and creates nothing', async () => {
  const shop = await openShop(service)
  await shop.fund('1')
  const details = async (payouts: readonly object[]) => {
    const answer = await create(shop, payouts)
    expect(answer.status, answer.text).toBe(400)
    return answer.body.error.details
  }
  const { idempotency_key: _, ...keyless } = order('x')
  expect(await details([order('a'), keyless])).toEqual(['/payouts/1/idempotency_key: is required'])
  expect(await details([order('a'), order('b', '1e3')])).toEqual([
    '/payouts/1/amount: must be a decimal such as 0.01, without sign or exponent',
  ])
  expect(await details([order('a'), order('b'), order('a', '0.02')])).toEqual([
    '/payouts/2/idempotency_key: is also that of /payouts/0',
  ])
  expect(await details([])).toEqual(['/payouts: must not be empty'])
  expect(await details(Array.from({ length: 101 }, (_, n) => order(`n${n}`)))).toEqual([
    '/payouts: must have at most 100 items',
  ])
  expect(await count(shop)).toBe(0)
})
