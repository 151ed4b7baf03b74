import { describe, expect, it } from 'vitest'
import { paymentStatus } from '../../src/domain/invoices.ts'
import { assess } from '../../src/domain/settlement.ts'
import {
  aCase,
  afterWindow,
  anInvoice,
  aPayment,
  assessed,
  booked,
  deep,
  gone,
  late,
  minutes,
  notYet,
  shallow,
  told,
  windowEnd,
  written,
} from './invoice-model.ts'

describe('a deposit seen after the window', () => {
  const inTime = () => aPayment(100n, { ...shallow, ...notYet() })
  const tooLate = () => aPayment(30n, { ...deep, ...late, ...notYet(true) })

  it('waits while the invoice may still be settled, and is shown as pending', () => {
    const assessment = assessed(aCase({ ...afterWindow, payments: [inTime(), tooLate()] }))
    expect(assessment).toMatchObject({ status: 'pending', bookings: [], pendingUnits: 130n, dueAt: null })
  })

  it('tops the invoice up once it is settled', () => {
    const payments = [aPayment(100n, { ...deep, ...notYet() }), tooLate()]
    const assessment = assessed(aCase({ ...afterWindow, payments }))
    expect(assessment).toMatchObject({ status: 'overpaid', settledUnits: 130n, pendingUnits: 0n })
    expect(assessment.bookings).toMatchObject([{ late: false }, { late: false }])
  })

  it('is late if the invoice expires instead', () => {
    const payments = [aPayment(100n, { ...gone, ...notYet() }), tooLate()]
    const assessment = assessed(aCase({ ...afterWindow, payments }))
    expect(told(assessment)).toEqual(['invoice.expired', 'balance.credited', 'invoice.late_deposit'])
    expect(assessment).toMatchObject({ status: 'expired', settledUnits: 0n, paidUnits: 30n })
  })
})

describe('several transfers', () => {
  it('of one transaction count as one detection', () => {
    const payments = [aPayment(50n, { txHash: 'tx' }), aPayment(50n, { txHash: 'tx', outputIndex: 1 })]
    expect(told(assessed(aCase({ payments })))).toEqual(['invoice.payment_detected'])
  })

  it('of two transactions count as two', () => {
    expect(told(assessed(aCase({ payments: [aPayment(50n), aPayment(50n)] })))).toHaveLength(2)
  })
})

describe('before the payer has picked an asset', () => {
  const deferred = anInvoice({ amountUnits: null })
  it('only the deadline changes an invoice, and no chain is needed', () => {
    expect(assess(deferred, [], null, windowEnd)).toMatchObject({ status: 'pending', dueAt: windowEnd })
    expect(assess(deferred, [], null, minutes(31))).toMatchObject({
      status: 'expired',
      tell: ['invoice.expired'],
      dueAt: null,
    })
    const done = { ...deferred, status: 'cancelled' } as const
    expect(assess(done, [], null, minutes(31))).toMatchObject({ status: 'cancelled', tell: [] })
  })

  it('an invoice with an asset cannot be assessed without its chain', () => {
    expect(() => assess(anInvoice(), [], null, minutes(1))).toThrow('needs its chain')
  })
})

describe('the invoice of a static address', () => {
  const invoice = anInvoice({ expiresAt: null })
  const long = { now: minutes(1e6), chain: { tip: 11n, scannedAt: minutes(1e6) } }

  it('has no window: it waits as long as its payment does', () => {
    const scene = aCase({ ...long, invoice, payments: [aPayment(100n, late)] })
    expect(assessed(scene)).toMatchObject({ status: 'pending', dueAt: null })
  })

  it('expires when its payment vanishes, and is paid if the payment is mined after all', () => {
    const payment = aPayment(100n, { ...gone, ...notYet() })
    const before = aCase({ invoice, payments: [payment] })
    const over = assessed(before)
    expect([over.status, told(over)]).toEqual(['expired', ['invoice.expired']])
    const mined = {
      ...before,
      invoice: { ...invoice, status: over.status },
      payments: [{ ...payment, ...deep }],
    }
    const after = assessed(mined)
    expect([after.status, told(after)]).toEqual(['paid', ['balance.credited', 'invoice.paid']])
    expect(assessed(written(mined, after))).toMatchObject({ status: 'paid', bookings: [], tell: [] })
  })

  it('expires when a reorganisation removes its payment for good, with the reversal as its only event', () => {
    const payments = [aPayment(100n, { ...gone, ...booked() })]
    const lost = assessed(aCase({ invoice: { ...invoice, status: 'paid', paidAt: minutes(2) }, payments }))
    expect([lost.status, told(lost)]).toEqual(['expired', ['invoice.deposit_reversed']])
  })
})

it('the status of a payment follows from where it is', () => {
  expect(paymentStatus(aPayment(1n))).toBe('detected')
  expect(paymentStatus(aPayment(1n, shallow))).toBe('confirming')
  expect(paymentStatus(aPayment(1n, { ...deep, ...booked() }))).toBe('confirmed')
  expect(paymentStatus(aPayment(1n, gone))).toBe('reversed')
})
