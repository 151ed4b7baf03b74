import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { hotKey } from '../../../src/domain/spends.ts'
import { fillHotWallets } from '../../../src/simulator/helpers/fill-hot-wallets.ts'
import { query } from '../../support/database/database.ts'
import {
  approveTogether,
  arrivals,
  breakable,
  expectCleanBooks,
  gateOf,
  newAddress,
  payOutTo,
  signOutside,
  until,
  untilSent,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectCleanBooks(service))

const reasonOf = async (shop: Shop, payout: { id: string }) => (await shop.payout(payout)).waiting_reason
const toldOperator = (payout: { id: string }, words: string) =>
  service.logged.filter(
    ({ payout: id, reason }) => id === payout.id && typeof reason === 'string' && reason.includes(words),
  )

it('while the network’s fee rate exceeds the maximum, approved and signed payouts wait with a reason', async () => {
  const shop = await openShop(service)
  for (let coins = 0; coins < 3; coins++) await shop.fund('0.2', 'LTC', 'litecoin')
  const gate = gateOf(service, 'litecoin')
  const node = breakable(service, 'litecoin')
  try {
    node.always('broadcast', 'refuses')
    const early = await payOutTo(shop, 'litecoin', { currency: 'LTC', amount: '0.1' })
    await untilSent(service, early)
    const tooDear = 'The node of Litecoin takes nothing below 501 units a virtual byte at present.'
    Object.assign(gate, { tooDear: async () => tooDear })
    const [waits, cancelled] = [
      await payOutTo(shop, 'litecoin', { currency: 'LTC', amount: '0.1' }),
      await payOutTo(shop, 'litecoin', { currency: 'LTC', amount: '0.1' }),
    ]
    for (const each of [waits, cancelled])
      await expect
        .poll(() => shop.payout(each))
        .toMatchObject({ status: 'approved', waiting_reason: tooDear })
    await expect
      .poll(() => shop.payout(early))
      .toMatchObject({
        status: 'processing',
        waiting_reason: expect.stringMatching(/^The network does not accept its transaction right now: /),
      })
    expect((await shop.cancelPayout(cancelled)).status).toBe(200)
    Object.assign(gate, { tooDear: undefined })
    node.always('broadcast', null)
    for (const each of [waits, early])
      expect(await until(shop, each, 'completed')).toMatchObject({ waiting_reason: null })
  } finally {
    node.mend()
    Object.assign(gate, { tooDear: undefined })
  }
})

it('a payout that lacks confirmed coins waits with a reason, blocks no other payout, and continues by itself', async () => {
  const [rich, other] = [await openShop(service), await openShop(service)]
  await rich.fund('1')
  const first = await payOutTo(rich, 'bitcoin', { currency: 'BTC', amount: '0.1' })
  await untilSent(service, first)
  await other.fund('0.05')
  // Funding has not confirmed the first payout's change: they were mined together and are equally deep.
  await until(rich, first, 'completed')
  const second = await payOutTo(rich, 'bitcoin', { currency: 'BTC', amount: '0.1' })
  await untilSent(service, second)

  const huge = await payOutTo(rich, 'bitcoin', { currency: 'BTC', amount: '0.7' })
  await expect.poll(() => reasonOf(rich, huge)).toContain('too few confirmed coins')
  expect(toldOperator(huge, 'too few confirmed coins')).toHaveLength(1)
  // Behind it in the queue, and another merchant's.
  const theirs = await payOutTo(other, 'bitcoin', { currency: 'BTC', amount: '0.02' })
  await untilSent(service, theirs)
  expect((await rich.payout(huge)).status).toBe('approved')
  const done = await until(rich, huge, 'completed')
  expect(done.waiting_reason).toBeNull()
  expect(toldOperator(huge, 'too few confirmed coins')).toHaveLength(1)
})

