import { describe, expect, it } from 'vitest'
import type { ColdWallet } from '../../src/domain/cold-wallets.ts'
import { hotKey, maxFeeOf, type SolanaPlan, type SpendPlan } from '../../src/domain/spends.ts'
import { coldObjection } from '../../src/signer/check-cold.ts'
import { feeObjection } from '../../src/signer/check-limits.ts'
import {
  cancellingPlanObjection,
  consolidationObjection,
  ownPlanObjection,
  payoutPlanObjection,
} from '../../src/signer/check-plan.ts'
import { noncePlanObjection } from '../../src/signer/check-solana.ts'
import type { PayoutToSign } from '../../src/store/spends/signing.ts'
import { limitsOf } from '../support/signer/signer-limits.ts'
import {
  cancelling,
  creation,
  hashOf,
  hotAddress,
  payoutId,
  payoutOf,
  rent,
  sol,
  solanaNetwork,
  sourceAt,
  spending,
  stranger,
  sweepOf,
  token,
  wallet,
} from './solana-plans.ts'

const maxRent = 10_000_000n
type Change = Partial<SolanaPlan>
/** What may be wrong with a plan of any kind. */
const betrayals: readonly (readonly [string, Change])[] = [
  ['a payer that is not the hot wallet', { from: { address: stranger(2), key: hotKey } }],
  ['a key that is not the hot wallet’s', { from: { address: hotAddress, key: { chain: 'own', index: 1 } } }],
  ['a deposit address as payer', { from: sourceAt(0, 1n) }],
  ['a memo that its payout does not have', { to: { address: stranger(1), tag: '7' } }],
  ['another mint', { contractAddress: stranger(3) }],
  ['a currency that the network does not have', { currency: 'BTC' }],
  ['another program', { token: { program: 'token-2022', decimals: 6 } }],
  ['other decimals', { token: { program: 'token', decimals: 7 } }],
  ['a nonce account that is not ours', { lifetime: { kind: 'nonce', index: 16, value: hashOf(7) } }],
  [
    'the hash of a block',
    { lifetime: { kind: 'creation', index: 0, blockhash: hashOf(7), lastValidHeight: 200n } },
  ],
  ['rent that no account takes', { rentUnits: maxRent + 1n }],
  ['less rent than an account takes', { rentUnits: 1n }],
  ['negative rent', { rentUnits: -1n }],
]

function payoutFor(plan: SolanaPlan, over: Partial<PayoutToSign> = {}): PayoutToSign {
  const { currency, units: amountUnits } = plan
  const networkFeeUnits = maxFeeOf(plan)
  return {
    id: payoutId,
    destination: stranger(1),
    destinationTag: null,
    currency,
    amountUnits,
    networkFeeUnits,
    ...over,
  } as PayoutToSign
}

