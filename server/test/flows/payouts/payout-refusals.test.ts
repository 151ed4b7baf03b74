import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { CoinPlan } from '../../../src/domain/spends.ts'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { call } from '../../support/shop/contract-client.ts'
import { attemptsOf, payOutTo, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
  await shop.fund('0.1')
  await shop.fund('1', 'ETH', 'ethereum')
  await shop.fund('100', 'USDT', 'ethereum')
  await shop.fund('100', 'XRP', 'xrp')
  await shop.fund('10', 'SOL', 'solana')
})
afterAll(() => service.stop())
afterEach(() => expectSoundBooks(service.database.url))

const good = {
  BTC: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  ETH: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  XRP: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
  SOL: '4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA',
}
const amounts = { BTC: '0.001', ETH: '0.01', XRP: '1', SOL: '0.1' }
type Code = keyof typeof good

const bodyOf = (code: Code, destination: string, tag?: string) => ({
  currency: code,
  amount: amounts[code],
  destination,
  ...(tag !== undefined && { destination_tag: tag }),
})
const nothingReserved = async () => {
  const { data } = (await shop.expect(200, 'listBalances')).body
  expect(data.map(({ reserved }: { reserved: string }) => reserved)).toEqual(data.map(() => '0'))
  expect(await query(service.database.url, 'select from payouts where status <> $1', ['cancelled'])).toEqual(
    [],
  )
}
async function expectRefused(json: object, code = 'invalid_destination', status = 422) {
  const answer = await shop.call('createPayout', { json })
  expect([answer.status, answer.body.error?.code], JSON.stringify(json)).toEqual([status, code])
  return answer.body.error
}

describe.each(['BTC', 'ETH', 'XRP'] as const)('a good %s address', (code) => {
  const tag = code === 'XRP' ? '7' : undefined
  it('is accepted, and every single-character mutation of it is refused without a reserve', async () => {
    const address = good[code]
    const fine = await shop.payOut(bodyOf(code, address, tag))
    expect(fine.destination).toBe(address)
    await shop.cancelPayout(fine)
    const letters = code === 'ETH' ? '0123456789abcdefABCDEF' : 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
    const mutations = [...address].flatMap((letter, at) =>
      [...letters]
        .filter((other) => other.toLowerCase() !== letter.toLowerCase())
        // Two characters per position are enough: the position decides which ones, spread over the alphabet.
        .filter((_, n) => n % 12 === at % 12)
        .map((other) => address.slice(0, at) + other + address.slice(at + 1)),
    )
    const cut = [address.slice(1), address.slice(0, -1), `${address}q`, ` ${address}`, `${address}\n`]
    const answers = await Promise.all(
      [...mutations, ...cut].map((each) => shop.call('createPayout', { json: bodyOf(code, each, tag) })),
    )
    expect(mutations.length).toBeGreaterThan(40)
    expect(answers.filter((answer) => answer.body.error?.code !== 'invalid_destination')).toEqual([])
    await nothingReserved()
  })
})

it.each<[what: string, code: Code, destination: string, tag?: string]>([
  ['a mainnet address in test', 'BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['an address of another network', 'BTC', 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0'],
  ['an address of another family', 'BTC', good.ETH],
  ['a bitcoin address for ether', 'ETH', good.BTC],
  ['a wrong checksum', 'ETH', good.ETH.replace('fB', 'Fb')],
  ['a tag where there are none', 'BTC', good.BTC, '7'],
  ['a missing required tag', 'XRP', good.XRP],
  ['a malformed tag', 'XRP', good.XRP, '-1'],
  ['a tag that is too large', 'XRP', good.XRP, '4294967296'],
  ['no address at all', 'SOL', 'nowhere'],
])('%s is refused as a destination', async (_, code, destination, tag) => {
  await expectRefused(bodyOf(code, destination, tag))
  await nothingReserved()
})

it('a token’s contract is refused as a destination', async () => {
  const gate = service.app.gates.find('ethereum-test')
  const usdt = gate?.assets.find(({ currency }) => currency === 'USDT')
  await expectRefused({
    currency: 'USDT',
    network: 'ethereum',
    amount: '5',
    destination: usdt?.contractAddress,
  })
  await nothingReserved()
})

it.each([
  ['bitcoin', { currency: 'BTC', amount: '0.001' }],
  ['ethereum', { currency: 'ETH', amount: '0.01' }],
  ['solana', { currency: 'SOL', amount: '0.1' }],
])(
  'our own deposit addresses on %s are refused as destinations, whichever merchant has them',
  async (_, json) => {
    const stranger = await openShop(service)
    for (const owner of [shop, stranger]) {
      const { deposit_address: own } = await owner.create(json)
      const error = await expectRefused({ ...json, destination: own })
      expect(error.details).toEqual(['/destination: is an address of this service'])
      await expectRefused({ ...json, destination: json.currency === 'SOL' ? own : own.toUpperCase() })
    }
    // An address given out for another EVM network is ours as well.
    if (json.currency === 'ETH') {
      const { deposit_address: other } = await shop.create({
        currency: 'ETH',
        network: 'base',
        amount: '0.01',
      })
      await expectRefused({ ...json, destination: other })
    }
    await nothingReserved()
  },
)

