import type { EventName } from '../../domain/events.ts'
import type { Announcement, Happening, HappeningKind, Told } from './happening.ts'

// What each event announces, the likeliest first. Events that are not named here tell something of their own.
const announced: Readonly<Partial<Record<EventName, readonly HappeningKind[]>>> = {
  'invoice.confirming': ['invoice_activated', 'invoice_created'],
  'invoice.payment_detected': ['payment_seen'],
  'invoice.late_deposit': ['payment_credited'],
  'balance.credited': ['payment_credited'],
  'payout.approved': ['payout_approved'],
  'payout.completed': ['payout_completed'],
  'payout.failed': ['payout_failed'],
  'payout.cancelled': ['payout_rejected', 'payout_cancelled'],
  'refund.completed': ['payout_completed'],
  'refund.failed': ['payout_failed'],
}

// Of facts at the same time, money comes first, and then what came of it.
const money: readonly HappeningKind[] = ['payment_seen', 'payment_credited']

/**
 * Tells each fact once: an event that announces one of them is put to it, with its webhooks, and the others become facts. Oldest
 * first; the first of the facts, by which everything began, stays first even if clocks disagree.
 */
export function foldEvents(facts: readonly Happening[], events: readonly Announcement[]): Told[] {
  const eventsOf = new Map<Happening, Announcement[]>(facts.map((each) => [each, []]))
  for (const event of events) {
    const fact = factOf(facts, event)
    if (fact !== null) eventsOf.get(fact)?.push(event)
    else eventsOf.set(factFrom(facts, event), [event])
  }
  const [first, ...others] = [...eventsOf].map(([fact, its]): Told => ({ ...fact, events: its }))
  others.sort((a, b) => a.at.getTime() - b.at.getTime() || rank(a) - rank(b))
  return first === undefined ? [] : [first, ...others]
}

/** The fact that an event announces. Of several of its kind it is the nearest in time: both were stored in one transaction. */
function factOf(facts: readonly Happening[], event: Announcement): Happening | null {
  for (const kind of announced[event.event] ?? []) {
    const [nearest] = facts
      .filter((fact) => fact.kind === kind && concerns(fact, event))
      .sort((a, b) => distance(a, event) - distance(b, event))
    if (nearest !== undefined) return nearest
  }
  return null
}

/** What only an event tells. */
function factFrom(facts: readonly Happening[], event: Announcement): Happening {
  const payout = facts.find((fact) => fact.payout !== undefined && concerns(fact, event))?.payout
  const common = { at: event.createdAt, status: event.status, ...(payout !== undefined && { payout }) }
  return event.event === 'payout.processing'
    ? { ...common, kind: 'payout_sent' }
    : { ...common, kind: 'event', event: event.event }
}

/** Events of payouts and refunds name which; those of an invoice are about any of its payments. */
function concerns({ payout }: Happening, { resourceId }: Announcement): boolean {
  return payout === undefined || payout.id === resourceId || payout.refundId === resourceId
}

function rank({ kind }: Happening): number {
  return money.includes(kind) ? money.indexOf(kind) : money.length
}

function distance({ at }: Happening, { createdAt }: Announcement): number {
  return Math.abs(at.getTime() - createdAt.getTime())
}
