import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consolidateCoins } from '../../../src/app/spends/planning/consolidate-coins.ts'
import { listCoins } from '../../../src/app/spends/planning/list-coins.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts'
import { untilConsolidationSent } from '../../support/nodes/consolidation.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import {
  attemptsOf,
  breakable,
  expectCleanBooks,
  gateOf,
  payOutTo,
  until,
  untilSent,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../../support/shop/shop.ts'

// The commands use the database of a running service.
let database: TestDatabase
let service: TestService
let shop: Shop
beforeAll(async () => {
  database = await createTestDatabase()
  service = await startTestService({ ...quiet, database })
  shop = await openShop(service)
  await shop.fund('0.1')
})
afterAll(async () => {
  await service.stop()
  await database.drop()
})

const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const payOut = () => shop.payOut({ currency: 'BTC', amount: '0.01', destination })
const run = (...args: string[]) => runCommand(args, { DATABASE_URL: database.serviceUrl })
const whose = () => ['--merchant', shop.merchantId, '--environment', 'test']
async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

it('merchant policy sets single rules, shows amounts in the base currency, and lifts the rules again', async () => {
  const set = ['--max-payout', '1000.00', '--max-day', '2000', '--approvals', '2', '--cooling-off', '60']
  expect(await json('merchant', 'policy', ...whose(), ...set)).toEqual({
    merchant_id: shop.merchantId,
    environment: 'test',
    base_currency: 'USD',
    max_payout: '1000.00',
    max_day: '2000.00',
    known_destinations: false,
    approvals: 2,
    cooling_off_seconds: 60,
    approval: 'any',
    pending_change: null,
  })
  expect(await json('merchant', 'policy', ...whose(), '--known-destinations', 'on')).toMatchObject({
    max_payout: '1000.00',
    known_destinations: true,
    approvals: 2,
  })
  expect((await run('merchant', 'policy', ...whose())).stdout).toContain('Destinations: only known ones.')
  const lifted = [
    '--max-payout',
    'none',
    '--max-day',
    'none',
    '--approvals',
    '1',
    '--known-destinations',
    'off',
  ]
  expect(await json('merchant', 'policy', ...whose(), ...lifted, '--cooling-off', '3600')).toMatchObject({
    max_payout: null,
    max_day: null,
    approvals: 1,
    cooling_off_seconds: 3600,
  })
})

it('payouts can be listed, approved in a person’s name, and rejected', async () => {
  const [one, two] = [await payOut(), await payOut()]
  const { payouts } = await json('payout', 'list', '--status', 'pending_approval')
  expect(payouts.map(({ payout_id }: { payout_id: string }) => payout_id)).toEqual([two.id, one.id])
  expect(payouts[0]).toMatchObject({
    amount: '0.01',
    currency: 'BTC',
    destination,
    merchant_id: shop.merchantId,
  })
  const approved = await json('payout', 'approve', one.id, '--as', 'alice')
  expect(approved).toMatchObject({ status: 'approved', executable_at: expect.any(String) })
  expect(await service.app.store.payoutApprovals.list(one.id)).toMatchObject([{ approver: 'cli:alice' }])
  const refused = await run('payout', 'reject', two.id, '--as', 'bob')
  expect(refused.stdout).toContain('cancelled')
  expect((await shop.payout(two)).status).toBe('cancelled')
  expect((await shop.ledger('BTC')).at(-1)?.description).toBe('The payout was rejected by cli:bob.')
  const again = await run('payout', 'approve', two.id)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('this one is cancelled')])
})

