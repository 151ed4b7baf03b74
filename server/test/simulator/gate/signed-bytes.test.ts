import { utf8 } from '@scure/base'
import { RawTx } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AccountPlan, CoinPlan } from '../../../src/domain/spends.ts'
import type { Executable, PaidCoin, SpentCoin } from '../../../src/simulator/gate/signed-bytes.ts'
import { testReader } from '../../../src/simulator/gate/test-readers.ts'
import { currencies, networkOf, networks } from '../../support/shop/registry.ts'
import { accountPlans, assetsOn, coinAddress, coinPlans, familyOn, keyOn } from './plans.ts'

const coinNetworks = ['bitcoin', 'litecoin']
const accountNetworks = ['ethereum', 'polygon', 'xrp']
const readerOf = (networkId: string) => testReader(networkOf(networkId), currencies)
const nothing = () => undefined

/** What the chain knows of the coins that a plan spends. */
function paidFor(networkId: string, { inputs }: CoinPlan): (coin: SpentCoin) => PaidCoin | undefined {
  const coins = new Map(
    inputs.map(({ txHash, outputIndex, key, units }) => [
      `${txHash}:${outputIndex}`,
      { address: coinAddress(networkId, key), units },
    ]),
  )
  return ({ txHash, outputIndex }) => coins.get(`${txHash}:${outputIndex}`)
}

// Every byte in `npm run soak`; here one of three, which still covers every field.
const step = process.env.SLUICE_EVERY_FAULT === undefined ? 3 : 1

describe.each(coinNetworks)('signed bytes of %s', (id) => {
  const { sign } = familyOn(id)
  const { read, coinsOf } = readerOf(id)
  const currency = assetsOn(id)[0]?.currency ?? ''

  it('say exactly what the plan says', () => {
    fc.assert(
      fc.property(coinPlans(id), (plan) => {
        const { hash, bytes } = sign(plan, keyOn(id))
        const coins = plan.inputs.map(({ txHash, outputIndex }) => ({ txHash, outputIndex }))
        expect(coinsOf(bytes)).toEqual(coins)
        const size = RawTx.decode(bytes).outputs.length
        const found = read(bytes, paidFor(id, plan)) as Executable
        expect(found).toMatchObject({
          hash,
          uses: { kind: 'coins', coins },
          outputs: plan.outputs.map(({ address, units }) => ({ address, tag: null, currency, units })),
          debits: [],
          feeUnits: plan.feeUnits,
        })
        expect(found.outputs).toHaveLength(size)
        expect(found.bytes).toEqual(bytes)
      }),
      { numRuns: 15 },
    )
  })

  const [plan] = fc.sample(coinPlans(id), { numRuns: 1, seed: 7 }) as [CoinPlan]
  const { bytes } = sign(plan, keyOn(id))
  const paid = paidFor(id, plan)

  it('pay a fee rate by their size, rounded down', () => {
    const { spending } = familyOn(id)
    const { feeRate, feeUnits } = read(bytes, paid) as Executable
    if (spending.kind !== 'coins') throw new Error('This network spends coins.')
    const size = spending.sizeOf(
      plan.inputs.length,
      plan.outputs.map(({ address }) => address),
    )
    expect(feeRate).toBeGreaterThanOrEqual(feeUnits / size)
    expect(feeRate).toBeLessThanOrEqual(feeUnits / (size - 2n))
  })

  it('with any one byte changed are refused', () => {
    for (let at = 0; at < bytes.length; at += step)
      for (const change of [0x01, 0x80]) {
        const damaged = Uint8Array.from(bytes)
        damaged[at] = (damaged[at] ?? 0) ^ change
        expect(read(damaged, paid)).toHaveProperty('refused')
      }
  })

  it.each([
    ['a coin that does not exist', () => undefined, 'There is no output'],
    ['a coin of another amount', (coin: SpentCoin) => more(paid(coin), 1n), 'invalid'],
    ['a coin with another owner', (coin: SpentCoin) => elsewhere(paid(coin)), 'not the key of its coin'],
  ])('that spend %s are refused', (_, seen, reason) =>
    expect(read(bytes, seen)).toEqual({ refused: expect.stringContaining(reason) }),
  )

  const more = (coin: PaidCoin | undefined, units: bigint) => coin && { ...coin, units: coin.units + units }
  const elsewhere = (coin: PaidCoin | undefined) =>
    coin && { ...coin, address: coinAddress(id, { chain: 'deposit', index: 99 }) }

  it.each([
    ['shortened', (good: Uint8Array) => good.slice(0, -1)],
    ['with trailing bytes', (good: Uint8Array) => Uint8Array.from([...good, 0])],
    ['empty', () => new Uint8Array()],
    ['without their signatures', (good: Uint8Array) => unsigned(good)],
    ['locked until later', (good: Uint8Array) => RawTx.encode({ ...RawTx.decode(good), lockTime: 9 })],
  ])('%s are refused', (_, damage) => expect(read(damage(bytes), paid)).toHaveProperty('refused'))

  const unsigned = (good: Uint8Array) => {
    const { witnesses: _, ...rest } = RawTx.decode(good)
    return RawTx.encode({ ...rest, segwitFlag: false } as Parameters<typeof RawTx.encode>[0])
  }
})

