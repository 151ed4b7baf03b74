import { expect, it } from 'vitest'
import { foldEvents } from '../../../src/app/history/fold-events.ts'
import type { Announcement, Happening } from '../../../src/app/history/happening.ts'
import type { EventName } from '../../../src/domain/events.ts'
import type { Payout } from '../../../src/domain/payouts.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 19, 12, 0, seconds))
const fact = (kind: Happening['kind'], seconds: number, more: Partial<Happening> = {}): Happening => ({
  kind,
  at: at(seconds),
  ...more,
})
const announces = (event: EventName, seconds: number, resourceId = 'invoice'): Announcement => ({
  id: `${event} ${seconds}`,
  event,
  resourceId,
  status: null,
  createdAt: at(seconds),
  deliveries: [],
})
const told = (facts: readonly Happening[], events: readonly Announcement[]) =>
  foldEvents(facts, events).map(({ kind, event, events: its }) => [event ?? kind, its.map(({ id }) => id)])

it('an event that announces a fact is put to it, and one that tells something new is a fact', () => {
  const facts = [fact('invoice_created', 0), fact('payment_seen', 5), fact('payment_credited', 9)]
  const events = [
    announces('invoice.confirming', 0),
    announces('invoice.payment_detected', 5),
    announces('balance.credited', 9),
    announces('invoice.paid', 9),
  ]
  expect(told(facts, events)).toEqual([
    ['invoice_created', ['invoice.confirming 0']],
    ['payment_seen', ['invoice.payment_detected 5']],
    ['payment_credited', ['balance.credited 9']],
    ['invoice.paid', ['invoice.paid 9']],
  ])
})

it('of several payments an event announces the nearest', () => {
  const facts = [fact('invoice_created', 0), fact('payment_seen', 5), fact('payment_seen', 30)]
  const events = [announces('invoice.payment_detected', 6), announces('invoice.payment_detected', 31)]
  expect(told(facts, events)).toEqual([
    ['invoice_created', []],
    ['payment_seen', ['invoice.payment_detected 6']],
    ['payment_seen', ['invoice.payment_detected 31']],
  ])
})

it('a currency that was chosen later is what made the invoice live', () => {
  const facts = [fact('invoice_created', 0), fact('invoice_activated', 20)]
  expect(told(facts, [announces('invoice.confirming', 20)])).toEqual([
    ['invoice_created', []],
    ['invoice_activated', ['invoice.confirming 20']],
  ])
})

it('events of payouts and refunds stay with the payout that they name', () => {
  const payout = (id: string, refundId: string | null) => ({
    payout: { id, refundId } as Payout,
  })
  const one = payout('one', 'refund')
  const two = payout('two', null)
  const facts = [
    fact('payout_created', 0, one),
    fact('payout_created', 1, two),
    fact('payout_completed', 8, one),
    fact('payout_completed', 9, two),
  ]
  const events = [
    announces('payout.processing', 5, 'two'),
    announces('payout.completed', 9, 'one'),
    announces('refund.completed', 9, 'refund'),
    announces('payout.completed', 8, 'two'),
  ] as const
  const happenings = foldEvents(facts, events)
  expect(
    happenings.map(({ kind, payout: of, events: its }) => [kind, of?.id, its.map(({ event }) => event)]),
  ).toEqual([
    ['payout_created', 'one', []],
    ['payout_created', 'two', []],
    ['payout_sent', 'two', ['payout.processing']],
    ['payout_completed', 'one', ['payout.completed', 'refund.completed']],
    ['payout_completed', 'two', ['payout.completed']],
  ])
})

it('an event whose fact is not known stands for itself, and what began it all stays first', () => {
  const facts = [fact('invoice_created', 10), fact('payment_seen', 3)]
  expect(told(facts, [announces('balance.credited', 7)])).toEqual([
    ['invoice_created', []],
    ['payment_seen', []],
    ['balance.credited', ['balance.credited 7']],
  ])
  expect(told([], [])).toEqual([])
})
