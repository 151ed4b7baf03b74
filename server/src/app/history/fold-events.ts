import type { EventName } from '../../domain/events.ts'
import { timeOfId } from '../../domain/ids.ts'
import { say } from '../../domain/reasons/reasons.ts'
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

// Facts of which an event may be all that is left: the chain has undone them since, or the payer chose again.
const recalled: Readonly<Partial<Record<EventName, HappeningKind>>> = {
  'invoice.confirming': 'invoice_activated',
  'balance.credited': 'payment_credited',
  'payout.processing': 'payout_sent',
  'payout.completed': 'payout_completed',
}

// Of facts at the same time, money comes first, and then what came of it; a payout is completed once it was sent.
const firstOnes: readonly HappeningKind[] = [
  'payment_seen',
  'payment_credited',
  'payout_created',
  'payout_approved',
  'payout_sent',
]

/**
 * Tells each fact once: an event that announces one of them is put to it, with its webhooks, and the others become facts. Oldest
 * first; the first of the facts, by which everything began, stays first even if clocks disagree.
 */
export function foldEvents(facts: readonly Happening[], events: readonly Announcement[]): Told[] {
  const tell = tellerOf(facts)
  const mayRecall = ({ event }: Announcement) => recalled[event] !== undefined
  const recalling = events.filter(mayRecall)
  const factOf = matched(facts, recalling)
  const added = recalling
    .filter((event) => !factOf.has(event))
    .map((event) => {
      const fact = tell(event)
      factOf.set(event, fact)
      return fact
    })
  // Other events may announce a fact that was just recalled.
  const all = [...facts, ...added]
  const others = events.filter((event) => !mayRecall(event))
  for (const [event, fact] of matched(all, others)) factOf.set(event, fact)

  const eventsOf = new Map<Happening, Announcement[]>(all.map((fact) => [fact, []]))
  for (const event of events) {
    const fact = factOf.get(event)
    if (fact === undefined) eventsOf.set(tell(event), [event])
    else eventsOf.get(fact)?.push(event)
  }
  const [first, ...rest] = [...eventsOf].map(([fact, its]): Told => ({ ...fact, events: its }))
  rest.sort((a, b) => a.at.getTime() - b.at.getTime() || rank(a) - rank(b))
  return first === undefined ? [] : [first, ...rest]
}

/**
 * The fact that each event announces, for those that announce one of these. A fact has at most one event of a name. Time decides
 * which belong together, the nearest first: both were stored in one transaction.
 */
function matched(facts: readonly Happening[], events: readonly Announcement[]): Map<Announcement, Happening> {
  const known = factsByKey(facts)
  const pairs = events
    .flatMap((event) => candidates(known, event).map((fact) => ({ event, fact, off: distance(fact, event) })))
    .sort((one, other) => one.off - other.off)
  const factOf = new Map<Announcement, Happening>()
  const taken = new Map<Happening, Set<EventName>>(facts.map((fact) => [fact, new Set()]))
  for (const { event, fact } of pairs) {
    const names = taken.get(fact)
    if (factOf.has(event) || names === undefined || names.has(event.event)) continue
    names.add(event.event)
    factOf.set(event, fact)
  }
  return factOf
}

function candidates(
  known: ReadonlyMap<string, readonly Happening[]>,
  { event, paymentId, resourceId }: Announcement,
): readonly Happening[] {
  for (const kind of announced[event] ?? []) {
    const found = known.get(`${kind} ${paymentId ?? resourceId}`) ?? known.get(kind)
    if (found !== undefined) return found
  }
  return []
}

/** By their kind, and by what an event says that they are about: a payout, its refund, or the payment that was credited. */
function factsByKey(facts: readonly Happening[]): Map<string, Happening[]> {
  const known = new Map<string, Happening[]>()
  for (const fact of facts)
    for (const key of keysOf(fact)) {
      const same = known.get(key)
      if (same === undefined) known.set(key, [fact])
      else same.push(fact)
    }
  return known
}

function keysOf({ kind, payment, payout }: Happening): string[] {
  if (payout !== undefined)
    return [payout.id, payout.refundId].flatMap((id) => (id === null ? [] : [`${kind} ${id}`]))
  return [kind === 'payment_credited' && payment !== undefined ? `${kind} ${payment.id}` : kind]
}

/** Makes a fact of an event that no known one is about: it recalls one, or tells something of its own. */
function tellerOf(facts: readonly Happening[]): (event: Announcement) => Happening {
  const payments = new Map(
    facts.flatMap(({ payment }) => (payment === undefined ? [] : [[payment.id, payment]])),
  )
  const payouts = new Map(
    facts.flatMap(({ payout }) =>
      payout === undefined ? [] : [payout.id, payout.refundId].map((id) => [id, payout]),
    ),
  )
  return (announcement) => {
    const { event, createdAt: at, status, resourceId } = announcement
    const payment = payments.get(announcement.paymentId ?? '')
    const payout = payouts.get(resourceId)
    const kind = recalled[event]
    if (kind === 'invoice_activated') return { at, kind }
    if (kind === 'payment_credited' && payment !== undefined) {
      const details = payment.booking?.late ? say('arrived_late') : null
      return { at, kind, payment, status: 'confirmed', details }
    }
    const common = { at, status, ...(payout !== undefined && { payout }) }
    return kind === undefined || kind === 'payment_credited'
      ? { ...common, kind: 'event', event }
      : { ...common, kind, at: kind === 'payout_sent' ? notAfter(payout?.completedAt ?? null, at) : at }
  }
}

/** A payout is completed by the clock of a process, and sent by that of the database. */
function notAfter(end: Date | null, at: Date): Date {
  return end !== null && end < at ? end : at
}

function rank({ kind }: Happening): number {
  return firstOnes.includes(kind) ? firstOnes.indexOf(kind) : firstOnes.length
}

/** How far apart they were stored. The block of a payment may date its sighting back, so there the ids tell. */
function distance({ at, kind, payment }: Happening, { createdAt, id }: Announcement): number {
  return kind === 'payment_seen' && payment !== undefined
    ? Math.abs(timeOfId(payment.id).getTime() - timeOfId(id).getTime())
    : Math.abs(at.getTime() - createdAt.getTime())
}
