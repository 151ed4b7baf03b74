import { afterAll, beforeAll, expect, it } from 'vitest'
import { followChain } from '../../../src/app/chain/follow-chain.ts'
import type { Caller } from '../../../src/domain/caller.ts'
import { OutageError } from '../../../src/domain/errors.ts'
import type { Gate } from '../../../src/gates/gate.ts'
import { deposit } from '../../../src/simulator/helpers/deposit.ts'
import { mineBlocks } from '../../../src/simulator/helpers/mine-blocks.ts'
import { reorganise } from '../../../src/simulator/helpers/reorganise.ts'
import { settleGate, within } from '../../../src/simulator/helpers/settle-gate.ts'
import { query } from '../../support/database/database.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
let stranger: Shop
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
  stranger = await openShop(service)
})
afterAll(() => service.stop())

const outcome = async (of: Shop, operation: string, json: object, path: Record<string, string> = {}) => {
  const { status, body } = await of.call(operation, { json, path })
  return [status, body.error?.code ?? null]
}

it('a test deposit can go only to the caller’s own addresses', async () => {
  const invoice = await shop.create()
  const deposit = { address: invoice.deposit_address, amount: '0.01', currency: 'BTC' }
  expect(await outcome(stranger, 'createTestDeposit', deposit)).toEqual([404, 'not_found'])
  for (const address of ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'nowhere', '__proto__']) {
    expect(await outcome(shop, 'createTestDeposit', { ...deposit, address })).toEqual([404, 'not_found'])
  }
  // The address is unknown on another network's chain.
  const elsewhere = { ...deposit, currency: 'LTC' }
  expect(await outcome(shop, 'createTestDeposit', elsewhere)).toEqual([404, 'not_found'])
  expect((await shop.get(invoice)).payments).toEqual([])
})

it('where addresses have a tag, the address without its tag is not found', async () => {
  const { deposit_address, deposit_address_tag } = await shop.create({ currency: 'XRP', amount: '20' })
  const deposit = { address: deposit_address, amount: '20', currency: 'XRP' }
  for (const address_tag of [null, '0', `${deposit_address_tag}0`, `0${deposit_address_tag}`]) {
    expect(await outcome(shop, 'createTestDeposit', { ...deposit, address_tag })).toEqual([404, 'not_found'])
  }
  const tagged = { ...deposit, address_tag: deposit_address_tag }
  expect(await outcome(stranger, 'createTestDeposit', tagged)).toEqual([404, 'not_found'])
  expect(await outcome(shop, 'createTestDeposit', tagged)).toEqual([201, null])
})

it.each([
  ['an amount of zero', { amount: '0' }],
  ['too many decimals', { amount: '0.000000001' }],
  ['an amount that no transaction can carry', { amount: '92233720368.54775808' }],
  ['an unknown currency', { currency: 'NOPE' }],
  ['an unknown network', { network: 'nowhere' }],
  ['an unknown field', { fee: '1' }],
  ['a numeric amount', { amount: 1 }],
])('a deposit with %s gets 400', async (_, wrong) => {
  const { deposit_address: address } = await shop.create()
  const deposit = { address, amount: '0.01', currency: 'BTC', ...wrong }
  expect(await outcome(shop, 'createTestDeposit', deposit)).toEqual([400, 'validation_error'])
})

it('a full mempool refuses a payment until a block is mined', async () => {
  const invoice = await shop.create({ currency: 'ETH', network: 'base', amount: '1' })
  await shop.mine(1, 'base')
  await query(
    service.database.url,
    `insert into simulated_transactions (gate_id, hash, fee_units, fee_rate)
     select 'base-test', n, 5, 5 from generate_series(1, 5000) n`,
  )
  const deposit = { address: invoice.deposit_address, amount: '1', currency: 'ETH', network: 'base' }
  expect(await outcome(shop, 'createTestDeposit', deposit)).toEqual([400, 'invalid_state'])
  await shop.mine(1, 'base')
  expect(await outcome(shop, 'createTestDeposit', deposit)).toEqual([201, null])
})

it('an ended window is visible at once, however soon after it the chain was scanned', async () => {
  const shop = await openShop(service)
  // Three in a hundred were still pending, when the scan fell into the same millisecond.
  for (let n = 0; n < 50; n++) expect((await shop.expire(await shop.create())).status).toBe('expired')
})

