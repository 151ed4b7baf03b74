import type { Policy, ProposedChange } from '@sluice/web/contract'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const proposal = {
  status: 'proposed',
  policy: null,
  destination: null,
  relaxes: [],
  proposed_by: { kind: 'user', id: '01890000-0000-7000-8000-0000000000a2', name: 'Bruno Keller' },
  proposed_at: minutesAgo(140),
  approvals: [
    {
      by: 'user:01890000-0000-7000-8000-0000000000a2',
      name: 'Bruno Keller',
      is_passkey: false,
      approved_at: minutesAgo(140),
    },
  ],
  approvals_needed: 2,
  needs_passkey: false,
  may_approve: true,
  may_not_because: null,
  may_not_reasons: [] as ProposedChange['may_not_reasons'],
  applies_at: null,
  ended_at: null,
} as const

export const policy: Policy = {
  base_currency: 'EUR',
  max_payout: '50000.00',
  max_day: null,
  only_known_destinations: true,
  approvals_required: 2,
  cooling_off_seconds: 3600,
  approval: 'any',
  text: ['Two people approve each payout.', 'A payout is worth at most 50,000.00 EUR.'],
  weakening_delay_hours: 24,
  pending_changes: [
    {
      ...proposal,
      id: '01890000-0000-7000-8000-0000000000c1',
      approvals: [...proposal.approvals],
      policy: {
        base_currency: 'EUR',
        max_payout: '75000.00',
        max_day: null,
        only_known_destinations: true,
        approvals_required: 1,
        cooling_off_seconds: 7200,
        approval: 'any',
      },
      relaxes: ['max_payout', 'approvals_required'],
    },
    {
      ...proposal,
      id: '01890000-0000-7000-8000-0000000000c2',
      approvals: [...proposal.approvals],
      relaxes: [],
      status: 'waiting',
      destination: {
        network: 'bitcoin',
        address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
        tag: null,
        label: 'New supplier',
      },
      approvals_needed: 1,
      may_approve: false,
      may_not_because: 'The change has all the approvals it needs.',
      may_not_reasons: [
        { code: 'change_has_approvals', message: 'The change has all the approvals it needs.', values: {} },
      ],
      applies_at: minutesAgo(-1_300),
    },
  ],
}