it('the approve command says why a payout that violates the policy is not approved', async () => {
  const payout = await payOut()
  await json('merchant', 'policy', ...whose(), '--known-destinations', 'on')
  const over = await run('payout', 'approve', payout.id)
  expect(over.stdout).toContain('It is not approved: Its destination is not on the list')
  const place = ['--network', 'bitcoin', '--address', destination.toUpperCase()]
  expect(await json('merchant', 'destination', 'add', ...whose(), ...place, '--label', 'Cold')).toEqual({
    network: 'bitcoin',
    address: destination,
    tag: null,
    pending_change: null,
  })
  expect((await json('merchant', 'destination', 'list', ...whose())).destinations).toMatchObject([
    { network: 'bitcoin', address: destination, tag: null, label: 'Cold' },
  ])
  expect(await json('payout', 'approve', payout.id)).toMatchObject({ status: 'approved' })
  await json('merchant', 'destination', 'remove', ...whose(), ...place)
  expect((await run('merchant', 'destination', 'remove', ...whose(), ...place)).code).toBe(1)
})

it('merchant create and merchant update set the fees on payouts and refunds', async () => {
  const { stdout } = await run('merchant', 'create', '--name', 'x', '--payout-fee-bps', '25', '--json')
  const { merchant_id: id } = JSON.parse(stdout)
  expect(await json('merchant', 'update', id, '--refund-fee-bps', '10')).toMatchObject({
    fee_bps: 0,
    payout_fee_bps: 25,
    refund_fee_bps: 10,
  })
})

describe('a payout whose coin was reorganised away', () => {
  async function orphaned() {
    const owner = await openShop(service)
    const invoice = await owner.create({ currency: 'LTC', network: 'litecoin', amount: '5' })
    const deposit = await owner.pay(invoice, '5')
    await owner.mine(6, 'litecoin')
    const payout = await payOutTo(owner, 'litecoin', { currency: 'LTC', amount: '3' })
    await untilSent(service, payout)
    const [attempt] = await attemptsOf(service, payout)
    return { owner, invoice, deposit, payout, spend: attempt?.spend_id as string }
  }

  it('is given up only when the operator names the spend, and then gives everything back once', async () => {
    const { owner, deposit, payout, spend } = await orphaned()
    const early = await run('payout', 'give-up', payout.id, '--never-mined', spend)
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('waits for a block')])
    await owner.mine(1, 'litecoin')
    const mined = await run('payout', 'give-up', payout.id, '--never-mined', spend)
    expect([mined.code, mined.stderr]).toEqual([1, expect.stringContaining('is in block')])
    await service.app.store.simulatedChains.reorganise('litecoin-test', 7, [deposit])
    await settle(service, 'litecoin-test')
    expect((await owner.payout(payout)).status).toBe('processing')

    for (const words of [[], ['--never-mined', payout.id]]) {
      const unsure = await run('payout', 'give-up', payout.id, ...words)
      expect([unsure.code, unsure.stdout]).toEqual([1, ''])
      expect(unsure.stderr).toMatch(/^IT IS NOT PROVED/m)
      expect(unsure.stderr).toContain(`${deposit}:`)
      expect(unsure.stderr).toContain(`--never-mined ${spend}`)
    }
    expect((await owner.payout(payout)).status).toBe('processing')
    await owner.told()
    const named = ['--never-mined', spend, '--as', 'alice']
    expect(await json('payout', 'give-up', payout.id, ...named)).toMatchObject({
      payout_id: payout.id,
      status: 'failed',
      spend_id: spend,
      failure_reason: expect.stringMatching(/reorganised away for good .* as cli:alice has stated/),
    })
    expect(await owner.told()).toEqual(['payout.failed'])
    expect(await owner.balance('LTC')).toMatchObject({ available: '0', reserved: '0' })
    const again = await run('payout', 'give-up', payout.id, ...named)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('this one is failed')])
    await expectCleanBooks(service)
  })

  it('is never given up while all its coins exist or its account’s nonce is unused', async () => {
    const owner = await openShop(service)
    for (const [network, currency, funds, amount, words] of [
      ['litecoin', 'LTC', '5', '3', 'Every coin that it spends is on the chain'],
      ['xrp', 'XRP', '500', '50', 'Its nonce is not used yet'],
    ] as const) {
      await owner.fund(funds, currency, network)
      const node = breakable(service, network)
      try {
        node.always('broadcast', 'refuses')
        const payout = await payOutTo(owner, network, { currency, amount })
        await untilSent(service, payout)
        const [attempt] = await attemptsOf(service, payout)
        const { code, stderr } = await run('payout', 'give-up', payout.id, '--never-mined', attempt?.spend_id)
        expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
        node.always('broadcast', null)
        await until(owner, payout, 'completed')
      } finally {
        node.mend()
      }
    }
  })
})

