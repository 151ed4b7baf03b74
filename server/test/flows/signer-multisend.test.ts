import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { currencies } from '../../src/domain/assets.ts'
import type { Payout } from '../../src/domain/payouts.ts'
import { type AccountPlan, hotKey } from '../../src/domain/spends.ts'
import { openWallet } from '../../src/signer/wallet.ts'
import { type Desk, deskWords, elsewhere, openDesk } from '../support/signer-desk.ts'
import { limitsOf } from '../support/signer-limits.ts'

const contract = '0xD152f549545093347A162Dce210e7293f1452150'
const gateId = 'ethereum-test' as const
const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const token = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const tokens = [
  { code: 'USDT', contract: token, decimals: 6 },
  { code: 'USDC', contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
]
const walletWith = (multisend: string | null, multisendAllowances = { USDT: '100' }) =>
  openWallet(
    deskWords,
    'test',
    currencies,
    new Map([[gateId, { kind: 'evm', chainId: 31_337, tokens, multisend, multisendAllowances }]]),
  )

let desk: Desk
beforeEach(async () => {
  desk = await openDesk({ wallet: await walletWith(contract) })
})
afterEach(() => desk.close())

const order = {
  ...{ network: 'ethereum', currency: 'ETH', amountUnits: 10n ** 15n, networkFeeUnits: 10n ** 15n },
}
const two = async (): Promise<[Payout, Payout]> => [
  await desk.payout({ ...order, destination: elsewhere.ethereum }),
  await desk.payout({ ...order, destination: other, amountUnits: 2n * 10n ** 15n }),
]

function shared(payouts: readonly Payout[], changes: Partial<AccountPlan> = {}): AccountPlan {
  return {
    ...{ kind: 'account', from: { address: desk.wallet.addressAt('ethereum', hotKey) ?? '', key: hotKey } },
    ...{ nonce: 0n, to: { address: contract, tag: null }, currency: 'ETH', contractAddress: null },
    units: payouts.reduce((sum, { amountUnits }) => sum + amountUnits, 0n),
    ...{ gasLimit: 120_000n, gasPrice: 10n ** 9n, payoutId: null },
    outputs: payouts.map(({ id, destination, amountUnits }) => ({
      ...{ address: destination, units: amountUnits, payoutId: id },
    })),
    ...changes,
  }
}

it('a transaction that pays several is signed, and the journal knows every one of its payouts', async () => {
  const payouts = await two()
  const spendId = await desk.plan(shared(payouts), payouts, { gateId })
  expect(await desk.sign()).toBe(1)
  const { hash } = await desk.outcome(spendId)
  for (const { id } of payouts) {
    expect(desk.journal().ofPayout(id)).toMatchObject([{ hash }])
    expect(await desk.find(id)).toMatchObject({ txHash: hash })
  }
})

it('a signer that was told of no contract, or of another, signs none', async () => {
  for (const multisend of [null, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed']) {
    const elsewise = await openDesk({ wallet: await walletWith(multisend) })
    const payouts = [
      await elsewise.payout({ ...order, destination: other }),
      await elsewise.payout({ ...order, destination: other }),
    ]
    const spendId = await elsewise.plan(shared(payouts), payouts, { gateId })
    expect(await elsewise.sign()).toBe(0)
    expect((await elsewise.outcome(spendId)).refusal).toMatch('not told of')
    await elsewise.close()
  }
})

const others = (payouts: readonly Payout[], at: number, change: object) =>
  shared(payouts, {
    outputs: (shared(payouts).outputs ?? []).map((output, index) =>
      index === at ? { ...output, ...change } : output,
    ),
  })

it.each<[what: string, plan: (payouts: [Payout, Payout]) => AccountPlan]>([
  ['pays somebody else', (payouts) => others(payouts, 1, { address: elsewhere.ethereum })],
  ['pays one more and another less', (payouts) => others(payouts, 0, { units: 10n ** 15n + 1n })],
  ['pays the same payout twice', ([one]) => shared([one, one])],
  ['names a payout that is not its own', (payouts) => others(payouts, 0, { payoutId: 'nobody' })],
  ['leaves one out', ([one]) => shared([one])],
  ['pays nobody', () => shared([])],
  ['gives the contract more', (payouts) => shared(payouts, { units: 4n * 10n ** 15n })],
  ['gives the contract less', (payouts) => shared(payouts, { units: 10n ** 15n })],
  ['is for another coin', (payouts) => shared(payouts, { currency: 'USDT' })],
  [
    'names a contract of the planner’s own',
    (payouts) => shared(payouts, { to: { address: other, tag: null } }),
  ],
  ['costs more than is reserved', (payouts) => shared(payouts, { gasLimit: 2_100_000n })],
])('is refused when it %s', async (_, plan) => {
  const payouts = await two()
  const spendId = await desk.plan(plan(payouts), payouts, { gateId })
  expect(await desk.sign()).toBe(0)
  expect((await desk.outcome(spendId)).refusal).not.toBeNull()
})

it('one payout that lacks its approval, or is over a limit, has none of them signed', async () => {
  const [one, unapproved] = [
    await desk.payout({ ...order, destination: other }),
    await desk.payout({ ...order, destination: other, approvers: [] }),
  ]
  const first = await desk.plan(shared([one, unapproved]), [one, unapproved], { gateId })
  const payouts = await two()
  const second = await desk.plan(shared(payouts, { nonce: 1n }), payouts, { gateId })
  const limits = limitsOf([{ network: 'ethereum', currency: 'ETH', per_payout: '0.0015' }])
  expect(await desk.sign({ limits })).toBe(0)
  expect((await desk.outcome(first)).refusal).toMatch('0 of 1 approvals')
  expect((await desk.outcome(second)).refusal).toMatch('limit')
})

it('a payout that was signed for by itself is never paid again with others', async () => {
  const payouts = await two()
  const [one] = payouts
  const alone = await desk.plan(desk.transferPlan(one, 0n), [one], { gateId })
  expect(await desk.sign()).toBe(1)
  await desk.forge('payouts', `update payouts set spend_id = null, status = 'approved' where id = $1`, [
    one.id,
  ])
  const spendId = await desk.plan(shared(payouts, { nonce: 1n }), payouts, { gateId })
  expect(await desk.sign()).toBe(0)
  expect((await desk.outcome(spendId)).refusal).toMatch('second time')
  expect((await desk.outcome(alone)).hash).not.toBeNull()
})

const inTokens = { ...order, currency: 'USDT', amountUnits: 5_000_000n, networkFeeUnits: 1_000_000n }
const twoInTokens = async (): Promise<[Payout, Payout]> => [
  await desk.payout({ ...inTokens, destination: elsewhere.ethereum }),
  await desk.payout({ ...inTokens, destination: other, amountUnits: 7_000_000n }),
]
const ofToken = { currency: 'USDT', contractAddress: token }

it('tokens leave together where this signer was told that the contract may take them, and not otherwise', async () => {
  const payouts = await twoInTokens()
  const spendId = await desk.plan(shared(payouts, ofToken), payouts, { gateId })
  expect(await desk.sign()).toBe(1)
  const { hash } = await desk.outcome(spendId)
  for (const { id } of payouts) expect(desk.journal().ofPayout(id)).toMatchObject([{ hash }])

  const usdc = { currency: 'USDC', contractAddress: tokens[1]?.contract ?? '' }
  const others = [
    await desk.payout({ ...inTokens, currency: 'USDC', destination: other }),
    await desk.payout({ ...inTokens, currency: 'USDC', destination: other }),
  ]
  const second = await desk.plan(shared(others, { ...usdc, nonce: 1n }), others, { gateId })
  expect(await desk.sign()).toBe(0)
  expect((await desk.outcome(second)).refusal).toMatch('was told nothing of')
})

it.each<[what: string, plan: (payouts: [Payout, Payout]) => AccountPlan]>([
  [
    'a contract that only calls itself the token',
    (payouts) => shared(payouts, { ...ofToken, contractAddress: other }),
  ],
  ['coins in the token’s place', (payouts) => shared(payouts)],
  ['an allowance in the same plan', (payouts) => shared(payouts, { ...ofToken, allowsUnits: 1n })],
])('tokens for several are refused with %s', async (_, plan) => {
  const payouts = await twoInTokens()
  const spendId = await desk.plan(plan(payouts), payouts, { gateId })
  expect(await desk.sign()).toBe(0)
  expect((await desk.outcome(spendId)).refusal).not.toBeNull()
})

function allowing(changes: Partial<AccountPlan> = {}): AccountPlan {
  const { outputs: _, ...plan } = shared([], { ...ofToken, units: 0n, allowsUnits: 100_000_000n, ...changes })
  return plan
}

it('the contract is allowed as much as this signer was told, or less, and nothing at all', async () => {
  for (const [nonce, allowsUnits] of [100_000_000n, 1n, 0n].entries()) {
    const plan = allowing({ nonce: BigInt(nonce), allowsUnits })
    const spendId = await desk.plan(plan, [], { gateId, kind: 'allow' })
    expect(await desk.sign()).toBe(1)
    expect((await desk.outcome(spendId)).hash).not.toBeNull()
  }
})

it.each<[what: string, changes: Partial<AccountPlan>, words: string]>([
  ['more', { allowsUnits: 100_000_001n }, 'more than this signer was told'],
  ['less than nothing', { allowsUnits: -1n }, 'more than this signer was told'],
  ['another contract', { to: { address: other, tag: null } }, 'not told of'],
  [
    'another token',
    { currency: 'USDC', contractAddress: tokens[1]?.contract ?? '' },
    'more than this signer was told',
  ],
  ['a token that is none of ours', { contractAddress: other }, 'does not have'],
  ['the network’s own coin', { currency: 'ETH', contractAddress: null }, 'does not have'],
  ['them from elsewhere', { from: { address: other, key: hotKey } }, 'spends from an address'],
  [
    'them for a deposit address',
    { from: { address: other, key: { chain: 'deposit', index: 0 } } },
    'spends from',
  ],
])('an allowance is refused that gives %s', async (_, changes, words) => {
  const spendId = await desk.plan(allowing(changes), [], { gateId, kind: 'allow' })
  expect(await desk.sign()).toBe(0)
  expect((await desk.outcome(spendId)).refusal).toMatch(words)
})

it('no other kind of spend allows anybody anything', async () => {
  for (const kind of ['sweep', 'gas', 'fill', 'payout'] as const) {
    const payouts = kind === 'payout' ? [await desk.payout({ ...inTokens, destination: other })] : []
    const payoutId = payouts[0]?.id ?? null
    const spendId = await desk.plan(allowing({ payoutId, nonce: BigInt(kind.length) }), payouts, {
      gateId,
      kind,
    })
    expect(await desk.sign(), kind).toBe(0)
    expect((await desk.outcome(spendId)).refusal, kind).not.toBeNull()
  }
})

it('one that is refused for good is found, and a transaction that allows nothing uses its number up', async () => {
  const plan = allowing({ allowsUnits: 100_000_001n })
  const spendId = await desk.plan(plan, [], { gateId, kind: 'allow' })
  expect(await desk.sign()).toBe(0)
  const found = await desk.app.store.spends.refusedForGood(0, 10)
  expect(found).toMatchObject([{ id: spendId, kind: 'allow' }])
  const { allowsUnits: _, ...rest } = plan
  const ending = { currency: 'ETH', contractAddress: null, to: { address: plan.from.address, tag: null } }
  await desk.app.store.spends.addAttempt(spendId, 2, { ...rest, ...ending })
  expect(await desk.sign()).toBe(1)
  expect((await desk.outcome(spendId, 2)).hash).not.toBeNull()
})

describe('what may still be taken', () => {
  const pair = () => ({
    ...{ gateId, from: desk.wallet.addressAt('ethereum', hotKey) ?? '', spender: contract, currency: 'USDT' },
  })
  const block = { height: 5n, hash: '0x05' }
  const left = () => desk.app.store.allowances.of(pair())

  /** Plans a change, has it signed, and ends it. */
  async function changed(nonce: bigint, allowsUnits: bigint, status: 'final' | 'reverted' | null) {
    const spendId = await desk.plan(allowing({ nonce, allowsUnits }), [], { gateId, kind: 'allow' })
    expect(await desk.sign()).toBe(1)
    const hash = (await desk.outcome(spendId)).hash ?? ''
    if (status !== null) await desk.app.store.spends.end(spendId, { status, hash, block, feeUnits: 1n })
    return { spendId, hash }
  }

  it('is what was last allowed, less what was planned to leave since, whatever becomes of that', async () => {
    expect(await left()).toEqual({ allowedUnits: 0n, leftUnits: 0n, isChanging: false, hasFailed: false })
    await changed(0n, 90_000_000n, 'final')
    expect(await left()).toMatchObject({ leftUnits: 90_000_000n })
    const payouts = await twoInTokens()
    const spendId = await desk.plan(shared(payouts, { ...ofToken, nonce: 1n }), payouts, { gateId })
    expect(await left()).toMatchObject({ allowedUnits: 90_000_000n, leftUnits: 78_000_000n })
    await desk.app.store.spends.end(spendId, { status: 'dead' })
    expect(await left()).toMatchObject({ allowedUnits: 90_000_000n, leftUnits: 78_000_000n })
    // What another contract was allowed is nothing to this one.
    expect(await desk.app.store.allowances.of({ ...pair(), spender: other })).toMatchObject({ leftUnits: 0n })
  })

  it('is nothing while that changes, and then what the newest says', async () => {
    await changed(0n, 90_000_000n, 'final')
    await changed(1n, 0n, 'final')
    const { spendId, hash } = await changed(2n, 50_000_000n, null)
    expect(await left()).toEqual({ allowedUnits: 0n, leftUnits: 0n, isChanging: true, hasFailed: false })
    await desk.app.store.spends.end(spendId, { status: 'final', hash, block, feeUnits: 1n })
    expect(await left()).toMatchObject({
      allowedUnits: 50_000_000n,
      leftUnits: 50_000_000n,
      isChanging: false,
    })
  })

  it('stays what it was when a change fails, which is remembered for a day', async () => {
    await changed(0n, 90_000_000n, 'final')
    const { spendId } = await changed(1n, 0n, 'reverted')
    expect(await left()).toMatchObject({ leftUnits: 90_000_000n, isChanging: false, hasFailed: true })
    await desk.forge('spends', `update spends set ended_at = ended_at - interval '25 hours' where id = $1`, [
      spendId,
    ])
    expect(await left()).toMatchObject({ hasFailed: false })
  })
})
