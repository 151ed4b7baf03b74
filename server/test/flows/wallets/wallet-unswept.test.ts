import { afterAll, beforeAll, expect, it } from 'vitest'
import { hotAddressOf } from '../../../src/gates/gate.ts'
import { query } from '../../support/database/database.ts'
import { runSluice } from '../../support/processes/sluice-process.ts'
import { gateOf, payOutTo, until, untilSettled } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
})
afterAll(() => service.stop())

const run = (...args: string[]) =>
  runSluice(['wallet', 'unswept', ...args], { DATABASE_URL: service.database.serviceUrl })

it('sluice wallet unswept shows the amounts on deposit addresses, the gas to sweep them, and the float', async () => {
  await shop.fund('5', 'ETH', 'base')
  await shop.fund('7', 'ETH', 'base')
  await shop.fund('250', 'USDC', 'base')
  const rate = await gateOf(service, 'base').feeRate()
  const shown = JSON.parse((await run('--network', 'base', '--json')).stdout)
  const eth = (units: bigint) => String(Number(units) / 1e18)
  expect(shown.gates).toEqual([
    {
      gate_id: 'base-test',
      gas_currency: 'ETH',
      float: '0',
      gas: eth(rate * (2n * 21_000n + 121_000n)),
      unswept: [
        { currency: 'ETH', amount: '12', addresses: 2, gas: eth(rate * 42_000n) },
        { currency: 'USDC', amount: '250', addresses: 1, gas: eth(rate * 121_000n) },
      ],
    },
  ])
  expect((await run('--network', 'base')).stdout).toMatch(/12 ETH\s+on 2 addresses: /)
  expect((await run('--network', 'bitcoin')).stdout).toContain('no such account-based network')
})

it('a free nonce that belongs to no spend is filled, and the payouts behind it continue', async () => {
  await until(shop, await payOutTo(shop, 'base', { currency: 'ETH', amount: '1' }), 'completed')
  const gate = gateOf(service, 'base')
  const hot = hotAddressOf(gate) ?? ''
  // As after a deep reorganisation of a transaction that was accepted as sent outside Sluice.
  const next = await service.app.store.holdings.nextCount(gate.id, hot)
  await service.app.store.holdings.raiseCount(gate.id, hot, next + 1n)
  const payout = await payOutTo(shop, 'base', { currency: 'ETH', amount: '1' })
  await until(shop, payout, 'completed')
  await untilSettled(service, 'base')
  const fills = await query(
    service.database.url,
    `select nonce::int as nonce, status, units::text from spends where kind = 'fill' and from_address = $1`,
    [hot],
  )
  expect(fills).toEqual([{ nonce: Number(next), status: 'reverted', units: '0' }])
})