it('a consolidation whose coin was reorganised away is given up only by name, which frees its other coins', async () => {
  const owner = await openShop(service)
  const deposits: string[] = []
  for (let made = 0; made < 6; made++)
    deposits.push(
      await owner.pay(await owner.create({ currency: 'LTC', network: 'litecoin', amount: '0.01' }), '0.01'),
    )
  await owner.mine(6, 'litecoin')
  const gate = gateOf(service, 'litecoin')
  expect(await consolidateCoins(service.app, gate, { belowRate: 2n, coins: 5, maxInputs: 3 })).toBe(true)
  const { id, plan } = await untilConsolidationSent(service, gate.id)
  const early = await run('wallet', 'give-up', id, '--never-mined', id)
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('waits for a block')])
  const used = plan.inputs.map(({ txHash }: { txHash: string }) => txHash)
  expect(used.every((hash: string) => deposits.includes(hash))).toBe(true)
  await service.app.store.simulatedChains.reorganise(gate.id, 6, [used[0]])
  await settle(service, gate.id)

  const unsure = await run('wallet', 'give-up', id)
  expect([unsure.code, unsure.stderr]).toEqual([
    1,
    expect.stringContaining('THESE COINS CAN NEVER BE CONSOLIDATED'),
  ])
  expect(unsure.stderr).toContain(`${used[0]}:`)
  expect(await json('wallet', 'give-up', id, '--never-mined', id, '--as', 'alice')).toMatchObject({
    spend_id: id,
    gate_id: gate.id,
    reason: expect.stringContaining('as cli:alice has stated'),
  })
  await owner.mine(6, 'litecoin')
  const free = (await listCoins(service.app, gate.id)).coins.filter(({ state }) => state === 'spendable')
  expect(free.map(({ txHash }) => txHash)).toEqual(expect.arrayContaining(used.slice(1)))
  const again = await run('wallet', 'give-up', id)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('this one is dead')])
  await expectCleanBooks(service)
})

const unknown = '01890000-0000-7000-8000-000000000000'
it.each([
  [['payout', 'approve', unknown], 'There is no such payout'],
  [['payout', 'approve', 'x'], 'a UUID'],
  [['payout', 'give-up', unknown], 'There is no such payout'],
  [['payout', 'give-up', unknown, '--never-mined', 'x'], 'a UUID'],
  [['wallet', 'give-up', unknown], 'There is no such consolidation'],
  [['payout', 'approve', unknown, '--as', 'a b'], 'must not contain spaces'],
  [['merchant', 'policy', '--merchant', unknown, '--environment', 'test'], 'There is no merchant'],
  [
    ['merchant', 'destination', 'list', '--merchant', unknown, '--environment', 'test'],
    'There is no merchant',
  ],
])('sluice %j is refused with the reason', async (args, words) => {
  const { code, stderr } = await run(...args)
  expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
})

it.each([
  [['--max-payout', '0'], 'above 0'],
  [['--max-payout', '1.001'], 'at most 2 digits'],
  [['--cooling-off', '2592001'], 'from 0 to 2592000'],
])('the policy %j is refused with the reason', async (args, words) => {
  const { code, stderr } = await run('merchant', 'policy', ...whose(), ...args)
  expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
})

it('a live address is refused as a destination in the test environment', async () => {
  const place = ['--network', 'bitcoin', '--address', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4']
  const { code, stderr } = await run('merchant', 'destination', 'add', ...whose(), ...place)
  expect([code, stderr]).toEqual([1, expect.stringContaining('not a valid address')])
})