describe.each(accountNetworks)('signed bytes of %s', (id) => {
  const { sign } = familyOn(id)
  const { read, coinsOf } = readerOf(id)
  const native = assetsOn(id).find(({ contractAddress }) => contractAddress === null)?.currency

  it('say exactly what the plan says, and are the same each time', () => {
    fc.assert(
      fc.property(accountPlans(id), (plan) => {
        const { hash, bytes } = sign(plan, keyOn(id))
        expect(sign(plan, keyOn(id))).toEqual({ hash, bytes })
        expect(coinsOf(bytes)).toEqual([])
        const { to, currency, units } = plan
        const feeUnits = plan.gasLimit * plan.gasPrice
        expect(read(bytes, nothing)).toEqual({
          hash,
          // The bytes of EVM networks are asked for again, to recognise refills.
          bytes: networkOf(id).family === 'evm' ? bytes : null,
          uses: { kind: 'account', address: plan.from.address, nonce: plan.nonce },
          outputs: [{ ...to, currency, units }],
          debits:
            currency === native
              ? [{ currency, units: units + feeUnits }]
              : [
                  { currency: native, units: feeUnits },
                  { currency, units },
                ],
          feeUnits,
          feeRate: plan.gasPrice,
        })
      }),
      { numRuns: 25 },
    )
  })

  it('that pay nothing to their own account only use up its nonce, and cost the fee', () => {
    fc.assert(
      fc.property(accountPlans(id), (plan) => {
        const { from, nonce, gasLimit, gasPrice } = plan
        const paysNothing = { to: { address: from.address, tag: null }, units: 0n }
        const asset = { currency: native ?? '', contractAddress: null }
        const { hash, bytes } = sign({ ...plan, ...paysNothing, ...asset, payoutId: null }, keyOn(id))
        expect(read(bytes, nothing)).toMatchObject({
          hash,
          uses: { kind: 'account', address: from.address, nonce },
          outputs: [],
          debits: [{ currency: native, units: gasLimit * gasPrice }],
        })
        // A payment of nothing to any other address is invalid.
        expect(() => sign({ ...plan, units: 0n }, keyOn(id))).toThrow(RangeError)
      }),
      { numRuns: 10 },
    )
  })

  const plans = fc.sample(accountPlans(id), { numRuns: 2, seed: 5 })

  it('with any one byte changed are refused, or belong to another sender and have another hash', () => {
    for (const plan of plans) {
      const { hash, bytes } = sign(plan, keyOn(id))
      for (let at = 0; at < bytes.length; at += step) {
        const damaged = Uint8Array.from(bytes)
        damaged[at] = (damaged[at] ?? 0) ^ 0x01
        const found = read(damaged, nothing)
        if ('refused' in found) continue
        // An Ethereum signature determines the signer: with another message it is another sender's transaction.
        expect(networkOf(id).family).toBe('evm')
        expect(found.hash).not.toBe(hash)
        expect(found.uses).not.toMatchObject({ address: plan.from.address })
      }
    }
  })

  it('cannot be made with a key that is not the sender’s', () => {
    for (const plan of plans) {
      const other = { chain: 'deposit', index: plan.from.key.index + 1 } as const
      // The one account of the XRP Ledger has one key, so another one must come from elsewhere.
      const key = id === 'xrp' ? new Uint8Array(32).fill(7) : keyOn(id)(other)
      expect(() => sign(plan, () => key)).toThrow('The key for')
    }
  })

  it('are refused by every other network', () => {
    const [plan] = plans as [(typeof plans)[number]]
    const { bytes } = sign(plan, keyOn(id))
    for (const network of networks)
      if (network.id !== id)
        expect(testReader(network, currencies).read(bytes, nothing)).toHaveProperty('refused')
  })

  it('are refused when shortened, lengthened or empty', () => {
    const [plan] = plans as [(typeof plans)[number]]
    const { bytes } = sign(plan, keyOn(id))
    const damaged = [
      bytes.slice(0, -1),
      Uint8Array.from([...bytes, 0x20]),
      new Uint8Array(),
      utf8.decode('null'),
    ]
    for (const wrong of damaged) {
      expect(read(wrong, nothing)).toHaveProperty('refused')
      expect(coinsOf(wrong)).toBeNull()
    }
  })
})

