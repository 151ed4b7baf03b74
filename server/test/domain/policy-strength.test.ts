import fc from 'fast-check'
import { expect, it } from 'vitest'
import { approvalKinds, noPolicy, type PayoutPolicy } from '../../src/domain/payout-policy.ts'
import { relaxedRules, strictest } from '../../src/domain/policy-strength.ts'

const limit = fc.option(fc.bigInt({ min: 1n, max: 5n }))
const policies: fc.Arbitrary<PayoutPolicy> = fc.record({
  maxPayout: limit,
  maxDay: limit,
  onlyKnownDestinations: fc.boolean(),
  approvalsRequired: fc.integer({ min: 1, max: 2 }),
  coolingOffSeconds: fc.integer({ min: 0, max: 3 }),
  approval: fc.constantFrom(...approvalKinds),
})

it.each<[Partial<PayoutPolicy>, Partial<PayoutPolicy>, (keyof PayoutPolicy)[]]>([
  [{}, {}, []],
  [{}, { maxPayout: 5n, approvalsRequired: 2, coolingOffSeconds: 1, approval: 'passkey' }, []],
  [{ maxPayout: 5n }, {}, ['maxPayout']],
  [{ maxPayout: 5n }, { maxPayout: 6n }, ['maxPayout']],
  [{ maxPayout: 5n }, { maxPayout: 4n }, []],
  [{ maxDay: 5n }, { maxDay: 6n, approvalsRequired: 2 }, ['maxDay']],
  [{ onlyKnownDestinations: true }, {}, ['onlyKnownDestinations']],
  [{ approvalsRequired: 2, coolingOffSeconds: 9 }, {}, ['approvalsRequired', 'coolingOffSeconds']],
  [{ approval: 'passkey' }, {}, ['approval']],
])('a change from %o to %o relaxes %o', (before, after, rules) => {
  expect(relaxedRules({ ...noPolicy, ...before }, { ...noPolicy, ...after })).toEqual(rules)
})

it('the strictest of two policies relaxes neither, and no policy that relaxes neither is laxer', () => {
  fc.assert(
    fc.property(policies, policies, policies, (one, other, third) => {
      const both = strictest(one, other)
      expect(relaxedRules(one, both)).toEqual([])
      expect(relaxedRules(other, both)).toEqual([])
      if (relaxedRules(one, third).length === 0 && relaxedRules(other, third).length === 0)
        expect(relaxedRules(both, third)).toEqual([])
      expect(strictest(other, one)).toEqual(both)
    }),
  )
})
