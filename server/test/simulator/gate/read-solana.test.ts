import { base58 } from '@scure/base'
import { expect, it } from 'vitest'
import { type AssetRegistry, registryOf } from '../../../src/domain/assets.ts'
import { hotKey, maxFeeOf, type SolanaPlan, type SolanaSource } from '../../../src/domain/spends.ts'
import { usesOf } from '../../../src/domain/uses.ts'
import { accountRentOf } from '../../../src/gates/solana/budgets.ts'
import { solanaDepositAddress } from '../../../src/gates/solana/deposit-key.ts'
import { withTokens } from '../../../src/settings/listed-tokens.ts'
import { testReader } from '../../../src/simulator/gate/test-readers.ts'
import { currencies, networkOf } from '../../support/shop/registry.ts'
import { publicKeys, seed } from './keys.ts'
import { assetsOn, familyOn, keyOn } from './plans.ts'

const hot = publicKeys.solana ?? ''
const family = familyOn('solana')
const { read } = testReader(networkOf('solana'), currencies)
const usdc = assetsOn('solana').find(({ currency }) => currency === 'USDC')
const deposit = (index: number) => solanaDepositAddress(seed, index).address
const value = base58.encode(new Uint8Array(32).fill(7))

const payout: SolanaPlan = {
  kind: 'solana',
  from: { address: hot, key: hotKey },
  to: { address: deposit(9), tag: null },
  currency: 'SOL',
  contractAddress: null,
  units: 5_000n,
  payoutId: null,
  lifetime: { kind: 'nonce', index: 3, value },
  token: null,
  rentUnits: 0n,
  computeLimit: 1_000n,
  computePrice: 10_000n,
}
const tokens: SolanaPlan = {
  ...payout,
  currency: 'USDC',
  contractAddress: usdc?.contractAddress ?? '',
  token: { program: 'token', decimals: 6 },
  rentUnits: 2_039_280n,
}
const from = (index: number, units: bigint): SolanaSource => ({
  address: deposit(index),
  key: { chain: 'deposit', index },
  units,
})

function execute(plan: SolanaPlan) {
  return read(family.sign(plan, keyOn('solana')).bytes, () => undefined)
}

it('a payout of SOL takes amount and fee from the hot wallet, and one value of a nonce account', () => {
  expect(execute(payout)).toMatchObject({
    uses: usesOf(payout),
    outputs: [{ address: deposit(9), tag: null, currency: 'SOL', units: 5_000n }],
    debits: [{ address: hot, currency: 'SOL', units: 5_000n + maxFeeOf(payout) }],
    feeUnits: maxFeeOf(payout),
    feeRate: 10_000n,
  })
})

it('a payout of tokens pays the owner of the account that it opens, and the rent', () => {
  expect(execute(tokens)).toMatchObject({
    outputs: [{ address: deposit(9), currency: 'USDC', units: 5_000n }],
    debits: [
      { address: hot, currency: 'SOL', units: maxFeeOf(tokens) },
      { address: hot, currency: 'USDC', units: 5_000n },
    ],
    feeUnits: maxFeeOf(tokens),
  })
})

it.each([
  ['SOL', payout],
  ['USDC', tokens],
])('a sweep of %s empties several addresses at the hot wallet’s expense', (currency, plan) => {
  const sources = [from(1, 3_000n), from(2, 2_000n)]
  const sweep = { ...plan, to: { address: hot, tag: null }, sources }
  expect(execute(sweep)).toMatchObject({
    outputs: [
      { address: hot, currency, units: 3_000n },
      { address: hot, currency, units: 2_000n },
    ],
    debits: [
      { address: hot, currency: 'SOL', units: maxFeeOf(sweep) },
      { address: deposit(1), currency, units: 3_000n },
      { address: deposit(2), currency, units: 2_000n },
    ],
  })
})

it('a cancelling transaction uses the same value and pays only the fee', () => {
  const cancelling = { ...payout, to: { address: hot, tag: null }, units: 0n }
  expect(execute(cancelling)).toMatchObject({
    uses: usesOf(payout),
    outputs: [],
    debits: [{ address: hot, currency: 'SOL', units: maxFeeOf(cancelling) }],
  })
})

it('an unknown mint and other decimals are refused', () => {
  const live = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  expect(execute({ ...tokens, contractAddress: live })).toEqual({ refused: expect.stringContaining(live) })
  expect(execute({ ...tokens, token: { program: 'token', decimals: 9 } })).toEqual({
    refused: expect.stringContaining('decimals'),
  })
})

it('an account of someone unknown, and another nonce account, are refused', () => {
  expect(execute({ ...tokens, rentUnits: 0n })).toEqual({ refused: expect.stringContaining('token account') })
  expect(execute({ ...payout, lifetime: { kind: 'nonce', index: 99, value } })).toEqual({
    refused: expect.stringContaining('nonce account'),
  })
})

it('a token of Token-2022 says so in its record, is paid by that program, and costs its rent', () => {
  const record = networkOf('solana')
  if (record.family !== 'solana') throw new Error('not Solana')
  const newer = record.tokens.map((each) => ({ ...each, program: 'token-2022' as const }))
  const registry = registryOf([{ ...record, tokens: newer }])
  const listed = withTokens(registryOf([{ ...record, tokens: [] }]), [
    {
      network: 'solana',
      environment: 'live',
      tokens: [{ code: 'PYUSD', contract: tokens.contractAddress ?? '', decimals: 6, program: 'token-2022' }],
    },
  ])
  const programsIn = (all: AssetRegistry) =>
    all.flatMap(({ code, assets }) => assets.map(({ tokenProgram }) => [code, tokenProgram]))
  expect(programsIn(registry)).toContainEqual(['USDC', 'token-2022'])
  expect(programsIn(listed)).toEqual([
    ['PYUSD', 'token-2022'],
    ['SOL', undefined],
  ])
  const reader = testReader(record, registry)
  const plan: SolanaPlan = {
    ...tokens,
    token: { program: 'token-2022', decimals: 6 },
    rentUnits: accountRentOf('token-2022'),
  }
  const { bytes } = family.sign(plan, keyOn('solana'))
  expect(reader.read(bytes, () => undefined)).toMatchObject({
    outputs: [{ address: deposit(9), currency: 'USDC', units: 5_000n }],
    feeUnits: maxFeeOf(plan),
  })
  expect(execute(plan)).toEqual({ refused: expect.stringContaining('another program') })
})
