import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

const maxDepth = 3
let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startTestService({
    ...quiet,
    config: { ...quiet.config, chains: { max_reorganisation_depth: maxDepth } },
  })
  shop = await openShop(service)
  await shop.mine(10)
})
afterAll(() => service.stop())

const statusOf = async (network: string) => {
  const { body } = await call(service.url, 'listCurrencies', { query: { environment: 'test' } })
  return new Set(
    body.data
      .flatMap(({ networks }: { networks: { network: string; status: string }[] }) => networks)
      .filter((row: { network: string }) => row.network === network)
      .map(({ status }: { status: string }) => status),
  )
}

it('a reorganisation of the maximum depth is followed', async () => {
  const invoice = await shop.create()
  const txHash = await shop.pay(invoice, '0.01')
  await shop.mine(maxDepth)
  await shop.reorganise(maxDepth, [txHash])
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending' })
})

it('the helper refuses a reorganisation that would halt the gate for every merchant', async () => {
  const answer = await shop.call('reorganiseTestChain', { json: { network: 'bitcoin', depth: maxDepth + 1 } })
  expect(answer.status).toBe(400)
  expect(answer.body.error.details).toEqual([expect.stringMatching(/^\/depth: must be at most 3/)])
})

it('a deeper reorganisation halts only its gate: nothing is booked, the operator is told, and other networks continue', async () => {
  const invoice = await shop.create()
  const txHash = await shop.pay(invoice, '0.01')
  await shop.mine(maxDepth + 1)
  const open = await shop.create()
  await shop.told()
  const before = await shop.ledger('BTC')
  await service.app.store.simulatedChains.reorganise('bitcoin-test', maxDepth + 1, [txHash])

  await expect.poll(() => statusOf('bitcoin')).toEqual(new Set(['offline']))
  expect(await statusOf('litecoin')).toEqual(new Set(['online']))
  expect(service.logged.filter(({ gate, level }) => gate === 'bitcoin-test' && level === 60)).toEqual([
    expect.objectContaining({ reason: expect.stringContaining('deeper than 3 blocks') }),
  ])

  const refused = await shop.call('createInvoice', { json: { currency: 'BTC', amount: '0.01' } })
  expect([refused.status, refused.body.error.code]).toEqual([503, 'gate_offline'])
  expect((await shop.call('createAddress', { json: { currency: 'BTC' } })).status).toBe(503)

  await shop.mine(5)
  const shown = await shop.expire(open)
  expect(shown.status).toBe('pending')
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '0.01' })
  expect(await shop.ledger('BTC')).toEqual(before)
  expect(await shop.told()).toEqual([])
  expect((await shop.get(open)).status).toBe('pending')

  const litecoin = await shop.create({ currency: 'LTC', amount: '1' })
  await shop.pay(litecoin, '1')
  await shop.mine(6, 'litecoin')
  expect((await shop.get(litecoin)).status).toBe('paid')
  const [chain] = await query(
    service.database.url,
    `select halted_at is not null as halted from followed_chains where gate_id = 'bitcoin-test'`,
  )
  expect(chain).toEqual({ halted: true })
})
