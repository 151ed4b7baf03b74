import { expect, it } from 'vitest'
import { foldEvents } from '../../../src/app/history/fold-events.ts'
import type { Announcement, Happening } from '../../../src/app/history/happening.ts'
import type { EventName } from '../../../src/domain/events.ts'
import { uuidv7 } from '../../../src/domain/ids.ts'
import type { Payout } from '../../../src/domain/payouts.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 19, 12, 0, seconds))
const fact = (kind: Happening['kind'], seconds: number, more: Partial<Happening> = {}): Happening => ({
  kind,
  at: at(seconds),
  ...more,
})
const announces = (event: EventName, seconds: number, more: Partial<Announcement> = {}): Announcement => ({
  id: uuidv7(at(seconds)),
  event,
  resourceId: 'invoice',
  status: null,
  paymentId: null,
  currency: null,
  network: null,
  overpaid: null,
  createdAt: at(seconds),
  deliveries: [],
  ...more,
})
const named = ({ event, createdAt }: Announcement) => `${event} ${createdAt.getUTCSeconds()}`
const told = (facts: readonly Happening[], events: readonly Announcement[]) =>
  foldEvents(facts, events).map(({ kind, event, events: its }) => [event ?? kind, its.map(named)])

type PaymentOf = NonNullable<Happening['payment']>
const payment = (storedAt: number, booking: Partial<PaymentOf['booking']> | null = null) =>
  ({ id: uuidv7(at(storedAt)), booking }) as PaymentOf
const seen = (of: PaymentOf, seconds: number) => fact('payment_seen', seconds, { payment: of })
const credited = (of: PaymentOf, seconds: number) => fact('payment_credited', seconds, { payment: of })
const credits = (of: PaymentOf, seconds: number) =>
  announces('balance.credited', seconds, { paymentId: of.id })
const toldOf = (payments: readonly PaymentOf[], ...given: Parameters<typeof told>) =>
  foldEvents(...given).map(({ kind, event, at: then, payment: of, events: its }) => [
    then.getUTCSeconds(),
    event ?? kind,
    of === undefined ? null : payments.indexOf(of),
    its.map(named),
  ])

