import fc from 'fast-check'
import { expect, it } from 'vitest'
import { confirmationsOf, invoiceTransitions, type Payment } from '../../src/domain/invoices.ts'
import { type Assessment, creditFee, settlementThreshold } from '../../src/domain/settlement.ts'
import { nextState } from '../../src/domain/transitions.ts'
import { aCase, anInvoice, aPayment, assessed, type Case, minutes, told, written } from './invoice-model.ts'

const where = fc.constantFrom('mempool', 'block', 'gone')
const action = fc.oneof(
  fc.record({ do: fc.constant('pay'), units: fc.bigInt(1n, 150n), inBlock: fc.boolean() }),
  fc.record({ do: fc.constant('mine'), count: fc.integer({ min: 1, max: 3 }), take: fc.boolean() }),
  fc.record({
    do: fc.constant('reorganise'),
    depth: fc.integer({ min: 1, max: 5 }),
    // Now and then a branch is shorter than the one it replaces.
    longer: fc.integer({ min: -1, max: 2 }),
    to: fc.array(where, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ do: fc.constant('drop'), nth: fc.nat(5) }),
  fc.record({ do: fc.constant('return'), nth: fc.nat(5) }),
  fc.record({ do: fc.constant('wait'), minutes: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ do: fc.constant('scan') }),
  fc.record({ do: fc.constant('assess') }),
  fc.record({ do: fc.constant('cancel') }),
)
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never

const start = fc.record({
  amountUnits: fc.bigInt(1n, 200n),
  toleranceBps: fc.constantFrom(0, 1, 100, 3_333, 9_999),
  feeBps: fc.constantFrom(0, 1, 100, 5_000, 10_000),
  expiresAt: fc.constantFrom(minutes(30), null),
})

type Given = typeof start extends fc.Arbitrary<infer One> ? One : never

function change(scene: Case, step: Action): Case {
  const { chain, now, payments } = scene
  const edit = (nth: number, is: (payment: Payment) => boolean, patch: Partial<Payment>): Case => {
    const target = payments.filter(is)[nth]
    return {
      ...scene,
      payments: payments.map((payment) => (payment === target ? { ...payment, ...patch } : payment)),
    }
  }
  switch (step.do) {
    case 'pay': {
      const payment = aPayment(step.units, { seenAt: now, ...(step.inBlock && { blockHeight: chain.tip }) })
      return { ...scene, payments: [...payments, payment] }
    }
    case 'mine': {
      const tip = chain.tip + BigInt(step.count)
      const mined = payments.map((payment) =>
        payment.waiting && step.take ? { ...payment, waiting: false, blockHeight: chain.tip + 1n } : payment,
      )
      return { ...scene, chain: { ...chain, tip }, payments: mined }
    }
    case 'reorganise': {
      const base = chain.tip - BigInt(step.depth)
      const tip = chain.tip + BigInt(step.longer)
      const moved = payments.map((payment, at) => {
        if (payment.blockHeight === null || payment.blockHeight <= base) return payment
        const to = step.to[at % step.to.length]
        if (to === 'block' && tip > base) return { ...payment, blockHeight: base + 1n }
        return { ...payment, blockHeight: null, waiting: to === 'mempool' }
      })
      return { ...scene, chain: { ...chain, tip }, payments: moved }
    }
    case 'drop':
      return edit(step.nth, (payment) => payment.waiting, { waiting: false })
    case 'return':
      return edit(step.nth, (payment) => !payment.waiting && payment.blockHeight === null, { waiting: true })
    case 'wait':
      return { ...scene, now: new Date(now.getTime() + step.minutes * 60_000) }
    case 'scan':
      return { ...scene, chain: { ...chain, scannedAt: now } }
    case 'cancel':
      return payments.length === 0 && nextState(invoiceTransitions, scene.invoice.status, 'cancel') !== null
        ? { ...scene, invoice: { ...scene.invoice, status: 'cancelled' } }
        : scene
    default:
      return scene
  }
}

const isDeep = (payment: Payment, scene: Case) =>
  confirmationsOf(payment, scene.chain.tip) >= BigInt(payment.requiredConfirmations)
const sum = (payments: readonly Payment[]) => payments.reduce((total, { units }) => total + units, 0n)
const isInTime = (payment: Payment, { invoice }: Case) =>
  invoice.expiresAt === null || payment.seenAt <= invoice.expiresAt

/** The invariants after every assessment. */
function check(before: Case, assessment: Assessment, after: Case): void {
  const { status, amountUnits, toleranceBps, feeBps } = after.invoice
  const amount = amountUnits ?? 0n
  const threshold = settlementThreshold(amount, toleranceBps)
  const credited = after.payments.filter(({ booking }) => booking?.credited)
  const counted = credited.filter(({ booking }) => !booking?.late)
  const rest = after.payments.filter(({ booking }) => !booking?.credited)

  // A second assessment, after the first was written, changes nothing.
  const again = assessed(after)
  expect(again).toEqual({ ...assessment, bookings: [], tell: [], noted: [], firstPaid: false })

  // The sums are those of the payments.
  expect(assessment.paidUnits).toBe(sum(credited))
  expect(assessment.settledUnits).toBe(sum(counted))
  // Only payments seen in time settle the invoice.
  const settles =
    status !== 'cancelled' && sum(counted.filter((payment) => isInTime(payment, after))) >= threshold
  expect(status === 'paid' || status === 'overpaid').toBe(settles)
  expect(assessment.pendingUnits).toBe(
    sum(rest.filter(({ waiting, blockHeight }) => waiting || blockHeight !== null)),
  )
  expect(assessment.feeUnits).toBe(credited.reduce((fee, { units }) => fee + creditFee(units, feeBps), 0n))

  // A payment is credited if it is deep enough, and only then; but one seen after the window may wait for the decision.
  const isOpen = status === 'pending' || status === 'underpaid'
  for (const payment of after.payments) {
    const mayWait = isOpen && !isInTime(payment, after) && payment.booking?.credits === 0
    if (!isDeep(payment, after)) expect(payment.booking?.credited ?? false).toBe(false)
    else if (!mayWait) expect(payment.booking?.credited).toBe(true)
  }
  for (const booking of assessment.bookings) {
    const { credited: had = false, credits = 0 } = booking.payment.booking ?? {}
    expect(had).toBe(booking.kind === 'reversal')
    expect(booking.occurrence).toBe(booking.kind === 'credit' ? credits + 1 : credits)
    expect(booking.feeUnits >= 0n && booking.feeUnits <= booking.payment.units).toBe(true)
  }
  // Every credit has one event, in the right place.
  expect(assessment.tell.filter((telling) => typeof telling !== 'string')).toEqual(
    assessment.bookings.filter(({ kind }) => kind === 'credit'),
  )

  // The status matches the amounts, and the table allows the transition.
  const reachable: string[] = [
    before.invoice.status,
    ...Object.values(invoiceTransitions[before.invoice.status]),
  ]
  expect(reachable).toContain(status)
  if (before.invoice.status === 'cancelled') expect(status).toBe('cancelled')
  else if (assessment.settledUnits > amount) expect(status).toBe('overpaid')
  else if (assessment.settledUnits >= threshold) expect(status).toBe('paid')
  else expect(['pending', 'underpaid', 'expired']).toContain(status)
  if (status === 'underpaid') expect(assessment.settledUnits).toBeGreaterThan(0n)
  if (status === 'expired' && before.invoice.status !== 'expired') {
    const { expiresAt } = before.invoice
    // Without a window, it expires when the payment that created it can no longer settle it.
    if (expiresAt === null) expect(before.payments.length).toBeGreaterThan(0)
    else expect(before.chain.scannedAt > expiresAt && before.now > expiresAt).toBe(true)
  }

  // The clock alone changes nothing before `dueAt`, and nothing ever if there is none.
  const later = assessment.dueAt ?? minutes(1e6)
  if (later > after.now) {
    const waited = { ...after, now: later, chain: { ...after.chain, scannedAt: later } }
    expect(assessed(waited)).toMatchObject({ status, bookings: [], tell: [] })
  }
}

function play(first: Case, steps: readonly Action[]) {
  let scene = first
  const events: string[] = []
  const assessNow = () => {
    const assessment = assessed(scene)
    const after = written(scene, assessment)
    check(scene, assessment, after)
    events.push(...told(assessment))
    scene = after
  }
  for (const step of steps) {
    scene = change(scene, step)
    if (step.do === 'assess') assessNow()
  }
  assessNow()
  return { scene, events, assessNow, move: (step: Action) => (scene = change(scene, step)) }
}

// `npm run soak` runs many more.
const runs = { numRuns: Number(process.env.SLUICE_PROPERTY_RUNS ?? 250) }

it('after any actions in any order, books, sums, status and events agree', () => {
  fc.assert(
    fc.property(start, fc.array(action, { maxLength: 40 }), (given, steps) => {
      const { events } = play(aCase({ invoice: anInvoice(given) }), steps)
      expect(events.filter((event) => event === 'invoice.paid').length).toBeLessThanOrEqual(1)
    }),
    runs,
  )
})

it('the same holds if the invoice is assessed after every single change', () => {
  fc.assert(
    fc.property(start, fc.array(action, { maxLength: 40 }), (given, steps) => {
      const each = steps.flatMap((step): Action[] => [step, { do: 'assess' }])
      const { events } = play(aCase({ invoice: anInvoice(given) }), each)
      expect(events.filter((event) => event === 'invoice.paid').length).toBeLessThanOrEqual(1)
    }),
    runs,
  )
})

it('in the end every confirmed payment is credited and every window is decided', () => {
  fc.assert(
    fc.property(start, fc.array(action, { maxLength: 30 }), (given, steps) => {
      const game = play(aCase({ invoice: anInvoice(given) }), steps)
      game.move({ do: 'mine', count: 3, take: true })
      game.move({ do: 'wait', minutes: 1_000 })
      game.move({ do: 'scan' })
      const scene = game.move({ do: 'assess' })
      game.assessNow()
      const assessment = assessed(scene)
      const after = written(scene, assessment)
      for (const { blockHeight, booking } of after.payments) {
        expect(booking?.credited).toBe(blockHeight !== null)
      }
      expect(assessment.pendingUnits).toBe(0n)
      if (given.expiresAt !== null || after.payments.length > 0)
        expect(['pending', 'underpaid']).not.toContain(after.invoice.status)
    }),
    runs,
  )
})

/** Plays the steps, assessing after each step that `looks` selects, and at the end. */
function lookedAt(given: Given, history: readonly Action[], looks: (step: number) => boolean) {
  const { amountUnits: units, expiresAt } = given
  // The invoice of a static address has exactly the payment that created it.
  const made: Action = { do: 'pay', units, inBlock: false }
  const steps = expiresAt === null ? [made, ...history.filter((step) => step.do !== 'pay')] : history
  const each = steps.flatMap((step, at): Action[] => (looks(at) ? [step, { do: 'assess' }] : [step]))
  const { scene, events } = play(aCase({ invoice: anInvoice(given) }), each)
  const { status, paidUnits, settledUnits, pendingUnits, feeUnits } = assessed(scene)
  const once = ['invoice.paid', 'invoice.expired'].filter((event) => events.includes(event))
  return {
    outcome: {
      status,
      paidUnits,
      settledUnits,
      pendingUnits,
      feeUnits,
      payments: scene.payments.map(({ booking }) => [booking?.credited, booking?.late]),
    },
    once,
  }
}

// Whether a cancel succeeds depends on the status at that moment, so it is left out.
const ofTheChain = action.filter((step) => step.do !== 'cancel' && step.do !== 'assess')
const looks = fc.infiniteStream(fc.boolean()).map((stream) => {
  const chosen = [...stream.take(50)]
  return (step: number) => chosen[step % 50] ?? false
})
const atRest: Action[] = [{ do: 'mine', count: 3, take: true }]

it('the same chain has the same outcome, assessed once, now and then, or after every step', () => {
  fc.assert(
    fc.property(start, fc.array(ofTheChain, { maxLength: 40 }), looks, (given, steps, some) => {
      const history = [...steps, ...atRest]
      const { outcome } = lookedAt(given, history, () => false)
      expect(lookedAt(given, history, some).outcome).toEqual(outcome)
      expect(lookedAt(given, history, () => true).outcome).toEqual(outcome)
    }),
    runs,
  )
})

it('if no confirmed payment is taken back, the events that occur once are the same too', () => {
  // Dropped payments stay away, and blocks stay where they are.
  const onward = ofTheChain.filter((step) => step.do !== 'reorganise' && step.do !== 'return')
  fc.assert(
    fc.property(start, fc.array(onward, { maxLength: 40 }), looks, (given, steps, some) => {
      const atOnce = lookedAt(given, [...steps, ...atRest], () => false)
      expect(lookedAt(given, [...steps, ...atRest], some)).toEqual(atOnce)
      expect(lookedAt(given, [...steps, ...atRest], () => true)).toEqual(atOnce)
    }),
    runs,
  )
})

it('the threshold is the smallest total within the tolerance, and the fee never exceeds its share', () => {
  const units = fc.bigInt(1n, 10n ** 30n)
  fc.assert(
    fc.property(units, fc.integer({ min: 0, max: 9_999 }), (amount, bps) => {
      const threshold = settlementThreshold(amount, bps)
      const within = (total: bigint) => total * 10_000n >= amount * BigInt(10_000 - bps)
      expect(within(threshold) && !within(threshold - 1n)).toBe(true)
      expect(threshold > 0n && threshold <= amount).toBe(true)
    }),
  )
  fc.assert(
    fc.property(units, fc.integer({ min: 0, max: 10_000 }), (amount, bps) => {
      const fee = creditFee(amount, bps)
      expect(fee * 10_000n <= amount * BigInt(bps)).toBe(true)
      expect((fee + 1n) * 10_000n > amount * BigInt(bps)).toBe(true)
    }),
  )
})
