import { afterEach, beforeEach, expect, it } from 'vitest'
import { currencies } from '../../src/domain/assets.ts'
import type { Payout } from '../../src/domain/payouts.ts'
import { type AccountPlan, hotKey } from '../../src/domain/spends.ts'
import { openWallet } from '../../src/signer/wallet.ts'
import { type Desk, deskWords, elsewhere, openDesk } from '../support/signer-desk.ts'
import { limitsOf } from '../support/signer-limits.ts'

const contract = '0xD152f549545093347A162Dce210e7293f1452150'
const gateId = 'ethereum-test' as const
const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const walletWith = (multisend: string | null) =>
  openWallet(
    deskWords,
    'test',
    currencies,
    new Map([[gateId, { kind: 'evm', chainId: 31_337, tokens: [], multisend }]]),
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
