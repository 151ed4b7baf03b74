import { expect, it } from 'vitest'
import { changedRules, relaxedRules } from '../src/relaxing.ts'

const strict = {
  max_payout: '1000.00',
  max_day: null,
  only_known_destinations: true,
  approvals_required: 2,
  cooling_off_seconds: 3600,
  approval: 'passkey',
} as const

it.each([
  ['max_payout', { max_payout: '1000.01' }],
  ['max_payout', { max_payout: null }],
  ['only_known_destinations', { only_known_destinations: false }],
  ['approvals_required', { approvals_required: 1 }],
  ['cooling_off_seconds', { cooling_off_seconds: 3599 }],
  ['approval', { approval: 'any' as const }],
])('the page knows that a change of %s to %j relaxes it', (rule, change) => {
  expect(relaxedRules(strict, { ...strict, ...change })).toEqual([rule])
})

it.each([{ max_payout: '999.5' }, { max_payout: '1000' }, { max_day: '1' }, { cooling_off_seconds: 7200 }])(
  'the page knows that %j relaxes nothing',
  (change) => {
    expect(relaxedRules(strict, { ...strict, ...change })).toEqual([])
    expect(changedRules(strict, { ...strict, ...change })).toHaveLength(1)
  },
)