it('an event that announces a fact is put to it, and one that tells something new is a fact', () => {
  const paid = payment(5)
  const facts = [fact('invoice_created', 0), seen(paid, 5), credited(paid, 9)]
  const events = [
    announces('invoice.confirming', 0),
    announces('invoice.payment_detected', 5),
    credits(paid, 9),
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
  const facts = [fact('invoice_created', 0), seen(payment(5), 5), seen(payment(30), 30)]
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

it('each currency that a payer chose is told when it was chosen', () => {
  const facts = [fact('invoice_created', 0), fact('invoice_activated', 30, { details: 'ETH' })]
  const events = [announces('invoice.confirming', 5), announces('invoice.confirming', 30)]
  expect(told(facts, events)).toEqual([
    ['invoice_created', []],
    ['invoice_activated', ['invoice.confirming 5']],
    ['invoice_activated', ['invoice.confirming 30']],
  ])
  // Going back to the first one is a third choice, though the invoice is as it was with the first.
  const back = [fact('invoice_created', 0), fact('invoice_activated', 5, { details: 'BTC' })]
  expect(told(back, [...events, announces('invoice.confirming', 50)]).map(([, its]) => its)).toEqual([
    [],
    ['invoice.confirming 5'],
    ['invoice.confirming 30'],
    ['invoice.confirming 50'],
  ])
})

it('a payment that was credited, reversed and credited again is credited twice, each time with its own event', () => {
  const one = payment(5, { late: false })
  const facts = [fact('invoice_created', 0), seen(one, 5), credited(one, 40)]
  const events = [
    credits(one, 10),
    announces('invoice.paid', 10),
    announces('invoice.deposit_reversed', 20),
    credits(one, 40),
    announces('invoice.deposit_restored', 40),
  ]
  expect(toldOf([one], facts, events)).toEqual([
    [0, 'invoice_created', null, []],
    [5, 'payment_seen', 0, []],
    [10, 'payment_credited', 0, ['balance.credited 10']],
    [10, 'invoice.paid', null, ['invoice.paid 10']],
    [20, 'invoice.deposit_reversed', null, ['invoice.deposit_reversed 20']],
    [40, 'payment_credited', 0, ['balance.credited 40']],
    [40, 'invoice.deposit_restored', null, ['invoice.deposit_restored 40']],
  ])
})

it('the credit of a payment that is gone for good stays its own', () => {
  const [gone, other] = [payment(5, { late: false }), payment(25)]
  const facts = [fact('invoice_created', 0), seen(gone, 5), seen(other, 25), credited(other, 40)]
  const events = [credits(gone, 10), announces('invoice.deposit_reversed', 20), credits(other, 40)]
  expect(toldOf([gone, other], facts, events).filter(([, name]) => name === 'payment_credited')).toEqual([
    [10, 'payment_credited', 0, ['balance.credited 10']],
    [40, 'payment_credited', 1, ['balance.credited 40']],
  ])
})

it('two payments that were credited in the same millisecond have their own events', () => {
  const [one, two] = [payment(5), payment(6)]
  const late = (of: PaymentOf) => announces('invoice.late_deposit', 9, { paymentId: of.id })
  const facts = [fact('invoice_created', 0), seen(one, 5), seen(two, 6), credited(two, 9), credited(one, 9)]
  const events = [credits(one, 9), late(one), credits(two, 9), late(two)]
  const its = ['balance.credited 9', 'invoice.late_deposit 9']
  const happenings = foldEvents(facts, events).filter(({ kind }) => kind === 'payment_credited')
  expect(happenings.map(({ payment: of, events: theirs }) => [of, theirs.map(named)])).toEqual([
    [two, its],
    [one, its],
  ])
  for (const { payment: of, events: theirs } of happenings)
    expect(theirs.map(({ paymentId }) => paymentId)).toEqual([of?.id, of?.id])
})

it('an event that announces a sighting finds it though a block has dated it back', () => {
  const [one, two] = [payment(10), payment(30)]
  const facts = [fact('invoice_created', 0), seen(one, 2), seen(two, 9)]
  const events = [announces('invoice.payment_detected', 10), announces('invoice.payment_detected', 30)]
  expect(toldOf([one, two], facts, events).slice(1)).toEqual([
    [2, 'payment_seen', 0, ['invoice.payment_detected 10']],
    [9, 'payment_seen', 1, ['invoice.payment_detected 30']],
  ])
})

it('a refund that the chain has undone since is told as completed once, and as failed', () => {
  const refund = { payout: { id: 'one', refundId: 'refund' } as Payout }
  const facts = [fact('payout_created', 0, refund), fact('payout_failed', 50, refund)]
  const events = [
    announces('payout.completed', 9, { resourceId: 'one' }),
    announces('refund.completed', 9, { resourceId: 'refund' }),
    announces('payout.failed', 50, { resourceId: 'one' }),
    announces('refund.failed', 50, { resourceId: 'refund' }),
  ]
  expect(told(facts, events)).toEqual([
    ['payout_created', []],
    ['payout_completed', ['payout.completed 9', 'refund.completed 9']],
    ['payout_failed', ['payout.failed 50', 'refund.failed 50']],
  ])
  expect(foldEvents(facts, events)[1]?.payout).toBe(refund.payout)
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
    announces('payout.processing', 5, { resourceId: 'two' }),
    announces('payout.completed', 9, { resourceId: 'one' }),
    announces('refund.completed', 9, { resourceId: 'refund' }),
    announces('payout.completed', 8, { resourceId: 'two' }),
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

it('a payout is sent before it is completed, even if the clocks of process and database disagree', () => {
  const refund = { payout: { id: 'one', refundId: null, completedAt: at(8) } as Payout }
  const facts = [fact('payout_created', 0, refund), fact('payout_completed', 8, refund)]
  expect(told(facts, [announces('payout.processing', 9, { resourceId: 'one' })])).toEqual([
    ['payout_created', []],
    ['payout_sent', ['payout.processing 9']],
    ['payout_completed', []],
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
