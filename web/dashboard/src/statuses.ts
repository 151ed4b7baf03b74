/** How a status looks: something to wait for, on its way, done, to be looked at, gone wrong, or simply over. */
export type Tone = 'open' | 'busy' | 'done' | 'attention' | 'over' | 'ended'

const tones: Readonly<Record<string, Readonly<Record<string, Tone>>>> = {
  invoice: {
    pending: 'open',
    paid: 'done',
    underpaid: 'attention',
    overpaid: 'attention',
    expired: 'ended',
    cancelled: 'ended',
  },
  payout: {
    pending_approval: 'attention',
    approved: 'busy',
    processing: 'busy',
    completed: 'done',
    failed: 'over',
    cancelled: 'ended',
  },
  refund: { pending: 'open', processing: 'busy', completed: 'done', failed: 'over', cancelled: 'ended' },
  payment: { detected: 'open', confirming: 'busy', confirmed: 'done', reversed: 'over' },
  suspense: { pending: 'open', held: 'attention', released: 'done', gone: 'ended' },
  delivery: { pending: 'busy', succeeded: 'done', failed: 'over' },
  endpoint: { enabled: 'done', disabled: 'over' },
  gate: { online: 'done', offline: 'over', halted: 'over', not_followed: 'open' },
}

/** The statuses of a resource, in the order in which things usually go. */
export const invoiceStatuses = ['pending', 'paid', 'underpaid', 'overpaid', 'expired', 'cancelled'] as const
export const payoutStatuses = [
  'pending_approval',
  'approved',
  'processing',
  'completed',
  'failed',
  'cancelled',
] as const

export const suspenseReasons = [
  'wrong_currency',
  'wrong_network',
  'missing_tag',
  'unknown_tag',
  'dust',
  'unassigned_address',
  'recovered',
] as const

export function toneOf(resource: string, status: string): Tone {
  return tones[resource]?.[status] ?? 'open'
}