it('every effect is visible when the helper has answered', async () => {
  for (let round = 0; round < 10; round++) {
    const invoice = await shop.create()
    await shop.pay(invoice, '0.01')
    expect((await shop.get(invoice)).amount_pending).toBe('0.01')
    await shop.mine(2)
    expect((await shop.get(invoice)).status).toBe('paid')
    const expired = await shop.create()
    expect((await shop.expire(expired)).status).toBe('expired')
    expect((await shop.get(expired)).status).toBe('expired')
  }
})

it('effects are visible at once even when many callers use helpers at the same time', async () => {
  const shops = await Promise.all(Array.from({ length: 5 }, () => openShop(service)))
  await Promise.all(
    shops.map(async (each) => {
      for (let round = 0; round < 5; round++) {
        const invoice = await each.create()
        const expired = await each.create()
        await each.pay(invoice, '0.01')
        expect((await each.get(invoice)).payments).toHaveLength(1)
        expect((await each.expire(expired)).status).toBe('expired')
        await each.mine(2)
        expect((await each.get(invoice)).status).toBe('paid')
      }
    }),
  )
})

it('an outage after its effect does not fail a helper, because the caller would repeat it', async () => {
  const { app } = service
  const cut = () => Promise.reject(new OutageError('The connection was cut.'))
  const broken = {
    ...app,
    store: { ...app.store, followedChains: { ...app.store.followedChains, find: cut } },
  }
  const caller = { merchantId: shop.merchantId, environment: 'test' } as Caller
  const invoice = await shop.create()
  const { txHash } = await deposit(broken, caller, {
    address: invoice.deposit_address,
    tag: null,
    amount: '0.01',
    currency: 'BTC',
    network: null,
  })
  const { tip } = await mineBlocks(broken, caller, { network: 'bitcoin', count: 1 })
  const again = await reorganise(broken, caller, { network: 'bitcoin', depth: 1, drop: [] })
  expect(again.tip.height).toBe(tip.height + 1n)
  expect(await within(0, async () => false)).toBe(false)
  // A worker does the rest.
  await shop.mine(1)
  expect((await shop.get(invoice)).payments).toMatchObject([{ tx_hash: txHash, status: 'confirmed' }])
})

it('a chain that moves while it is read does not count as unchanged', async () => {
  const gate = service.app.gates.find('optimism-test')
  if (gate === null) throw new Error('no gate')
  let blocks = 3
  // As of a node that cannot show its tip and its mempool at once.
  const { look: _, ...separate } = gate
  const moving: Gate = {
    ...separate,
    async pending(watched) {
      if (blocks-- > 0) await service.app.store.simulatedChains.mine(gate.id, 1)
      return gate.pending(watched)
    },
  }
  expect(await followChain(service.app, moving, { evenIfHeld: true })).toBe('moving')
  await settleGate(service.app, moving)
  const chain = await service.app.store.followedChains.find(gate.id)
  expect(chain?.tip).toEqual(await gate.tip())
})

it('blocks can be mined 1 to 200 at a time on a known network, whose name may be in any case', async () => {
  const height = await shop.mine(1, 'Litecoin')
  expect(await shop.mine(200, 'litecoin')).toBe(height + 200)
  for (const count of [0, 201, -1, 1.5, '1']) {
    expect(await outcome(shop, 'mineTestBlocks', { network: 'bitcoin', count })).toEqual([
      400,
      'validation_error',
    ])
  }
  expect(await outcome(shop, 'mineTestBlocks', { network: 'nowhere', count: 1 })).toEqual([
    400,
    'validation_error',
  ])
  expect(await outcome(shop, 'mineTestBlocks', { network: 'bitcoin' })).toEqual([400, 'validation_error'])
})

it('a reorganisation is no deeper than the chain is high', async () => {
  const height = await shop.mine(3, 'arbitrum')
  const answer = await shop.call('reorganiseTestChain', { json: { network: 'arbitrum', depth: height + 1 } })
  expect(answer.body.error.details).toEqual([expect.stringMatching(`^/depth: must be at most ${height}`)])
  expect(await shop.reorganise(height, [], 'arbitrum')).toBe(height + 1)
  for (const depth of [0, 101, -1, 1.5]) {
    expect(await outcome(shop, 'reorganiseTestChain', { network: 'bitcoin', depth })).toEqual([
      400,
      'validation_error',
    ])
  }
  const elsewhere = { network: 'nowhere', depth: 1 }
  expect(await outcome(shop, 'reorganiseTestChain', elsewhere)).toEqual([400, 'validation_error'])
})

