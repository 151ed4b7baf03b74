import { mnemonicToSeedSync } from '@scure/bip39'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bitcoin } from '../../../src/domain/networks/bitcoin.ts'
import type { GateId } from '../../../src/domain/networks/network.ts'
import { type AccountPlan, type Coin, type CoinPlan, hotKey } from '../../../src/domain/spends.ts'
import { bitcoinAccountKey } from '../../../src/gates/bitcoin/account-key.ts'
import { bitcoinColdWallet } from '../../../src/gates/bitcoin/cold-key.ts'
import { type Desk, deskWords, elsewhere, openDesk } from '../../support/signer/signer-desk.ts'
import { limitsOf } from '../../support/signer/signer-limits.ts'

const operatorsWords = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const seed = mnemonicToSeedSync(operatorsWords)
const coldKey = bitcoinAccountKey(seed, bitcoin, 'test')
const coldAddress = elsewhere.otherBitcoin
const coldAccount = '0x52908400098527886E0F7030069857D2E4169EE7'
const atAddress = new Map<GateId, string>([
  ['bitcoin-test', coldAddress],
  ['ethereum-test', coldAccount],
])
const atKey = new Map<GateId, string>([['bitcoin-test', coldKey]])
const cold = bitcoinColdWallet(bitcoin.rules.test, coldKey)
const derived = (index: number) => ('refused' in cold ? '' : (cold.addressAt(index) ?? ''))

let desk: Desk
let coins: Coin[]
beforeEach(async () => {
  desk = await openDesk()
  coins = [await desk.coin(300_000n, 0), await desk.coin(200_000n, 1)]
})
afterEach(() => desk.close())

type ColdOutput = { address?: string; index?: number | null; units?: bigint; feeUnits?: bigint }

function coldPlan(
  inputs: readonly Coin[],
  { address = coldAddress, index = null, units = 400_000n, feeUnits = 1_000n }: ColdOutput = {},
): CoinPlan {
  const sum = inputs.reduce((total, coin) => total + coin.units, 0n)
  const own = desk.wallet.addressAt('bitcoin', { chain: 'own', index: 3 }) ?? ''
  return {
    kind: 'coins',
    inputs,
    outputs: [
      { address, units, payoutId: null },
      { address: own, units: sum - units - feeUnits, payoutId: null },
    ],
    change: { outputIndex: 1, index: 3 },
    cold: { outputIndex: 0, index },
    feeUnits,
  }
}

const put = (plan: CoinPlan) => desk.plan(plan, [], { kind: 'cold' })
const onEthereum = (changes: Partial<AccountPlan> = {}) =>
  desk.plan(desk.emptyPlan({ to: { address: coldAccount, tag: null }, units: 10n ** 18n, ...changes }), [], {
    kind: 'cold',
    gateId: 'ethereum-test',
  })

it('coins go to the address that the signer’s own settings name, with the change back to us', async () => {
  const spendId = await put(coldPlan(coins))
  expect(await desk.sign({ cold: atAddress })).toBe(1)
  expect((await desk.outcome(spendId)).hash).toMatch(/^[0-9a-f]{64}$/)
  expect(desk.journal().all()).toMatchObject([{ spendId, kind: 'cold', feeKind: 'cold' }])
})

it('while another cold wallet waits to count, neither is paid', async () => {
  const changed = new Map(atAddress).set('bitcoin-test', elsewhere.bitcoin)
  for (const standing of [
    [atAddress, changed],
    [changed, atAddress],
    [new Map(), atAddress],
    [atAddress, new Map()],
  ]) {
    const spendId = await put(coldPlan(coins))
    expect(await desk.sign({ cold: standing })).toBe(0)
    expect((await desk.outcome(spendId)).refusal).toMatch('was changed')
  }
})

