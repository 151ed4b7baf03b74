import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import {
  arrivals,
  attemptsOf,
  expectCleanBooks,
  gateOf,
  newAddress,
  payOutTo,
  until,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
  await shop.fund('10', 'SOL', 'solana')
  await shop.fund('100', 'USDC', 'solana')
})
afterEach(() => expectCleanBooks(service))
afterAll(() => service.stop())

it.each([
  { currency: 'SOL', memo: 'für 42' },
  { currency: 'USDC', memo: '漢'.repeat(170) },
])('a payout of $currency carries its memo in the signed bytes', async ({ currency, memo }) => {
  const destination = await newAddress('solana')
  const more = { currency, amount: '2', destination, destination_tag: memo }
  const payout = await payOutTo(shop, 'solana', more)
  expect(payout).toMatchObject({ destination_tag: memo })
  const done = await until(shop, payout, 'completed')
  expect(await arrivals(service, 'solana', destination)).toMatchObject([{ hash: done.tx_hash }])
  const [attempt] = await attemptsOf(service, payout)
  const read = gateOf(service, 'solana').read(Buffer.from(attempt?.bytes ?? '', 'hex'))
  expect('actions' in read && read.actions.at(-1)).toEqual({ kind: 'memo', text: memo })
})

it('a memo that does not fit is refused by its length in bytes', async () => {
  const json = {
    currency: 'SOL',
    network: 'solana',
    amount: '0.1',
    destination: await newAddress('solana'),
    destination_tag: '漢'.repeat(171),
  }
  const answer = await shop.call('createPayout', { json })
  expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
    422,
    'invalid_destination',
    ['/destination_tag: must have 1 to 512 bytes in UTF-8, and has 513'],
  ])
})

it('deposits have no memo, and the list of currencies says that payouts may have one', async () => {
  const invoice = await shop.create({ currency: 'SOL', network: 'solana', amount: '1' })
  expect(invoice.deposit_address_tag).toBeNull()
  const { data } = (await shop.expect(200, 'listCurrencies')).body
  const sol = data.find(({ code }: { code: string }) => code === 'SOL')
  expect(sol.networks[0].tag).toEqual({ name: 'Memo', required: false })
})
