import type { TimelineEntry } from '@sluice/web/contract'
import type { Desk } from './desk.svelte.ts'
import { coinText, nameOrId, plain, shortened } from './formats.ts'
import type { MessageKey } from './messages.ts'
import type { Tone } from './statuses.ts'

/** Whose page it is: an invoice shows the payouts of its refunds, and a refund the payout that sends it. */
export type TimelineOf = 'invoice' | 'payout' | 'refund'

const tones: Readonly<Record<string, Tone>> = {
  payment_credited: 'done',
  payout_completed: 'done',
  payout_failed: 'over',
  payout_rejected: 'over',
  payout_cancelled: 'over',
  'invoice.paid': 'done',
  'invoice.underpaid': 'attention',
  'invoice.overpaid': 'attention',
  'invoice.late_deposit': 'attention',
  'invoice.deposit_reversed': 'over',
  'invoice.expired': 'over',
  'invoice.cancelled': 'over',
}

export function toneOf({ kind, event, payment }: TimelineEntry): Tone | undefined {
  // It changed nothing about an invoice that had ended: someone has to decide what comes of it.
  if (kind === 'payment_credited' && payment?.late) return 'attention'
  const name = event ?? kind
  return Object.hasOwn(tones, name) ? tones[name] : undefined
}

/** The entries, each with a key by which it is known again when another one is told before it. */
export function keyed(
  entries: readonly TimelineEntry[],
): { readonly key: string; readonly entry: TimelineEntry }[] {
  const counts = new Map<string, number>()
  return entries.map((entry) => {
    const { kind, at, by, payment, payout } = entry
    const name = eventsOf(entry)[0]?.id ?? [kind, payment?.id ?? payout?.id, at, by].join(' ')
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return { entry, key: `${name} ${count}` }
  })
}

/** The events that announced it. The version before, which may still answer while it is replaced, does not tell them. */
export function eventsOf({ events }: TimelineEntry): TimelineEntry['events'] {
  return events ?? []
}

/** What happened, in a sentence, and who did it where that is known. */
export function sentenceOf(
  { t, messages, language }: Pick<Desk, 't' | 'messages' | 'language'>,
  entry: TimelineEntry,
  of: TimelineOf,
): string {
  const { kind, event, payout } = entry
  const reason = entry.reason ?? null
  if (event !== null && kind === 'event' && !(keyOfEvent(event) in messages)) return event
  const key = kind === 'event' ? keyOfEvent(event ?? '') : keyOfFact(kind, of)
  const name = nameIn(entry)
  const values = {
    name: nameOrId(name ?? '', entry.by ?? ''),
    reason: plain(reason ?? ''),
    amount: payout === null ? '' : `${coinText(language, payout.amount)} ${payout.currency}`,
    destination: payout === null ? '' : shortened(payout.destination),
  }
  const [longest, longer] = [`${key}_because`, `${key}_by`] as MessageKey[]
  if (name !== null && reason !== null && longest !== undefined && longest in messages)
    return t(longest, values)
  if (name !== null && longer !== undefined && longer in messages) return t(longer, values)
  return t(key, values)
}

function keyOfEvent(event: string): MessageKey {
  return `event_${event.replaceAll('.', '_')}` as MessageKey
}

function keyOfFact(kind: Exclude<TimelineEntry['kind'], 'event'>, of: TimelineOf): MessageKey {
  return `timeline_${of === 'payout' ? kind : kind.replace('payout_', 'refund_')}` as MessageKey
}

/** Operators on the command line have no other name. */
function nameIn({ by, by_name: name }: TimelineEntry): string | null {
  return name ?? (by?.startsWith('cli:') ? by.slice('cli:'.length) : null)
}
