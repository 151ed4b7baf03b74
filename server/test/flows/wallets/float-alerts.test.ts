import { afterAll, beforeAll, expect, it } from 'vitest'
import { watchFloat } from '../../../src/app/spends/hot-wallet/watch-float.ts'
import { GateOutageError } from '../../../src/gates/gate.ts'
import { query } from '../../support/database/database.ts'
import { gateOf, payOutTo, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

const sweeps = 50n
let service: TestService
let shop: Shop
beforeAll(async () => {
  const config = { ...quiet.config, payouts: { float_sweeps: Number(sweeps) } }
  service = await startTestService({ ...quiet, config })
  shop = await openShop(service)
  for (const network of ['ethereum', 'polygon']) await shop.fund('100', 'USDT', network)
})
afterAll(() => service.stop())

const told = (words: string, gate = 'ethereum-test') =>
  service.logged.filter((line) => line.gate === gate && String(line.msg).includes(words))
const low = (gate?: string) => told('float is low', gate)
const enough = () => told('float is sufficient again')
const floatUnits = async () =>
  BigInt(
    (
      await query(
        service.database.url,
        `select balance_units::text as units from ledger_accounts
         where kind = 'float' and network = 'ethereum' and currency = 'ETH'`,
      )
    )[0]?.units ?? 0,
  )

it('a float that no longer covers the configured sweeps is reported once, and so is its recovery', async () => {
  // The sandbox funds hot wallets by itself, so nothing is reported before they need it.
  await watchFloat(service.app)
  expect(low()).toEqual([])
  await until(shop, await payOutTo(shop, 'ethereum', { currency: 'USDT', amount: '10' }), 'completed')
  await watchFloat(service.app)
  expect(low()).toEqual([])

  const gate = gateOf(service, 'ethereum')
  const { feeRate } = gate
  // A token's sweep takes 100,000 gas, and 21,000 to send the gas there.
  const exact = (await floatUnits()) / (sweeps * 121_000n)
  const at = async (rate: bigint) => {
    Object.assign(gate, { feeRate: async () => rate })
    // As several workers would call it.
    await Promise.all([watchFloat(service.app), watchFloat(service.app)])
    await watchFloat(service.app)
  }
  try {
    await at(exact)
    expect(low()).toEqual([])
    await at(exact + 1n)
    expect(low()).toMatchObject([
      {
        level: 40,
        float: expect.stringMatching(/^99\.\d+ ETH$/),
        needed: expect.stringMatching(/^\d+(\.\d+)? ETH$/),
      },
    ])
    expect(low()[0]?.hot_wallet).toBe(gate.spending.kind === 'account' ? gate.spending.hotAddress : null)
    // Barely enough is not reported: it may be too little again a minute later.
    await at(exact)
    expect([low().length, enough().length]).toEqual([1, 0])
    await at(exact / 2n)
    expect([low().length, enough().length]).toEqual([1, 1])
    await at(exact * 2n)
    expect([low().length, enough().length]).toEqual([2, 1])
  } finally {
    Object.assign(gate, { feeRate })
  }
})

it('a gate that does not answer does not prevent the checks of other gates', async () => {
  await until(shop, await payOutTo(shop, 'polygon', { currency: 'USDT', amount: '10' }), 'completed')
  const [silent, other] = [gateOf(service, 'ethereum'), gateOf(service, 'polygon')]
  const rates = [silent.feeRate, other.feeRate] as const
  Object.assign(silent, { feeRate: () => Promise.reject(new GateOutageError('no answer')) })
  Object.assign(other, { feeRate: async () => 10n ** 18n })
  try {
    await watchFloat(service.app)
    expect(low('polygon-test')).toHaveLength(1)
  } finally {
    Object.assign(silent, { feeRate: rates[0] })
    Object.assign(other, { feeRate: rates[1] })
  }
})

it('metrics show the float and the free balance of hot wallets by gate and currency', async () => {
  const { port } = service.logged.find(({ msg }) => String(msg).startsWith('metrics are served')) ?? {}
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const value = (name: string, currency: string) =>
    Number(
      new RegExp(`^${name}\\{gate="ethereum-test",currency="${currency}"\\} (\\S+)$`, 'm').exec(text)?.[1],
    )
  expect(value('sluice_float', 'ETH')).toBeCloseTo(Number(await floatUnits()) / 1e18, 9)
  expect(value('sluice_hot_wallet_free', 'ETH')).toBeCloseTo(Number(await floatUnits()) / 1e18, 9)
  expect(value('sluice_hot_wallet_free', 'USDT')).toBe(90)
})
