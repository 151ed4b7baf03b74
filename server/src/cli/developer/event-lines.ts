import type { Event } from '@sluice/sdk/contract'
import { InvalidArgumentError } from 'commander'
import { eventNames } from '../../domain/events.ts'

const nameWidth = Math.max(...eventNames.map((name) => name.length))

/** The invoice, payout, refund or endpoint that an event is about; empty if its data name none. */
export function subjectOf({ data }: Event): string {
  for (const name of ['id', 'invoice_id', 'endpoint_id'])
    if (typeof data[name] === 'string') return data[name] as string
  return ''
}

/** One line: when, what, about what, and its amount and status. */
export function eventLine(event: Event): string {
  const { amount, currency, status } = event.data
  const facts = [amount, currency, status].filter((each) => typeof each === 'string')
  return [
    event.created_at.slice(11, 19),
    event.event.padEnd(nameWidth),
    subjectOf(event),
    facts.join(' '),
  ].join('  ')
}

/** Reads `--events`. */
export function readEventNames(text: string): string[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const unknown = names.filter((name) => !(eventNames as readonly string[]).includes(name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `Unknown event: ${unknown.join(', ')}. Known events: ${eventNames.join(', ')}`,
    )
  return names
}

/** Reads `--after`. */
export function readPosition(text: string): string {
  if (!/^(0|[1-9]\d{0,38})$/.test(text))
    throw new InvalidArgumentError('It must be the position of an event, or 0.')
  return text
}
