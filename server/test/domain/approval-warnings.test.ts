import { describe, expect, it } from 'vitest'
import { type ApprovalFacts, approvalWarnings } from '../../src/domain/approval-warnings.ts'
import type { Payout } from '../../src/domain/payouts.ts'
import { editDistanceWithin, likenessOf } from '../../src/domain/resembling.ts'

const now = new Date('2026-11-15T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
const destination = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const payout = {
  id: 'p1',
  currency: 'USDT',
  decimals: 6,
  destination,
  destinationTag: null,
  createdAt: now,
  amountUnits: 100_000_000n,
  feeUnits: 0n,
  networkFeeUnits: 0n,
} as Payout

/** Facts that lead to no warning. */
const calm: ApprovalFacts = {
  now,
  paidBefore: 4,
  otherPlaces: [],
  usual: { count: 30, largestUnits: 100_000_000n, percentile95Units: 90_000_000n },
  twins: [],
  keyMadeAt: hoursAgo(24),
  availableUnits: 100_000_000n,
  approvers: null,
}
const warn = (facts: Partial<ApprovalFacts>, changes: Partial<Payout> = {}) =>
  approvalWarnings({ ...payout, ...changes }, { ...calm, ...facts })
const codes = (facts: Partial<ApprovalFacts>, changes: Partial<Payout> = {}) =>
  warn(facts, changes).map(({ code }) => code)
const place = (address: string, tag: string | null = null, label: string | null = null) => ({
  address,
  tag,
  label,
})

it('an ordinary payout leads to no warning', () => {
  expect(warn({})).toEqual([])
  expect(
    warn({ otherPlaces: [place(destination), place('0x52908400098527886E0F7030069857D2E4169EE7')] }),
  ).toEqual([])
})

it('a destination that was never paid before is new', () => {
  expect(warn({ paidBefore: 0 })).toMatchObject([{ code: 'destination_new', values: { destination } }])
})

describe('a destination that looks like another', () => {
  it.each([
    [
      'the same beginning and end',
      '0x5aAe000000000000000000000000000000BeAed'.replace('BeAed', '0BeAed'),
      'ends',
    ],
    ['two characters changed', destination.replace('5aAeb6', '5aBfb6'), 'typing'],
    ['one character left out', destination.replace('f336', 'f36'), 'ends'],
    ['another case', destination.toLowerCase(), 'case'],
  ])('%s', (_, other, likeness) => {
    const [warning, ...more] = warn({ otherPlaces: [place(other, null, 'Cold wallet')] })
    expect(warning).toMatchObject({
      code: 'destination_resembles',
      values: { other, likeness, label: 'Cold wallet' },
    })
    expect(warning?.message).toContain(other)
    expect(more).toEqual([])
  })

  it('a prefix that all addresses of a network share is not a likeness', () => {
    const one = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
    expect(likenessOf(one, 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xjzsx')).toBeNull()
    expect(likenessOf(one, `tb1qw508${'x'.repeat(30)}jzsx`)).toBe('ends')
    expect(
      likenessOf('0xabc0000000000000000000000000000000001234', '0xdef0000000000000000000000000000000001234'),
    ).toBe('typing')
  })

  it('warns of another tag of a known address, unless that tag was paid before', () => {
    const known = { otherPlaces: [place('rDestination', '7')] }
    const xrp = { destination: 'rDestination', destinationTag: '8' }
    expect(codes({ ...known, paidBefore: 0 }, xrp)).toEqual(['destination_new', 'destination_other_tag'])
    expect(codes({ ...known, paidBefore: 1 }, xrp)).toEqual([])
  })

  it('leads to three warnings at most', () => {
    const otherPlaces = Array.from({ length: 9 }, (_, at) => place(destination.replace('0', String(at))))
    expect(codes({ otherPlaces })).toHaveLength(3)
  })
})

describe('more than usual', () => {
  it('means more than three times the largest payout, and the warning states that amount', () => {
    expect(warn({}, { amountUnits: 270_000_000n, networkFeeUnits: 0n })).toMatchObject([
      { code: 'balance_share' },
    ])
    const rich = { availableUnits: 10_000_000_000n }
    expect(codes(rich, { amountUnits: 270_000_000n })).toEqual([])
    const [warning] = warn(rich, { amountUnits: 300_000_001n })
    expect(warning).toMatchObject({
      code: 'over_usual',
      values: { amount: '300.000001', largest: '100', percentile_95: '90', times: '3', payouts: '30' },
    })
    expect(warning?.message).toContain('the largest of 30 payouts')
  })

  it('also means more than three times the 95th percentile', () => {
    const rich = { availableUnits: 10_000_000_000n }
    const [warning] = warn(rich, { amountUnits: 270_000_001n })
    expect(warning?.message).toContain('95th percentile')
  })

  it('does not apply if nothing was paid out before', () => {
    expect(codes({ usual: null, availableUnits: 10n ** 20n }, { amountUnits: 10n ** 12n })).toEqual([])
  })
})

it('a repeated payment within a day leads to a warning that names the other one', () => {
  const twins = [{ id: 'p0', createdAt: hoursAgo(2) }]
  expect(warn({ twins })).toMatchObject([{ code: 'paid_already', values: { payout_id: 'p0' } }])
})

it('a key created less than a day before the payout leads to a warning', () => {
  expect(codes({ keyMadeAt: hoursAgo(23.9) })).toEqual(['key_new'])
  expect(codes({ keyMadeAt: null })).toEqual([])
})

it('a payout of more than half of the balance, fees included, leads to a warning', () => {
  expect(codes({ availableUnits: 99_999_999n })).toEqual(['balance_share'])
  expect(warn({ availableUnits: 0n }, { networkFeeUnits: 5n })).toMatchObject([
    { values: { percent: '100' } },
  ])
})

it('a negative balance leads to a warning of its own instead, however much is missing', () => {
  for (const availableUnits of [-1n, -100_000_000n, -(10n ** 20n)])
    expect(codes({ availableUnits })).toEqual(['balance_negative'])
  expect(warn({ availableUnits: -150_000n })).toMatchObject([
    { message: expect.stringMatching(/is short by 0\.15 \w+:/), values: { missing: '0.15' } },
  ])
})

it('the edit distance counts edits', () => {
  expect(editDistanceWithin('kitten', 'sitting', 3)).toBe(true)
  expect(editDistanceWithin('kitten', 'sitting', 2)).toBe(false)
  expect(editDistanceWithin('', 'abc', 3)).toBe(true)
})