it.each<[string, (plan: CoinPlan) => CoinPlan, string]>([
  [
    'pays a thief',
    (plan) => ({
      ...plan,
      outputs: [{ ...plan.outputs[0], address: elsewhere.bitcoin } as never, plan.outputs[1] as never],
    }),
    'does not pay the cold wallet',
  ],
  [
    'has its change at a thief',
    (plan) => ({
      ...plan,
      outputs: [plan.outputs[0] as never, { ...plan.outputs[1], address: elsewhere.bitcoin } as never],
    }),
    'more than the cold wallet',
  ],
  [
    'pays a thief besides',
    (plan) => ({
      ...plan,
      outputs: [
        { ...plan.outputs[0], units: 300_000n } as never,
        plan.outputs[1] as never,
        { address: elsewhere.bitcoin, units: 100_000n, payoutId: null },
      ],
    }),
    'more than the cold wallet',
  ],
  [
    'pays the cold wallet twice',
    (plan) => ({
      ...plan,
      outputs: [
        { ...plan.outputs[0], units: 300_000n } as never,
        plan.outputs[1] as never,
        { address: coldAddress, units: 100_000n, payoutId: null },
      ],
    }),
    'more than the cold wallet',
  ],
  [
    'calls the cold wallet’s output its change',
    (plan) => ({ ...plan, change: { outputIndex: 0, index: 3 } }),
    'more than',
  ],
  ['names no output to the cold wallet', ({ cold: _, ...plan }) => plan, 'does not pay the cold wallet'],
  [
    'names an index of an address',
    (plan) => ({ ...plan, cold: { outputIndex: 0, index: 0 } }),
    'does not pay the cold',
  ],
  [
    'names an output that it does not have',
    (plan) => ({ ...plan, cold: { outputIndex: 7, index: null } }),
    'does not pay',
  ],
  ['does not add up', (plan) => ({ ...plan, feeUnits: 999n }), 'does not add up'],
  [
    'spends a coin twice',
    (plan) => ({ ...plan, inputs: [coins[0], coins[0]] as never }),
    'spends a coin twice',
  ],
  ['pays too high a fee', () => coldPlan(coins, { feeUnits: 50_000n }), 'higher than the signer allows'],
])('a move that %s is not signed', async (_, change, words) => {
  const spendId = await put(change(coldPlan(coins)))
  const limits = { ...limitsOf(), maxFees: new Map([['bitcoin', 40_000n]]) }
  expect(await desk.sign({ cold: atAddress, limits })).toBe(0)
  expect(await desk.outcome(spendId)).toMatchObject({ hash: null, refusal: expect.stringContaining(words) })
  expect(desk.journal().all()).toEqual([])
})

it('without a cold wallet in the signer’s own settings nothing goes to one, even if the database names one', async () => {
  const [onBitcoin, other] = [await put(coldPlan(coins)), await onEthereum()]
  expect(await desk.sign()).toBe(0)
  for (const spendId of [onBitcoin, other])
    expect((await desk.outcome(spendId)).refusal).toContain('The signer has no cold wallet on')
  // For good, so that nothing waits behind it.
  const refused = await desk.app.store.spends.refusedForGood(0, 10)
  expect(refused.map(({ id }) => id)).toEqual([other])
})

it('an output to the cold wallet is allowed in no other kind of spend', async () => {
  const plan = coldPlan(coins)
  const spendId = await desk.plan(plan, [], { kind: 'consolidation' })
  expect(await desk.sign({ cold: atAddress })).toBe(0)
  expect((await desk.outcome(spendId)).refusal).toContain('Only a move to the cold wallet')
})

it('addresses below an extended key are derived by the signer, and a plan cannot name one that it does not derive', async () => {
  const right = await put(coldPlan(coins, { address: derived(0), index: 0 }))
  expect(await desk.sign({ cold: atKey })).toBe(1)
  expect((await desk.outcome(right)).hash).not.toBeNull()
  const fresh = [await desk.coin(500_000n, 2)]
  for (const [address, index] of [
    [derived(1), 2],
    [derived(1), null],
    [elsewhere.bitcoin, 1],
  ] as const) {
    const spendId = await put(coldPlan(fresh, { address, index }))
    expect(await desk.sign({ cold: atKey })).toBe(0)
    expect((await desk.outcome(spendId)).refusal).toContain('does not pay the cold wallet')
  }
})

it('an index beyond the gap that wallets look across is refused; one within it is signed', async () => {
  const [far, near] = [[await desk.coin(500_000n, 3)], [await desk.coin(500_000n, 4)]]
  const lost = await put(coldPlan(far, { address: derived(20), index: 20 }))
  const found = await put(coldPlan(near, { address: derived(19), index: 19 }))
  expect(await desk.sign({ cold: atKey })).toBe(1)
  expect((await desk.outcome(lost)).refusal).toContain('too far from those that were used')
  expect((await desk.outcome(found)).hash).not.toBeNull()
  // The journal remembers which were used, and the window moves with them.
  await desk.reopenJournal()
  const later = await put(coldPlan(coins, { address: derived(39), index: 39 }))
  expect(await desk.sign({ cold: atKey })).toBe(2)
  expect((await desk.outcome(later)).hash).not.toBeNull()
})