describe('a payout', () => {
  const objectionTo = (plan: SpendPlan, payout: PayoutToSign) =>
    payoutPlanObjection(wallet, solanaNetwork, plan, [payout])

  it('of SOL or a token is accepted, to a new token account too', () => {
    const opening = { ...payoutOf(token), rentUnits: rent }
    for (const plan of [payoutOf(sol), payoutOf(token), opening])
      expect(objectionTo(plan, payoutFor(plan))).toBeNull()
  })

  it.each(betrayals)('is refused with %s', (_, change) => {
    for (const asset of [sol, token])
      expect(objectionTo({ ...payoutOf(asset), ...change }, payoutFor(payoutOf(asset)))).not.toBeNull()
  })

  it.each<readonly [string, Change]>([
    ['elsewhere', { to: { address: stranger(9), tag: null } }],
    ['to the hot wallet', { to: { address: hotAddress, tag: null } }],
    ['with another amount', { units: 6n }],
    ['of another payout', { payoutId: '01890000-0000-7000-8000-000000000002' }],
    ['of none', { payoutId: null }],
    ['in another currency', { ...payoutOf(token), units: 5n }],
    ['from deposit addresses', { sources: [sourceAt(0, 5n)] }],
    ['with rent for SOL', { rentUnits: rent }],
  ])('%s is refused', (_, change) => {
    expect(objectionTo({ ...payoutOf(sol), ...change }, payoutFor(payoutOf(sol)))).not.toBeNull()
  })

  it('to a mint or a program is refused', () => {
    for (const destination of [token.contractAddress ?? '', '11111111111111111111111111111111']) {
      const plan = { ...payoutOf(sol), to: { address: destination, tag: null } }
      expect(objectionTo(plan, payoutFor(plan, { destination }))).toMatch('not a valid destination')
    }
  })

  it('of SOL never costs more than its reserve', () => {
    const plan = payoutOf(sol)
    const reserve = { networkFeeUnits: maxFeeOf(plan) - 1n }
    expect(objectionTo(plan, payoutFor(plan, reserve))).toMatch('higher than the amount reserved')
  })

  it('with a plan of another family is refused', () => {
    const { kind: _, lifetime: __, token: ___, ...plan } = payoutOf(sol)
    const account = { ...plan, kind: 'account', nonce: 0n, gasLimit: 1n, gasPrice: 1n } as const
    expect(objectionTo(account, payoutFor(payoutOf(sol)))).not.toBeNull()
    const ethereum = wallet.network('ethereum')
    const to = { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', tag: null }
    const payout = payoutFor(payoutOf(sol), { destination: to.address, currency: 'ETH' })
    const foreign: SolanaPlan = { ...payoutOf(sol), to, currency: 'ETH' }
    expect(payoutPlanObjection(wallet, ethereum, foreign, [payout])).toMatch('does not have')
  })
})

describe('a sweep', () => {
  const objectionTo = (plan: SpendPlan, kind: 'sweep' | 'gas' = 'sweep') =>
    ownPlanObjection(wallet, solanaNetwork, kind, plan, 0, 10n ** 9n)
  const [first, second] = sweepOf(sol).sources ?? []
  if (first === undefined || second === undefined) throw new Error('a sweep of two addresses')

  it('of SOL or a token is accepted, to a new token account too', () => {
    for (const plan of [sweepOf(sol), sweepOf(token), { ...sweepOf(token), rentUnits: rent }])
      expect(objectionTo(plan)).toBeNull()
  })

  it.each(betrayals)('is refused with %s', (_, change) => {
    for (const asset of [sol, token]) expect(objectionTo({ ...sweepOf(asset), ...change })).not.toBeNull()
  })

  it.each<readonly [string, Change]>([
    ['elsewhere', { to: { address: stranger(9), tag: null } }],
    ['to a deposit address', { to: { address: first.address, tag: null } }],
    ['for a payout', { payoutId }],
    ['from nowhere', { sources: [] }],
    ['of an address twice', { sources: [first, { ...first, units: 2n }] }],
    ['from an address that is not ours', { sources: [first, { ...second, address: stranger(9) }] }],
    ['with a key of another address', { sources: [first, { ...second, key: first.key }] }],
    ['from the hot wallet', { sources: [first, { address: hotAddress, key: hotKey, units: 2n }] }],
    ['that does not add up', { units: 6n }],
    [
      'with an address that gives nothing',
      {
        sources: [
          { ...first, units: 5n },
          { ...second, units: 0n },
        ],
      },
    ],
    [
      'with a negative amount',
      {
        sources: [
          { ...first, units: 6n },
          { ...second, units: -1n },
        ],
      },
    ],
    ['of nothing', { units: 0n, sources: [{ ...first, units: 0n }] }],
    ['with rent for SOL', { rentUnits: rent }],
  ])('%s is refused', (_, change) => {
    expect(objectionTo({ ...sweepOf(sol), ...change })).not.toBeNull()
  })

  it('without sources is refused', () => {
    const { sources: _, ...plan } = sweepOf(sol)
    expect(objectionTo(plan)).toMatch('Only a sweep')
  })

  it('of more addresses than fit is refused', () => {
    const sources = Array.from({ length: spending.maxSources(token) + 1 }, (_, at) => sourceAt(at, 1n))
    expect(objectionTo({ ...sweepOf(token), sources, units: BigInt(sources.length) })).toMatch('at most 5')
  })

  it('needs no gas: the hot wallet sends none', () => {
    const gas = { ...payoutOf(sol), to: { address: first.address, tag: null }, payoutId: null }
    expect(objectionTo(gas, 'gas')).toMatch('does not have')
    expect(objectionTo(sweepOf(sol), 'gas')).toMatch('does not have')
  })
})

describe('a move to the cold wallet', () => {
  const cold: ColdWallet = {
    destination: stranger(5),
    isDerived: false,
    addressAt: (index) => (index === null ? stranger(5) : null),
    keyAt: () => null,
  }
  const moving = { ...wallet, coldWallet: () => cold }
  const objectionTo = (plan: SpendPlan) =>
    coldObjection(moving, solanaNetwork, { coldUses: () => [] }, plan, [cold.destination])
  const moveOf = (asset: typeof sol): SolanaPlan => ({
    ...payoutOf(asset),
    to: { address: cold.destination, tag: null },
    payoutId: null,
  })

  it('of SOL or a token is accepted', () => {
    for (const plan of [moveOf(sol), moveOf(token), { ...moveOf(token), rentUnits: rent }])
      expect(objectionTo(plan)).toBeNull()
  })

  it.each(betrayals)('is refused with %s', (_, change) => {
    for (const asset of [sol, token]) expect(objectionTo({ ...moveOf(asset), ...change })).not.toBeNull()
  })

  it.each<readonly [string, Change]>([
    ['elsewhere', { to: { address: stranger(9), tag: null } }],
    ['for a payout', { payoutId }],
    ['of nothing', { units: 0n }],
    ['from deposit addresses', { sources: [sourceAt(0, 5n)] }],
  ])('%s is refused', (_, change) => {
    expect(objectionTo({ ...moveOf(sol), ...change })).not.toBeNull()
  })
})

describe('a plan that cancels', () => {
  const objectionTo = (plan: SpendPlan, kind: Parameters<typeof cancellingPlanObjection>[2] = 'payout') =>
    cancellingPlanObjection(wallet, solanaNetwork, kind, plan)

  it('is accepted for payouts and moves to the cold wallet alone', () => {
    for (const kind of ['payout', 'cold'] as const) expect(objectionTo(cancelling, kind)).toBeNull()
    for (const kind of ['sweep', 'gas', 'fill', 'consolidation', 'nonce', 'refill', 'absorb'] as const)
      expect(objectionTo(cancelling, kind), kind).not.toBeNull()
  })

  it.each(betrayals)('is refused with %s', (_, change) => {
    expect(objectionTo({ ...cancelling, ...change })).not.toBeNull()
  })

  it.each<readonly [string, Change]>([
    ['pays', { units: 1n }],
    ['names a payout', { payoutId }],
    ['names a token', { ...payoutOf(token), to: cancelling.to, units: 0n, payoutId: null }],
    ['empties addresses', { sources: [sourceAt(0, 0n)] }],
    ['opens an account', { rentUnits: rent }],
  ])('is refused when it %s', (_, change) => {
    expect(objectionTo({ ...cancelling, ...change })).not.toBeNull()
  })
})

describe('the creation of a nonce account', () => {
  const objectionTo = (plan: SolanaPlan) => noncePlanObjection(wallet, solanaNetwork, plan)
  const at = (index: number): Change => ({
    lifetime: { kind: 'creation', index, blockhash: hashOf(8), lastValidHeight: 200n },
    to: { address: spending.nonceAccount(index), tag: null },
  })

  it('is accepted for each of the hot wallet’s, up to a rent of 0.01 SOL', () => {
    for (const index of [0, spending.nonceAccounts - 1])
      expect(objectionTo({ ...creation, ...at(index) })).toBeNull()
    expect(objectionTo({ ...creation, rentUnits: maxRent })).toBeNull()
  })

  it.each<readonly [string, Change]>([
    ['of one too many', at(spending.nonceAccounts)],
    ['of another account', { to: { address: spending.nonceAccount(4), tag: null } }],
    ['of a stranger’s account', { to: { address: stranger(9), tag: null } }],
    ['with a memo', { to: { ...creation.to, tag: '1' } }],
    ['that pays', { units: 1n }],
    ['for a payout', { payoutId }],
    ['without rent', { rentUnits: 0n }],
    ['with too much rent', { rentUnits: maxRent + 1n }],
    ['with a nonce', { lifetime: { kind: 'nonce', index: 3, value: hashOf(7) } }],
    ['of a token', { ...payoutOf(token), ...at(3), units: 0n, payoutId: null, rentUnits: rent }],
    ['that empties addresses', { sources: [sourceAt(0, 0n)] }],
    ['by another payer', { from: { address: stranger(9), key: hotKey } }],
    ['by another key', { from: { address: hotAddress, key: { chain: 'own', index: 1 } } }],
  ])('%s is refused', (_, change) => {
    expect(objectionTo({ ...creation, ...change })).not.toBeNull()
  })
})

it('nothing is consolidated on Solana', () => {
  for (const plan of [payoutOf(sol), sweepOf(token), cancelling, creation])
    expect(consolidationObjection(wallet, solanaNetwork, plan)).not.toBeNull()
})

it('rent counts towards the highest fee of a transaction', () => {
  const plan = { ...payoutOf(token), rentUnits: rent }
  const under = (maxFee: string) => feeObjection({ plan }, solanaNetwork, limitsOf([], { solana: maxFee }))
  expect(maxFeeOf(plan)).toBe(2_044_380n)
  expect(under('0.00204438')).toBeNull()
  expect(under('0.002044379')).toMatch('higher than the signer allows')
})