const sample = (id: string): AccountPlan => {
  const [plan] = fc.sample(accountPlans(id), { numRuns: 1, seed: 3 })
  if (plan === undefined) throw new Error(`There is no plan for ${id}.`)
  return plan
}

describe('no node would accept', () => {
  // The contract of a live token, which no simulated network knows.
  it.each([['ethereum', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48']])(
    'a token of %s that is not known there',
    (id, contractAddress) => {
      const { bytes } = familyOn(id).sign({ ...sample(id), currency: 'USDC', contractAddress }, keyOn(id))
      expect(readerOf(id).read(bytes, nothing)).toEqual({ refused: expect.stringContaining(contractAddress) })
    },
  )

  it('a gas limit below the minimum of any transaction', () => {
    const { bytes } = familyOn('base').sign({ ...sample('base'), gasLimit: 20_999n }, keyOn('base'))
    expect(readerOf('base').read(bytes, nothing)).toEqual({ refused: expect.stringContaining('gas limit') })
  })

  it.each([['ethereum', { units: 2n ** 256n - 1n, contractAddress: null, gasPrice: 1n }]])(
    'numbers out of range for %s',
    (id, changes) => {
      const { bytes } = familyOn(id).sign({ ...sample(id), ...changes }, keyOn(id))
      expect(readerOf(id).read(bytes, nothing)).toHaveProperty('refused')
    },
  )
})

it.each([['a fee below the ledger’s base fee', { gasPrice: 9n }, 'telINSUF_FEE_P']])(
  'a server of the XRP Ledger takes no %s',
  (_, changes, reason) => {
    const { bytes } = familyOn('xrp').sign({ ...sample('xrp'), ...changes }, keyOn('xrp'))
    expect(readerOf('xrp').read(bytes, nothing)).toEqual({ refused: expect.stringContaining(reason) })
  },
)

describe('hashes', () => {
  it.each([
    ['ethereum', /^0x[0-9a-f]{64}$/],
    ['xrp', /^[0-9A-F]{64}$/],
  ])('have the form of %s', (id, form) => {
    expect(familyOn(id).sign(sample(id), keyOn(id)).hash).toMatch(form)
  })
})
