import type { TimelineEntry } from '@sluice/web/contract'
import { translate } from '@sluice/web/ui/messages.ts'
import { describe, expect, it } from 'vitest'
import german from '../messages/de.json' with { type: 'json' }
import english from '../messages/en.json' with { type: 'json' }
import { shortened } from '../src/formats.ts'
import type { MessageKey, Messages } from '../src/messages.ts'
import { eventsOf, keyed, sentenceOf, toneOf } from '../src/timeline-words.ts'
import { payouts } from './fixtures.ts'
import { payoutTimeline } from './timeline-fixtures.ts'

const desk = (language: 'en' | 'de', messages: Messages) => ({
  language,
  messages,
  t: (key: MessageKey, values = {}) => translate(language, messages, key, values),
})
const [en, de] = [desk('en', english), desk('de', german)]

const destination = '0x52908400098527886E0F7030069857D2E4169EE7'
const [paid] = payouts
if (paid === undefined) throw new Error('There is no payout.')
const [created] = payoutTimeline({ ...paid, amount: '65.5', currency: 'USDC', destination })
if (created === undefined) throw new Error('There is no entry.')
const entry = (more: Partial<TimelineEntry>): TimelineEntry => ({
  ...created,
  by: null,
  by_name: null,
  ...more,
})
const finns = (more: Partial<TimelineEntry>) => entry({ by: 'user:1', by_name: 'Finn', ...more })

describe('a sentence of a timeline', () => {
  it('says who did what, and why', () => {
    const rejected = finns({ kind: 'payout_rejected', reason: 'wrong supplier' })
    expect(sentenceOf(en, rejected, 'payout')).toBe(
      'Finn rejected 65.5 USDC to 0x529084…169EE7: wrong supplier',
    )
    expect(sentenceOf(de, rejected, 'payout')).toBe(
      'Finn hat 65,5 USDC an 0x529084…169EE7 abgelehnt: wrong supplier',
    )
    expect(sentenceOf(en, { ...rejected, reason: null }, 'payout')).toBe(
      'Finn rejected 65.5 USDC to 0x529084…169EE7',
    )
    expect(sentenceOf(en, rejected, 'invoice')).toBe('Finn rejected the refund: wrong supplier')
    expect(sentenceOf(en, finns({ kind: 'payout_approved' }), 'payout')).toBe(
      'Finn approved 65.5 USDC to 0x529084…169EE7',
    )
    expect(sentenceOf(en, finns({ kind: 'invoice_created', payout: null }), 'invoice')).toBe(
      'Finn created the invoice',
    )
  })

  it('says what happened where no person is known, and names operators on the command line', () => {
    expect(sentenceOf(en, entry({ kind: 'payout_created' }), 'payout')).toBe('Payout created')
    expect(sentenceOf(de, entry({ kind: 'payout_sent' }), 'refund')).toBe(
      'Erstattung an das Netzwerk gesendet',
    )
    expect(sentenceOf(en, entry({ kind: 'payout_completed' }), 'invoice')).toBe('Refund completed')
    expect(sentenceOf(en, entry({ kind: 'payout_created', by: 'key:gone' }), 'payout')).toBe('Payout created')
    expect(sentenceOf(en, entry({ kind: 'payout_created', by: 'cli:root' }), 'payout')).toBe(
      'root created the payout',
    )
  })

  it('names events, those that this page does not know too', () => {
    const event = (name: string) => finns({ kind: 'event', event: name, by_name: null })
    expect(sentenceOf(en, event('invoice.paid'), 'invoice')).toBe('Paid')
    expect(sentenceOf(en, finns({ kind: 'event', event: 'invoice.cancelled' }), 'invoice')).toBe(
      'Finn cancelled the invoice',
    )
    expect(sentenceOf(en, event('invoice.frozen'), 'invoice')).toBe('invoice.frozen')
  })

  it('takes names and reasons as they are, but for what would turn the line round or break it', () => {
    const turned = finns({
      kind: 'payout_rejected',
      by_name: 'Fi\u202enn',
      reason: `no\n\nno ${'o'.repeat(90)}`,
    })
    expect(sentenceOf(en, turned, 'invoice')).toBe(`Finn rejected the refund: no no ${'o'.repeat(74)}…`)
    const unseen = finns({
      kind: 'payout_rejected',
      by: `user:${created.payout?.id}`,
      by_name: '\u202e\u200d',
    })
    expect(sentenceOf(en, unseen, 'invoice')).toBe(
      `${shortened(`user:${created.payout?.id}`)} rejected the refund`,
    )
    const hostile = finns({ kind: 'payout_rejected', by_name: '{reason}', reason: '{amount} <b>' })
    expect(sentenceOf(en, hostile, 'invoice')).toBe('{reason} rejected the refund: {amount} <b>')
  })
})

it('what went wrong stands out, and nothing that only looks like a name of ours', () => {
  expect(toneOf(entry({ kind: 'payout_rejected' }))).toBe('over')
  expect(toneOf(entry({ kind: 'event', event: 'invoice.paid' }))).toBe('done')
  expect(toneOf(entry({ kind: 'payout_created' }))).toBeUndefined()
  const credited = (late: boolean) =>
    entry({ kind: 'payment_credited', payment: { late } as TimelineEntry['payment'] })
  expect([toneOf(credited(false)), toneOf(credited(true))]).toEqual(['done', 'attention'])
  expect(toneOf(entry({ kind: 'event', event: 'toString' }))).toBeUndefined()
})

it('an entry of the version before, without events and a reason, is told as far as it goes', () => {
  const { events, reason, ...older } = finns({ kind: 'payout_rejected' })
  expect(eventsOf(older as TimelineEntry)).toEqual([])
  expect(sentenceOf(en, older as TimelineEntry, 'payout')).toBe('Finn rejected 65.5 USDC to 0x529084…169EE7')
  expect(keyed([older as TimelineEntry])).toHaveLength(1)
})

it('entries keep their keys when others are told before them, and no two have the same', () => {
  const events = (n: number) => [{ id: `evt_${n}`, event: 'payout.approved', deliveries: [] }]
  const [one, other] = [
    finns({ kind: 'payout_approved' }),
    finns({ kind: 'payout_approved', events: events(1) }),
  ]
  const keys = (entries: readonly TimelineEntry[]) => keyed(entries).map(({ key }) => key)
  expect(keys([entry({ kind: 'payout_created' }), one, other]).slice(1)).toEqual(keys([one, other]))
  expect(new Set(keys([one, one, other, other]))).toHaveLength(4)
})