it('only the fee counts toward limits, and moves that would burn more than a day’s fees are refused', async () => {
  const limits = {
    ...limitsOf([{ network: 'bitcoin', currency: 'BTC', per_payout: '0.00001', per_day: '0.00009' }]),
    maxFeesPerDay: new Map([['bitcoin', 2_500n]]),
  }
  const spends: string[] = []
  for (let at = 5; at < 8; at++) spends.push(await put(coldPlan([await desk.coin(500_000n, at)])))
  expect(await desk.sign({ cold: atAddress, limits })).toBe(2)
  const outcomes = await Promise.all(spends.map((spendId) => desk.outcome(spendId)))
  expect(outcomes.filter(({ hash }) => hash !== null)).toHaveLength(2)
  expect(outcomes.find(({ hash }) => hash === null)?.refusal).toContain(
    'for the fees of moves to the cold wallet',
  )
})

it('native currency and tokens go from the hot wallet to the cold wallet', async () => {
  const token = desk.wallet.network('ethereum').assets.find(({ currency }) => currency === 'USDT')
  const [native, tokens] = [
    await onEthereum(),
    await onEthereum({
      nonce: 1n,
      currency: 'USDT',
      contractAddress: token?.contractAddress ?? '',
      units: 5_000_000n,
      gasLimit: 100_000n,
    }),
  ]
  expect(await desk.sign({ cold: atAddress })).toBe(2)
  for (const spendId of [native, tokens]) expect((await desk.outcome(spendId)).hash).not.toBeNull()
})

it.each<[string, () => Partial<AccountPlan>, string]>([
  [
    'pays a thief',
    () => ({ to: { address: elsewhere.ethereum, tag: null } }),
    'does not pay the cold wallet',
  ],
  ['names a tag', () => ({ to: { address: coldAccount, tag: '7' } }), 'does not pay the cold wallet'],
  ['moves nothing', () => ({ units: 0n }), 'more than the cold wallet'],
  ['names another contract', () => ({ contractAddress: elsewhere.ethereum }), 'currency or contract'],
  [
    'spends from a deposit address',
    () => {
      const key = { chain: 'deposit', index: 0 } as const
      return { from: { address: desk.wallet.addressAt('ethereum', key) ?? '', key } }
    },
    'does not spend from the hot wallet',
  ],
  ['pays too much for gas', () => ({ gasPrice: 10n ** 15n }), 'higher than the signer allows'],
])('a transfer that %s is not signed', async (_, changes, words) => {
  const spendId = await onEthereum(changes())
  expect(await desk.sign({ cold: atAddress })).toBe(0)
  expect(await desk.outcome(spendId)).toMatchObject({ hash: null, refusal: expect.stringContaining(words) })
})

it('a refused transfer can be cancelled, so that payouts behind its nonce continue', async () => {
  const spendId = await onEthereum({ to: { address: elsewhere.ethereum, tag: null } })
  expect(await desk.sign({ cold: atAddress })).toBe(0)
  await desk.app.store.spends.addAttempt(spendId, 2, desk.emptyPlan())
  expect(await desk.sign({ cold: atAddress })).toBe(1)
  expect((await desk.outcome(spendId, 2)).hash).not.toBeNull()
})

it('a signer killed before its signature is stored signs the same bytes again, and only once', async () => {
  const spendId = await put(coldPlan(coins))
  const onJournaled = () => Promise.reject(new Error('killed'))
  await expect(desk.sign({ cold: atAddress, onJournaled })).rejects.toThrow('killed')
  expect((await desk.outcome(spendId)).hash).toBeNull()
  const journal = await desk.reopenJournal()
  expect(await desk.sign({ cold: atAddress })).toBe(1)
  expect(journal.all()).toMatchObject([{ hash: (await desk.outcome(spendId)).hash }])
})

it('our own addresses and keys are no cold wallet', async () => {
  const own = bitcoinAccountKey(mnemonicToSeedSync(deskWords), bitcoin, 'test')
  const destinations = [
    own,
    desk.wallet.addressAt('bitcoin', { chain: 'deposit', index: 7 }) ?? '',
    desk.wallet.addressAt('bitcoin', { chain: 'own', index: 2 }) ?? '',
  ]
  for (const destination of destinations)
    expect(desk.wallet.coldWallet('bitcoin', destination)).toEqual({
      refused: expect.stringContaining('belongs to'),
    })
  const hot = desk.wallet.addressAt('ethereum', hotKey) ?? ''
  expect(desk.wallet.coldWallet('ethereum', hot)).toEqual({ refused: expect.stringContaining('belongs to') })
})