it('100 waiting payouts do not delay one that can be paid', async () => {
  const [many, one] = [await openShop(service), await openShop(service)]
  await many.fund('3', 'LTC', 'litecoin')
  await one.fund('1', 'LTC', 'litecoin')
  const payouts = await Promise.all(
    Array.from({ length: 100 }, async () =>
      many.payOut({
        currency: 'LTC',
        network: 'litecoin',
        amount: '0.02',
        destination: await newAddress('litecoin'),
      }),
    ),
  )
  // Their reserves are too small, as if fees had risen, and the balance has nothing more to take.
  const spare = (await many.balance('LTC')).available
  const gate = gateOf(service, 'litecoin')
  const { feeRate } = gate
  const rest = await many.payOut({
    currency: 'LTC',
    network: 'litecoin',
    destination: await newAddress('litecoin'),
    amount: (Number(spare) - 0.001).toFixed(6),
  })
  Object.assign(gate, { feeRate: async () => 2_000n })
  try {
    await approveTogether(many, payouts)
    await expect
      .poll(
        async () =>
          (
            await query(
              service.database.url,
              `select count(*)::int as n from payouts where merchant_id = $1 and waiting_reason is not null`,
              [many.merchantId],
            )
          )[0]?.n,
      )
      .toBe(100)
    const own = await payOutTo(one, 'litecoin', { currency: 'LTC', amount: '0.3' })
    await until(one, own, 'completed')
    expect((await many.payout(rest)).status).toBe('pending_approval')
  } finally {
    Object.assign(gate, { feeRate })
  }
  await until(many, payouts.at(-1), 'completed')
})

it('a token payout waits for gas, says where to send it, and continues when it arrives; only the sandbox funds it itself', async () => {
  const gate = gateOf(service, 'polygon')
  const real = { ...gate, simulated: null }
  expect(await fillHotWallets(service.app, real)).toBe(false)
  const shop = await openShop(service)
  await shop.fund('500', 'USDT', 'polygon')
  const payout = await payOutTo(shop, 'polygon', { currency: 'USDT', amount: '100' })
  if (gate.spending.kind !== 'account') throw new Error('polygon has accounts')
  const { hotAddress } = gate.spending
  await expect.poll(() => reasonOf(shop, payout)).toContain(`The operator can send it to ${hotAddress}`)
  expect(await reasonOf(shop, payout)).toMatch(/^The hot wallet is short of [0-9.]+ POL\b/)
  expect(toldOperator(payout, 'short of').length).toBeGreaterThan(0)
  await until(shop, payout, 'completed')
})

it('twenty payouts approved at once leave one account with consecutive nonces and all arrive', async () => {
  const shop = await openShop(service)
  await shop.fund('10', 'ETH', 'ethereum')
  const payouts = []
  for (let n = 0; n < 20; n++)
    payouts.push(
      await shop.payOut({
        currency: 'ETH',
        amount: `0.1${n + 1}`,
        destination: await newAddress('ethereum'),
      }),
    )
  await approveTogether(shop, payouts)
  for (const payout of payouts) {
    const done = await until(shop, payout, 'completed')
    expect(await arrivals(service, 'ethereum', payout.destination)).toMatchObject([{ hash: done.tx_hash }])
  }
  const [nonces] = await query(
    service.database.url,
    `select count(distinct nonce)::int as n, max(nonce)::int - min(nonce)::int + 1 as span from spends
     where gate_id = 'ethereum-test' and kind = 'payout'`,
  )
  expect(nonces).toEqual({ n: 20, span: 20 })
})

it('when the hot wallet’s key was used outside Sluice, its payouts wait with a reason and other networks continue', async () => {
  const shop = await openShop(service)
  await shop.fund('5', 'ETH', 'base')
  await until(shop, await payOutTo(shop, 'base', { currency: 'ETH', amount: '1' }), 'completed')
  const to = { address: await newAddress('base'), tag: null }
  const signed = await signOutside(service, 'base', { key: hotKey, to, units: 1_000n })
  expect(await gateOf(service, 'base').broadcast(signed)).toBeNull()
  await shop.mine(1, 'base')

  const payout = await payOutTo(shop, 'base', { currency: 'ETH', amount: '1' })
  await expect.poll(() => reasonOf(shop, payout)).toContain('its key was used outside Sluice')
  expect(toldOperator(payout, 'its key was used outside Sluice')).toHaveLength(1)
  await shop.mine(30, 'base')
  expect(await shop.payout(payout)).toMatchObject({ status: 'approved', tx_hash: null })
  await shop.fund('0.1')
  await until(shop, await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.01' }), 'completed')
  expect((await shop.cancelPayout(payout)).status).toBe(200)
})
