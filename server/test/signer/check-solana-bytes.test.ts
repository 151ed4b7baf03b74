import { describe, expect, it } from 'vitest'
import type { SolanaStep, SolanaToken, SolanaTransaction } from '../../src/domain/solana-transaction.ts'
import { hotKey, maxFeeOf, type SolanaPlan, type SpendPlan } from '../../src/domain/spends.ts'
import type { GateAsset } from '../../src/gates/gate.ts'
import { signSolanaTransaction } from '../../src/gates/solana/sign-transaction.ts'
import { bytesObjection } from '../../src/signer/check-bytes.ts'
import { solanaObjection } from '../../src/signer/check-solana.ts'
import {
  cancelling,
  creation,
  hashOf,
  hotAddress,
  keyOf,
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

const other = 'not do what was planned'
const openingPayout: SolanaPlan = { ...payoutOf(token), rentUnits: rent }
const openingSweep: SolanaPlan = { ...sweepOf(token), rentUnits: rent }
const plans: readonly (readonly [string, SolanaPlan])[] = [
  ['a payout of SOL', payoutOf(sol)],
  ['a payout of SOL with a memo', { ...payoutOf(sol), to: { address: stranger(1), tag: 'für 42' } }],
  ['a payout of a token', payoutOf(token)],
  [
    'a payout of a token with a memo',
    { ...openingPayout, to: { address: stranger(1), tag: 'x'.repeat(512) } },
  ],
  ['a payout of a token to a new account', openingPayout],
  ['a sweep of SOL', sweepOf(sol)],
  ['a sweep of a token', sweepOf(token)],
  ['a sweep of a token to a new account', openingSweep],
  ['a cancelling plan', cancelling],
  ['the creation of a nonce account', creation],
]

describe.each(plans)('the bytes of %s', (_, plan) => {
  const signed = wallet.sign('solana', plan)

  it('do what the plan says', () => {
    expect(bytesObjection(solanaNetwork, plan, signed)).toBeNull()
  })

  it.each(plans.filter(([, each]) => each !== plan))('do not do what %s says', (_, each) => {
    expect(bytesObjection(solanaNetwork, each, signed)).toMatch(other)
  })

  it.each(Object.entries(changesOf(plan)))('are refused for another %s', (_, changed) => {
    expect(bytesObjection(solanaNetwork, { ...plan, ...changed } as SpendPlan, signed)).toMatch(other)
  })

  it('are refused with another hash', () => {
    expect(bytesObjection(solanaNetwork, plan, { ...signed, hash: hashOf(1) })).toMatch(other)
  })
})

function changesOf(plan: SolanaPlan): Record<string, Partial<SolanaPlan>> {
  const { lifetime, sources } = plan
  const isCreation = lifetime.kind === 'creation'
  const [first, ...rest] = sources ?? []
  return {
    payer: { from: { address: stranger(2), key: hotKey } },
    tag: { to: { ...plan.to, tag: '1' } },
    receiver: { to: { address: stranger(3), tag: null } },
    amount: { units: plan.units + 1n },
    // What a token account that is opened takes is not in the bytes.
    ...((plan.token === null || plan.rentUnits === 0n) && { rent: { rentUnits: plan.rentUnits + 1n } }),
    'compute limit': { computeLimit: plan.computeLimit + 1n },
    'compute price': { computePrice: plan.computePrice + 1n },
    'nonce account': { lifetime: { ...lifetime, index: lifetime.index + 1 } },
    lifetime: {
      lifetime: isCreation
        ? { kind: 'creation', index: lifetime.index, blockhash: hashOf(9), lastValidHeight: 200n }
        : { ...lifetime, value: hashOf(9) },
    },
    'kind of lifetime': {
      lifetime: isCreation
        ? { kind: 'nonce', index: lifetime.index, value: lifetime.blockhash }
        : { kind: 'creation', index: lifetime.index, blockhash: lifetime.value, lastValidHeight: 200n },
    },
    ...(plan.units > 0n && {
      currency: { currency: plan.currency === sol.currency ? token.currency : sol.currency },
      mint: { contractAddress: stranger(4) },
      program: { token: { program: 'token-2022', decimals: 6 } },
      decimals: { token: { program: 'token', decimals: 9 } },
      'list of sources': {
        sources: sources === undefined ? [sourceAt(0, 5n)] : [...sources, sourceAt(5, 1n)],
      },
    }),
    ...(first !== undefined && {
      source: { sources: [{ ...first, address: stranger(5) }, ...rest] },
      'amount of a source': { sources: [{ ...first, units: first.units + 1n }, ...rest] },
      'order of sources': { sources: [...rest, first] },
    }),
  }
}

describe('bytes that do something else besides', () => {
  const hot = { address: hotAddress, key: hotKey }
  const known: SolanaToken = { program: 'token', mint: token.contractAddress ?? '', decimals: token.decimals }
  const { program, mint } = known
  const [source] = sweepOf(token).sources ?? []
  if (source === undefined) throw new Error('a sweep has sources')

  /** Signs steps in place of those of a plan, with the same payer, lifetime and compute budget. */
  function objectionTo(plan: SolanaPlan, steps: readonly SolanaStep[]): string | null {
    const { lifetime, from: payer, computeLimit, computePrice } = plan
    const transaction: SolanaTransaction = {
      payer,
      lifetime:
        lifetime.kind === 'nonce'
          ? { kind: 'nonce', index: lifetime.index, value: lifetime.value }
          : { kind: 'blockhash', value: lifetime.blockhash },
      steps,
      computeLimit,
      computePrice,
    }
    return bytesObjection(solanaNetwork, plan, signSolanaTransaction(transaction, keyOf))
  }
  const paying: SolanaStep = { kind: 'transfer', from: hot, to: stranger(1), units: 5n, payoutId: null }
  const payingToken = (over: Partial<Extract<SolanaStep, { kind: 'transfer_token' }>> = {}): SolanaStep => ({
    kind: 'transfer_token',
    token: known,
    account: spending.tokenAccount(hotAddress, token),
    from: hot,
    to: stranger(1),
    units: 5n,
    payoutId: null,
    ...over,
  })
  const opening = (owner: string): SolanaStep => ({ kind: 'open', program, mint, owner, rentUnits: rent })
  const sweeping = [
    payingToken({
      account: spending.tokenAccount(source.address, token),
      from: source,
      to: hotAddress,
    }),
    { kind: 'close', program, account: spending.tokenAccount(source.address, token), owner: source },
  ] as const satisfies readonly SolanaStep[]
  const sweep: SolanaPlan = { ...sweepOf(token), sources: [{ ...source, units: 5n }] }

  const noted: SolanaPlan = { ...payoutOf(sol), to: { address: stranger(1), tag: 'für 42' } }

  it('the steps of the plan are accepted, so that the others are refused for what they add', () => {
    expect(objectionTo(payoutOf(sol), [paying])).toBeNull()
    expect(objectionTo(noted, [paying, { kind: 'memo', text: 'für 42' }])).toBeNull()
    expect(objectionTo(payoutOf(token), [payingToken()])).toBeNull()
    expect(objectionTo(openingPayout, [opening(stranger(1)), payingToken()])).toBeNull()
    expect(objectionTo(sweep, sweeping)).toBeNull()
    expect(objectionTo(cancelling, [])).toBeNull()
  })

  const [moved, closed] = sweeping
  const betrayals: readonly (readonly [string, SolanaPlan, readonly SolanaStep[]])[] = [
    ['a second transfer', payoutOf(sol), [paying, { ...paying, to: stranger(9) }]],
    ['the same transfer twice', payoutOf(sol), [paying, paying]],
    ['a memo', payoutOf(sol), [paying, { kind: 'memo', text: 'hello' }]],
    ['another memo', noted, [paying, { kind: 'memo', text: 'für 43' }]],
    ['no memo', noted, [paying]],
    ['a memo before the transfer', noted, [{ kind: 'memo', text: 'für 42' }, paying]],
    ['a memo where the plan cancels', cancelling, [{ kind: 'memo', text: 'für 42' }]],
    [
      'a memo of a sweep',
      { ...sweep, to: { ...sweep.to, tag: 'für 42' } },
      [...sweeping, { kind: 'memo', text: 'für 42' }],
    ],
    ['no transfer', payoutOf(sol), []],
    ['a transfer where the plan cancels', cancelling, [paying]],
    ['an account that the plan does not open', payoutOf(token), [opening(stranger(1)), payingToken()]],
    ['no account where the plan opens one', openingPayout, [payingToken()]],
    ['an account for someone else', openingPayout, [opening(stranger(9)), payingToken()]],
    ['two accounts', openingPayout, [opening(stranger(1)), opening(stranger(9)), payingToken()]],
    ['another token account that pays', payoutOf(token), [payingToken({ account: stranger(9) })]],
    [
      'a token of another program',
      payoutOf(token),
      [payingToken({ token: { ...known, program: 'token-2022' } })],
    ],
    ['a token with other decimals', payoutOf(token), [payingToken({ token: { ...known, decimals: 9 } })]],
    ['another mint', payoutOf(token), [payingToken({ token: { ...known, mint: stranger(9) } })]],
    ['a token account that is not closed', sweep, [moved]],
    [
      'the hot wallet’s token account closed',
      sweep,
      [moved, { ...closed, account: spending.tokenAccount(hotAddress, token), owner: hot }],
    ],
    ['another account closed', sweep, [moved, { ...closed, account: stranger(9) }]],
    [
      'a payout’s token account closed',
      payoutOf(token),
      [payingToken(), { ...closed, account: spending.tokenAccount(hotAddress, token), owner: hot }],
    ],
    ['a sweep to someone else', sweep, [payingToken({ ...moved, to: stranger(9) } as never), closed]],
    [
      'two nonce accounts',
      creation,
      [
        { kind: 'create_nonce', index: 3, units: creation.rentUnits },
        { kind: 'create_nonce', index: 4, units: creation.rentUnits },
      ],
    ],
    ['another nonce account', creation, [{ kind: 'create_nonce', index: 4, units: creation.rentUnits }]],
    ['more rent', creation, [{ kind: 'create_nonce', index: 3, units: creation.rentUnits + 1n }]],
  ]
  it.each(betrayals)('%s', (_, plan, steps) => {
    expect(objectionTo(plan, steps)).toMatch(other)
  })
})

it('a plan costs what its bytes take, and the rent', () => {
  for (const [name, plan] of plans) {
    const read = solanaNetwork.family.read(wallet.sign('solana', plan).bytes)
    if ('refused' in read || read.kind !== 'solana') throw new Error(name)
    expect(read.feeUnits + plan.rentUnits, name).toBe(maxFeeOf(plan))
  }
})

it('a compute limit or price that changes no fee is not changed either', () => {
  const free: SolanaPlan = { ...payoutOf(sol), computeLimit: 1_000n, computePrice: 0n }
  const cheap: SolanaPlan = { ...free, computePrice: 1n }
  for (const [plan, changed] of [
    [free, { ...free, computeLimit: 1_001n }],
    [cheap, { ...cheap, computePrice: 2n }],
  ] as const) {
    expect(maxFeeOf(changed)).toBe(maxFeeOf(plan))
    expect(bytesObjection(solanaNetwork, changed, wallet.sign('solana', plan))).toMatch(other)
  }
})

it('a token of Token-2022 is paid by that program, at the accounts that it derives', () => {
  const newer: GateAsset = { ...token, tokenProgram: 'token-2022' }
  const network = {
    ...solanaNetwork,
    assets: solanaNetwork.assets.map((each) => (each.currency === token.currency ? newer : each)),
  }
  const rentUnits = spending.payoutBudget(newer).rentUnits
  expect(rentUnits).toBeGreaterThan(rent)
  const plan: SolanaPlan = { ...payoutOf(newer), rentUnits }
  const signed = wallet.sign('solana', plan)
  expect(bytesObjection(network, plan, signed)).toBeNull()
  expect(bytesObjection(solanaNetwork, plan, signed)).toMatch(other)
  expect(bytesObjection(network, openingPayout, wallet.sign('solana', openingPayout))).toMatch(other)
  expect(solanaObjection(wallet, network, 'payout', plan)).toBeNull()
  expect(solanaObjection(wallet, network, 'payout', openingPayout)).toMatch('another program')
  expect(solanaObjection(wallet, network, 'payout', { ...plan, rentUnits: rent })).toMatch('rent')
})
