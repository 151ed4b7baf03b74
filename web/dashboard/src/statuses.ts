import type {
  DeliveryStatus,
  InvoiceStatus,
  OperatorGate,
  Payment,
  PayoutStatus,
  RefundStatus,
  SuspensePayment,
  WebhookEndpoint,
} from '@sluice/web/contract'

/** The look of a status: waiting, on its way, done, needs attention, failed, or simply over. */
export type Tone = 'open' | 'busy' | 'done' | 'attention' | 'over' | 'ended'

type Statuses = {
  invoice: InvoiceStatus
  payout: PayoutStatus
  refund: RefundStatus
  payment: Payment['status']
  suspense: SuspensePayment['status']
  delivery: DeliveryStatus | 'retrying'
  endpoint: WebhookEndpoint['status']
  gate: OperatorGate['status']
}
/** Resources with a displayed status. */
export type Resource = keyof Statuses

const tones: { readonly [Of in Resource]: Readonly<Record<Statuses[Of], Tone>> } = {
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
  delivery: { pending: 'busy', retrying: 'attention', succeeded: 'done', failed: 'over' },
  endpoint: { enabled: 'done', disabled: 'over' },
  gate: { online: 'done', offline: 'over', halted: 'over', not_followed: 'open' },
}

/** The status of a delivery as shown: one whose last attempt failed is not simply on its way. */
export function deliveryStatusOf({
  status,
  attempt_log: attempts,
}: {
  readonly status: DeliveryStatus
  readonly attempt_log: readonly { readonly error: string | null }[]
}): Statuses['delivery'] {
  return status === 'pending' && (attempts.at(-1)?.error ?? null) !== null ? 'retrying' : status
}

export function toneOf(resource: Resource, status: string): Tone {
  return (tones[resource] as Readonly<Record<string, Tone>>)[status] ?? 'open'
}