it('our XRP account is refused as a destination, with any tag', async () => {
  const { deposit_address: own } = await shop.create({ currency: 'XRP', amount: '1' })
  for (const tag of ['1', '7', '4294967295']) await expectRefused(bodyOf('XRP', own, tag))
  await nothingReserved()
})

it('the hot wallet is refused as a destination', async () => {
  const gate = service.app.gates.find('ethereum-test')
  if (gate?.spending.kind !== 'account' || gate.spending.hotAddress === null)
    throw new Error('ethereum has a hot wallet')
  await expectRefused(bodyOf('ETH', gate.spending.hotAddress))
  await nothingReserved()
})

it('an amount below the network’s minimum is refused before the destination is checked', async () => {
  await expectRefused({ ...bodyOf('BTC', 'nowhere'), amount: '0.00000999' }, 'amount_too_small')
})

it.each([
  [{ currency: 'NOPE' }, /^\/currency: /],
  [{ currency: 'USD' }, /^\/currency: /],
  [{ currency: 'USDT' }, /^\/network: is required/],
  [{ network: 'litecoin' }, /^\/network: must be one of/],
  [{ amount: '0' }, /^\/amount: must be greater/],
  [{ amount: '0.000000001' }, /^\/amount: must have at most 8/],
  [{ destination: '' }, /^\/destination: /],
  [{ destination: 'x'.repeat(257) }, /^\/destination: /],
  [{ destination_tag: 'x'.repeat(257) }, /^\/destination_tag: /],
])('%j is refused as invalid', async (wrong, detail) => {
  const error = await expectRefused({ ...bodyOf('BTC', good.BTC), ...wrong }, 'validation_error', 400)
  expect(error.details[0]).toMatch(detail)
})

it('an invalid payout on an offline network gets its own error, and a valid one gate_offline', async () => {
  await shop.setGate('bitcoin', 'offline')
  const json = bodyOf('BTC', good.BTC)
  await expectRefused(json, 'gate_offline', 503)
  await expectRefused({ ...json, destination: 'nowhere' })
  await expectRefused({ ...json, amount: '5' }, 'insufficient_balance')
  await expectRefused({ ...json, amount: '0.000001' }, 'amount_too_small')
  await shop.setGate('bitcoin', 'online')
  await nothingReserved()
  await shop.cancelPayout(await shop.payOut(json))
})

it('a network whose fee rate cannot be read is offline for payouts, but a missing balance is reported first', async () => {
  const other = await openShop(service)
  await other.fund('10', 'LTC', 'litecoin')
  const { gates } = service.app
  const { GateOutageError } = await import('../../../src/gates/gate.ts')
  const broken = {
    ...gates,
    find(id: string) {
      const gate = gates.find(id)
      const feeRate = () => Promise.reject(new GateOutageError('no answer'))
      return gate === null || id !== 'litecoin-test' ? gate : { ...gate, feeRate }
    },
  }
  Object.assign(service.app, { gates: broken })
  const json = { currency: 'LTC', destination: 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0' }
  const offline = await other.call('createPayout', { json: { ...json, amount: '1' } })
  const poor = await other.call('createPayout', { json: { ...json, amount: '11' } })
  Object.assign(service.app, { gates })
  expect(offline.body.error?.code).toBe('gate_offline')
  expect(poor.body.error?.code).toBe('insufficient_balance')
  expect((await other.call('createPayout', { json: { ...json, amount: '1' } })).status).toBe(201)
})

it('a live payout without a live gate gets 503', async () => {
  const { key } = await service.makeKey(shop.merchantId, { environment: 'live' })
  const live = await call(service.url, 'createPayout', { key, body: JSON.stringify(bodyOf('BTC', good.BTC)) })
  expect([live.status, live.body.error.code]).toEqual([503, 'gate_offline'])
})

it.each([
  ['bitcoin', 'BTC', '0.1', '0.001'],
  ['litecoin', 'LTC', '10', '0.1'],
])(
  'a change address of ours on %s is refused as a destination, even after it was spent',
  async (network, currency, funds, amount) => {
    const other = await openShop(service)
    await other.fund(funds, currency, network)
    const changes = []
    for (let n = 0; n < 2; n++) {
      const payout = await payOutTo(other, network, { currency, amount })
      await until(other, payout, 'completed')
      const [{ plan }] = (await attemptsOf(service, payout)) as [{ plan: CoinPlan }]
      changes.push(plan.outputs[plan.change?.outputIndex ?? -1]?.address ?? '')
    }
    expect(new Set(changes).size).toBe(2)
    for (const address of changes) {
      const json = { currency, network, amount, destination: address }
      const { status, body } = await other.call('createPayout', { json })
      expect([status, body.error?.code]).toEqual([422, 'invalid_destination'])
      expect(body.error.details).toEqual(['/destination: is an address of this service'])
      expect(
        (await other.call('createPayout', { json: { ...json, destination: address.toUpperCase() } })).status,
      ).toBe(422)
    }
  },
)