it('only the caller’s own transactions can be dropped, and only from replaced blocks', async () => {
  await shop.mine(5)
  const [mine, foreign] = [await shop.create(), await stranger.create()]
  const [ours, theirs] = [await shop.pay(mine, '0.01'), await stranger.pay(foreign, '0.01')]
  await shop.mine(2)
  const answer = await shop.call('reorganiseTestChain', {
    json: { network: 'bitcoin', depth: 2, drop: [ours, theirs, 'f'.repeat(64)] },
  })
  expect(answer.status).toBe(400)
  expect(answer.body.error.details).toEqual([
    expect.stringMatching(/^\/drop\/1: /),
    expect.stringMatching(/^\/drop\/2: /),
  ])
  expect((await shop.get(mine)).status).toBe('paid')
  expect((await stranger.get(foreign)).status).toBe('paid')

  const tooOld = await shop.call('reorganiseTestChain', {
    json: { network: 'bitcoin', depth: 1, drop: [ours] },
  })
  expect(tooOld.status).toBe(400)
  expect((await shop.get(mine)).status).toBe('paid')

  await shop.reorganise(2, [ours])
  expect((await shop.get(mine)).status).toBe('pending')
  expect((await stranger.get(foreign)).status).toBe('paid')
})

it('another merchant’s invoice can be neither activated nor expired', async () => {
  const { id: invoiceID } = await shop.create({ amount_fiat: '10', fiat_currency: 'USD' })
  const pick = { currency: 'BTC' }
  expect(await outcome(stranger, 'activateTestInvoice', pick, { invoiceID })).toEqual([404, 'not_found'])
  expect(await outcome(stranger, 'expireTestInvoice', {}, { invoiceID })).toEqual([404, 'not_found'])
  expect((await shop.get({ id: invoiceID })).status).toBe('pending')
})

it('a gate goes offline for one merchant only, and only for new invoices', async () => {
  const before = await shop.create({ currency: 'SOL', amount: '1' })
  await shop.setGate('solana', 'offline')
  await shop.setGate('solana', 'offline')
  const sol = { currency: 'SOL', amount: '1' }
  expect(await outcome(shop, 'createInvoice', sol)).toEqual([503, 'gate_offline'])
  expect(await outcome(shop, 'createInvoice', { ...sol, currency: 'USDC', network: 'solana' })).toEqual([
    503,
    'gate_offline',
  ])
  expect(await outcome(shop, 'createInvoice', { currency: 'BTC', amount: '1' })).toEqual([201, null])
  expect(await outcome(stranger, 'createInvoice', sol)).toEqual([201, null])
  await shop.pay(before, '1')
  await shop.mine(32, 'solana')
  expect((await shop.get(before)).status).toBe('paid')
  const { body } = await call(service.url, 'listCurrencies', { query: { environment: 'test' } })
  const solana = body.data.find(({ code }: { code: string }) => code === 'SOL').networks[0]
  expect(solana.status).toBe('online')
  await shop.setGate('SOLANA', 'online')
  expect(await outcome(shop, 'createInvoice', sol)).toEqual([201, null])
  expect(await outcome(shop, 'setTestGate', { network: 'nowhere', status: 'online' })).toEqual([
    400,
    'validation_error',
  ])
  expect(await outcome(shop, 'setTestGate', { network: 'solana', status: 'broken' })).toEqual([
    400,
    'validation_error',
  ])
})

it.each([
  ['createTestDeposit', { address: 'x', amount: '1', currency: 'BTC' }],
  ['mineTestBlocks', { network: 'bitcoin', count: 1 }],
  ['reorganiseTestChain', { network: 'bitcoin', depth: 1 }],
  ['setTestGate', { network: 'bitcoin', status: 'offline' }],
  ['activateTestInvoice', { currency: 'BTC' }],
  ['expireTestInvoice', {}],
])('%s refuses a live key', async (operation, json) => {
  const { key } = await service.makeKey(shop.merchantId, { environment: 'live' })
  const { id: invoiceID } = await shop.create({ amount_fiat: '10', fiat_currency: 'USD' })
  expect((await shop.call(operation, { key, json, path: { invoiceID } })).status).toBe(401)
})

it('no block is mined automatically where that is switched off', async () => {
  const invoice = await shop.create({ currency: 'POL', amount: '1' })
  await shop.pay(invoice, '1')
  const [chain] = await query(
    service.database.url,
    `select height from simulated_chains where gate_id = 'polygon-test'`,
  )
  expect(chain).toEqual({ height: '0' })
})
