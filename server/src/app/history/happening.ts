import type { EventName } from '../../domain/events.ts'
import type { Payment } from '../../domain/invoices.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { PastDelivery, PastEvent } from '../../store/reports/history.ts'

/** Facts that we keep ourselves; only `event` is known from an event alone. */
export type HappeningKind =
  | 'invoice_created'
  | 'invoice_activated'
  | 'payment_seen'
  | 'payment_credited'
  | 'payout_created'
  | 'payout_approved'
  | 'payout_rejected'
  | 'payout_sent'
  | 'payout_completed'
  | 'payout_failed'
  | 'payout_cancelled'
  | 'event'

/** Something that happened to an invoice, its payments, its refunds, or a payout. */
export type Happening = {
  readonly at: Date
  readonly kind: HappeningKind
  readonly event?: EventName
  readonly by?: string | null
  readonly status?: string | null
  readonly payment?: Payment & { readonly address: string }
  readonly payout?: Payout
  /** Why a person rejected it, in their own words. */
  readonly reason?: string | null
  readonly details?: string | null
}

/** An event, and the webhooks that carry it. */
export type Announcement = PastEvent & { readonly deliveries: readonly PastDelivery[] }

/** A fact, told once, with the events that announced it. */
export type Told = Happening & { readonly events: readonly Announcement[] }

export type History = {
  /** Oldest first. */
  readonly happenings: readonly Told[]
  /** Display names of the actors. */
  readonly names: ReadonlyMap<string, string>
}
