import { describe, expect, it } from 'vitest'
import { noPolicy } from '../../src/domain/payout-policy.ts'
import {
  changeApproverObjection,
  policyChangeStatuses,
  policyChangeTransitions,
  staleness,
} from '../../src/domain/policy-changes.ts'
import { nextState } from '../../src/domain/transitions.ts'

const proposedAt = new Date('2026-11-17T12:00:00Z')
const earlier = new Date('2026-11-01T12:00:00Z')
const bob = { actor: 'user:bob', role: 'finance', approverSince: earlier } as const

describe('a change of the policy', () => {
  it('ends for good, and nothing but agreement leads to its being applied', () => {
    for (const ended of ['applied', 'withdrawn', 'superseded'] as const)
      expect(policyChangeTransitions[ended]).toEqual({})
    expect(policyChangeStatuses.filter((from) => nextState(policyChangeTransitions, from, 'apply'))).toEqual([
      'waiting',
    ])
  })

  it.each([
    ['who approved it already', [{ actor: 'user:ann' }], 'already approved'],
    ['whose role does not approve', [{ role: 'developer' }], 'does not approve'],
    ['who is no member', [{ role: null, approverSince: null }], 'does not approve'],
    [
      'who became an approver at the same moment',
      [{ approverSince: proposedAt }],
      'became an approver after',
    ],
  ] as const)('is not approved by a person %s', (_, [given], words) => {
    const change = { status: 'proposed', proposedAt } as const
    const approvals = [{ approver: 'user:ann' }]
    expect(changeApproverObjection(change, approvals, bob)).toBeNull()
    expect(changeApproverObjection(change, approvals, { ...bob, ...given })).toContain(words)
  })

  it('is not approved once it waits or has ended', () => {
    for (const status of ['waiting', 'applied', 'withdrawn', 'superseded'] as const)
      expect(changeApproverObjection({ status, proposedAt }, [], bob)).not.toBeNull()
  })
})

describe('a change is stale', () => {
  const wanted = { kind: 'policy', baseCurrency: 'USD', policy: noPolicy } as const
  const change = { wanted, relaxes: ['coolingOffSeconds'], statement: null, proposedBy: 'user:ann' } as const
  const inForce = { ...noPolicy, coolingOffSeconds: 60 }

  it.each([
    ['a rule was tightened since', { ...inForce, maxDay: 5n }, 'USD', 'tightened'],
    ['the base currency is another', inForce, 'EUR', 'base currency'],
    ['more people have to approve', { ...inForce, approvalsRequired: 2 }, 'USD', 'tightened'],
  ])('when %s', (_, now, currency, words) => {
    expect(staleness(change, 1, inForce, 'USD')).toBeNull()
    expect(staleness(change, 1, now, currency)).toContain(words)
  })

  it('about a destination, when passkeys or more approvals are asked for by now', () => {
    const place = { network: 'bitcoin', address: 'x', tag: null }
    const added = { ...change, wanted: { kind: 'destination', place, label: null }, relaxes: [] } as const
    expect(staleness(added, 1, inForce, 'USD')).toBeNull()
    expect(staleness(added, 1, { ...inForce, approvalsRequired: 2 }, 'USD')).not.toBeNull()
    expect(staleness(added, 1, { ...inForce, approval: 'passkey' }, 'USD')).not.toBeNull()
    const byOperator = { ...added, proposedBy: 'cli:root' }
    expect(staleness(byOperator, 1, { ...inForce, approvalsRequired: 2 }, 'USD')).toBeNull()
  })
})
