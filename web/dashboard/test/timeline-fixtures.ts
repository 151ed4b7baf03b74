import type { Payout, Refund, TimelineEntry } from '@sluice/web/contract'
import { eventId } from './fixtures.ts'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const id = (n: number) => `019a8667-3bd4-7c21-9a6e-${String(n).padStart(12, '0')}`

const happened = (
  entries: readonly (Partial<TimelineEntry> & Pick<TimelineEntry, 'kind'>)[],
): readonly TimelineEntry[] =>
  entries.map((entry, n) => ({
    at: minutesAgo(60 - n * 7),
    event: null,
    by: null,
    by_name: null,
    status: null,
    payment: null,
    payout: null,
    reason: null,
    details: null,
    reasons: [],
    events: [],
    ...entry,
  }))

const delivery: TimelineEntry['events'][number]['deliveries'][number] = {
  id: id(1),
  endpoint_id: id(600),
  url: 'https://shop.example/hooks',
  status: 'succeeded',
  at: minutesAgo(38),
  attempts: 1,
  status_code: 200,
  reasons: [],
}
const refused: typeof delivery = {
  ...delivery,
  id: id(2),
  status: 'pending',
  status_code: 503,
  reasons: [{ code: 'endpoint_refused', message: 'It answered with a status other than 2xx.', values: {} }],
}

export const invoiceTimeline = happened([
  { kind: 'invoice_created', by: 'key:1', by_name: 'Web shop' },
  { kind: 'payment_seen', status: 'detected' },
  {
    kind: 'event',
    event: 'invoice.paid',
    events: [{ id: eventId, event: 'invoice.paid', deliveries: [delivery, refused] }],
  },
])

type Shown = Pick<
  Payout,
  'id' | 'amount' | 'currency' | 'network' | 'destination' | 'status' | 'tx_hash' | 'explorer_url'
>

/** What happened to a refund, which is what happened to the payout that sends it. */
export function refundTimeline(refund: Refund): readonly TimelineEntry[] {
  const status = refund.status === 'pending' ? 'pending_approval' : refund.status
  return payoutTimeline({ ...refund, id: refund.payout_id, status }, refund.id)
}

/** What happened to a payout, so far as its status tells. */
export function payoutTimeline(payout: Shown, refundId: string | null = null): readonly TimelineEntry[] {
  const { id: payoutId, amount, currency, network, destination, status, tx_hash, explorer_url } = payout
  const of = {
    payout: {
      id: payoutId,
      refund_id: refundId,
      amount,
      currency,
      network,
      destination,
      status,
      tx_hash,
      explorer_url,
    },
  }
  const created = { kind: 'payout_created', by: 'user:1', by_name: 'Mara', ...of } as const
  const approved = { kind: 'payout_approved', by: 'user:2', by_name: 'Finn', ...of } as const
  if (status === 'pending_approval') return happened([created])
  if (status === 'cancelled')
    return happened([
      created,
      { kind: 'payout_rejected', by: 'user:2', by_name: 'Finn', reason: 'wrong supplier', ...of },
    ])
  const sent = { kind: 'payout_sent', ...of } as const
  const ended = { kind: 'payout_completed', ...of } as const
  return happened(status === 'completed' ? [created, approved, sent, ended] : [created, approved])
}
