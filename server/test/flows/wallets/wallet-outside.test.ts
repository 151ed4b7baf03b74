import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hotKey } from '../../../src/domain/spends.ts'
import { query } from '../../support/database/database.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import {
  expectCleanBooks,
  gateOf,
  newAddress,
  payOutTo,
  signOutside,
  until,
} from '../../support/shop/money-out.ts'
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
  runCommand(['wallet', 'outside', ...args], { DATABASE_URL: service.database.serviceUrl })
const sum = async (text: string, values: readonly unknown[]) =>
  BigInt((await query(service.database.url, text, values))[0]?.units ?? 0)
const free = () =>
  sum(`select units::text from hot_balances where gate_id = 'base-test' and currency = 'ETH'`, [])
const float = () =>
  sum(
    `select balance_units::text as units from ledger_accounts
     where kind = 'float' and network = 'base' and currency = 'ETH' and environment = 'test'`,
    [],
  )
/** The hot wallet's balance on the chain itself. */
const onChain = (address: string) =>
  sum(
    `select (coalesce((select sum(o.units) from simulated_outputs o join simulated_transactions t
         on t.gate_id = o.gate_id and t.hash = o.tx_hash and t.state = 'mined'
         where o.gate_id = 'base-test' and o.address = $1 and o.currency = 'ETH'), 0)
       - coalesce((select sum(d.units) from simulated_debits d join simulated_transactions t
         on t.gate_id = d.gate_id and t.hash = d.tx_hash and t.state = 'mined'
         where d.gate_id = 'base-test' and d.address = $1 and d.currency = 'ETH'), 0))::text as units`,
    [address],
  )

/** Runs something that must wait while another process plans spends of the gate, and then lets it continue. */
async function whilePlanned<T>(gateId: string, run: () => Promise<T>): Promise<T> {
  const planner = new pg.Client({ connectionString: service.database.url })
  await planner.connect()
  try {
    await planner.query('begin')
    await planner.query(`select pg_advisory_xact_lock(hashtextextended('plan spends of ' || $1, 0))`, [
      gateId,
    ])
    const running = run()
    await expect
      .poll(() =>
        query(
          service.database.url,
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`,
        ),
      )
      .toHaveLength(1)
    await planner.query('rollback')
    return await running
  } finally {
    await planner.end()
  }
}

it('a hot wallet used outside Sluice continues once the operator states what left, and the books match the chain', async () => {
  await shop.fund('5', 'ETH', 'base')
  await until(shop, await payOutTo(shop, 'base', { currency: 'ETH', amount: '1' }), 'completed')
  const gate = gateOf(service, 'base')
  const hot = gate.spending.kind === 'account' ? (gate.spending.hotAddress ?? '') : ''
  expect((await run('base-test')).stdout).toMatch('was not used outside Sluice: its next nonce is 1')
  // The sandbox's gas is booked first, so that only the tested steps change the float.
  await shop.mine(30, 'base')
  const [heldBefore, floatBefore] = [await onChain(hot), await float()]
  const to = { address: await newAddress('base'), tag: null }
  for (const units of [1_000n, 10n ** 17n]) {
    const signed = await signOutside(service, 'base', { key: hotKey, to, units })
    expect(await gate.broadcast(signed)).toBeNull()
    await shop.mine(1, 'base')
  }
  const left = heldBefore - (await onChain(hot))
  const stated = ['--took', `ETH=0.${String(left).padStart(18, '0')}`]
  const payout = await payOutTo(shop, 'base', { currency: 'ETH', amount: '1' })
  await expect
    .poll(async () => (await shop.payout(payout)).waiting_reason)
    .toContain('its key was used outside Sluice')

  const look = await run('base-test', '--json')
  expect(JSON.parse(look.stdout)).toEqual({
    gate_id: 'base-test',
    hot_wallet: hot,
    next_nonce: '1',
    next_nonce_of_node: '3',
    used_outside: true,
    accepted: false,
  })
  for (const [args, words] of [
    [['--accept', '2', ...stated], 'the next nonce is 3, not 2'],
    [['--accept', '3'], 'State how much ETH left'],
    [['--accept', '3', '--took', 'ETH=0'], 'above 0'],
    [['--accept', '3', '--took', 'ETH=0.1', '--took', 'BTC=1'], 'does not have BTC'],
    [['--accept', '3', '--took', 'ETH=1000000'], 'of the hot wallet is free'],
    [['--accept', 'x'], 'whole number'],
    [['--accept', '3', '--took', 'all'], 'must be like'],
  ] as const) {
    const refused = await run('base-test', ...args)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(words)])
  }
  expect(await float()).toBe(floatBefore)

  const accepted = await whilePlanned('base-test', () =>
    run('base-test', '--accept', '3', ...stated, '--as', 'alice'),
  )
  expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringContaining('continues with nonce 3')])
  expect(floatBefore - (await float())).toBe(left)
  const [noted] = await query(
    service.database.url,
    'select units::text, stated_by, first_nonce::int, next_nonce::int from outside_moves',
  )
  expect(noted).toEqual({ units: String(left), stated_by: 'cli:alice', first_nonce: 1, next_nonce: 3 })
  await until(shop, payout, 'completed')
  expect(await free()).toBe(await onChain(hot))
  await expectCleanBooks(service)
  const again = await run('base-test', '--accept', '4', ...stated)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('was not used outside')])
})

it.each([
  ['nowhere-test', 'There is no gate nowhere-test'],
  ['bitcoin-test', 'has no hot wallet with nonces'],
])('sluice wallet outside %s is refused with the reason', async (gate, words) => {
  const { code, stderr } = await run(gate)
  expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
})
