import fc from 'fast-check'
import { expect, it } from 'vitest'
import { noPolicy, policyInWords, policyObjection } from '../../src/domain/payout-policy.ts'
import { approvalHash, payoutFee } from '../../src/domain/payouts.ts'
import { unitsInOther } from '../../src/domain/pricing.ts'

const facts = { baseCurrency: 'USD', approvedInADay: 0n, destinationIsKnown: false }
const payout = { amountInBaseCurrency: 100n, baseCurrency: 'USD' }

it('without a policy every payout is allowed, of any worth', () => {
  expect(policyObjection({ ...payout, amountInBaseCurrency: null }, noPolicy, facts)).toBeNull()
})

it.each([
  [{ maxPayout: 100n }, {}, {}, null],
  [{ maxPayout: 99n }, {}, {}, /^It is worth 1\.00 USD, which is over the limit of 0\.99 USD per payout/],
  [{ maxDay: 300n }, { approvedInADay: 200n }, {}, null],
  [{ maxDay: 300n }, { approvedInADay: 201n }, {}, /2\.01 USD approved in the last 24 hours/],
  [{ maxDay: 300n }, {}, { amountInBaseCurrency: null }, /no exchange rate/],
  [{ maxPayout: 300n }, { baseCurrency: 'EUR' }, {}, /recorded in USD, but the limits are in EUR/],
  [{ onlyKnownDestinations: true }, {}, {}, /not on the list/],
  [{ onlyKnownDestinations: true }, { destinationIsKnown: true }, {}, null],
])('the policy %o, given %o, says of %o what it should', (policy, given, other, words) => {
  const objection = policyObjection(
    { ...payout, ...other },
    { ...noPolicy, ...policy },
    { ...facts, ...given },
  )
  if (words === null) expect(objection).toBeNull()
  else expect(objection).toMatch(words)
})

it('a policy in words says durations as people do', () => {
  const waits = (coolingOffSeconds: number) => policyInWords({ ...noPolicy, coolingOffSeconds }, 'EUR').at(-1)
  expect(waits(86_400)).toBe('A payout is executed 24 hours after its approval.')
  expect(waits(3_600)).toBe('A payout is executed 1 hour after its approval.')
  expect(waits(5_400)).toBe('A payout is executed 90 minutes after its approval.')
  expect(waits(61)).toBe('A payout is executed 61 seconds after its approval.')
})

it('a fee covers its share to the unit, and at most one unit more', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 30n }),
      fc.integer({ min: 0, max: 10_000 }),
      (units, bps) => {
        const fee = payoutFee(units, bps)
        expect(fee * 10_000n >= units * BigInt(bps)).toBe(true)
        expect((fee - 1n) * 10_000n < units * BigInt(bps)).toBe(true)
      },
    ),
  )
})

it('an amount set aside in another currency is worth at least as much', () => {
  const rate = fc.bigInt({ min: 1n, max: 10n ** 30n })
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), rate, rate, (units, from, to) => {
      const other = unitsInOther({ units, decimals: 18, rate: from }, { decimals: 6, rate: to })
      expect(other * to * 10n ** 12n >= units * from).toBe(true)
      expect(other === 0n || (other - 1n) * to * 10n ** 12n < units * from).toBe(true)
    }),
  )
})

it('an approval’s hash changes with every field it covers, and with no other', () => {
  const covered: Parameters<typeof approvalHash>[0] = {
    id: 'a',
    environment: 'test',
    network: 'xrp',
    currency: 'XRP',
    amountUnits: 5n,
    destination: 'r',
    destinationTag: '7',
  }
  const hash = approvalHash(covered)
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  const others = [
    { id: 'b' },
    { environment: 'live' as const },
    { network: 'x' },
    { currency: 'X' },
    { amountUnits: 6n },
    { destination: 's' },
    { destinationTag: null },
    { destinationTag: '' },
  ].map((change) => approvalHash({ ...covered, ...change }))
  expect(new Set([hash, ...others]).size).toBe(others.length + 1)
  expect(approvalHash({ ...covered, status: 'approved', feeUnits: 9n } as typeof covered)).toBe(hash)
})
