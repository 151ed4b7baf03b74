import { describe, expect, it } from 'vitest'
import {
  aCase,
  afterWindow,
  anInvoice,
  aPayment,
  assessed,
  booked,
  type Case,
  deep,
  gone,
  late,
  minutes,
  notYet,
  told,
  windowEnd,
  written,
} from './invoice-model.ts'

type Row = { row: string; scene: Partial<Case>; status: string; events: readonly string[] }

const paid = anInvoice({ status: 'paid', paidAt: minutes(2) })
const underpaid = anInvoice({ status: 'underpaid' })
const expired = anInvoice({ status: 'expired' })
const cancelled = anInvoice({ status: 'cancelled' })

describe('the contract’s table of invoices', () => {
  const rows: Row[] = [
    {
      row: 'pending, transaction first seen',
      scene: { payments: [aPayment(100n)] },
      status: 'pending',
      events: ['invoice.payment_detected'],
    },
    {
      row: 'underpaid, transaction first seen',
      scene: { invoice: underpaid, payments: [aPayment(40n, { ...deep, ...booked() }), aPayment(60n)] },
      status: 'underpaid',
      events: ['invoice.payment_detected'],
    },
    {
      row: 'pending, confirmed short',
      scene: { payments: [aPayment(40n, deep)] },
      status: 'underpaid',
      events: ['invoice.payment_detected', 'balance.credited', 'invoice.underpaid'],
    },
    {
      row: 'pending, confirmed short while a waiting payment could settle it',
      scene: { payments: [aPayment(40n, { ...deep, ...notYet() }), aPayment(60n, notYet())] },
      status: 'pending',
      events: ['balance.credited'],
    },
    {
      row: 'pending, confirmed short while a waiting payment is not enough',
      scene: { payments: [aPayment(40n, { ...deep, ...notYet() }), aPayment(59n, notYet())] },
      status: 'underpaid',
      events: ['balance.credited', 'invoice.underpaid'],
    },
    {
      row: 'pending, confirmed short while a waiting payment came too late to settle it',
      scene: {
        payments: [aPayment(40n, { ...deep, ...notYet() }), aPayment(60n, { ...late, ...notYet(true) })],
      },
      status: 'underpaid',
      events: ['balance.credited', 'invoice.underpaid'],
    },
    {
      row: 'pending, the payment that could have settled it vanishes',
      scene: { payments: [aPayment(40n, { ...deep, ...booked() }), aPayment(60n, { ...gone, ...notYet() })] },
      status: 'underpaid',
      events: ['invoice.underpaid'],
    },
    {
      row: 'underpaid, another short payment confirms',
      scene: {
        invoice: underpaid,
        payments: [aPayment(40n, { ...deep, ...booked() }), aPayment(10n, { ...deep, ...notYet() })],
      },
      status: 'underpaid',
      events: ['balance.credited', 'invoice.underpaid'],
    },
    {
      row: 'pending, confirmed total reaches the amount',
      scene: { payments: [aPayment(100n, { ...deep, ...notYet() })] },
      status: 'paid',
      events: ['balance.credited', 'invoice.paid'],
    },
    {
      row: 'underpaid, topped up',
      scene: {
        invoice: underpaid,
        payments: [aPayment(40n, { ...deep, ...booked() }), aPayment(60n, { ...deep, ...notYet() })],
      },
      status: 'paid',
      events: ['balance.credited', 'invoice.paid'],
    },
    {
      row: 'pending, confirmed total exceeds the amount',
      scene: { payments: [aPayment(101n, { ...deep, ...notYet() })] },
      status: 'overpaid',
      events: ['balance.credited', 'invoice.paid', 'invoice.overpaid'],
    },
    {
      row: 'pending, two payers at once',
      scene: {
        payments: [aPayment(100n, { ...deep, ...notYet() }), aPayment(100n, { ...deep, ...notYet() })],
      },
      status: 'overpaid',
      events: ['balance.credited', 'balance.credited', 'invoice.paid', 'invoice.overpaid'],
    },
    {
      row: 'paid, a further deposit confirms',
      scene: {
        invoice: paid,
        payments: [aPayment(100n, { ...deep, ...booked() }), aPayment(1n, { ...deep, ...late })],
      },
      status: 'overpaid',
      events: ['balance.credited', 'invoice.overpaid'],
    },
    { row: 'pending, window over', scene: afterWindow, status: 'expired', events: ['invoice.expired'] },
    {
      row: 'underpaid, window over',
      scene: { ...afterWindow, invoice: underpaid, payments: [aPayment(40n, { ...deep, ...booked() })] },
      status: 'expired',
      events: ['invoice.expired'],
    },
    {
      row: 'pending, window over, a payment seen in time could still settle it',
      scene: { ...afterWindow, payments: [aPayment(100n, { seenAt: windowEnd, ...notYet() })] },
      status: 'pending',
      events: [],
    },
    {
      row: 'pending, window over, a payment seen in time cannot settle it',
      scene: { ...afterWindow, payments: [aPayment(99n, { seenAt: windowEnd, ...notYet() })] },
      status: 'expired',
      events: ['invoice.expired'],
    },
    {
      row: 'pending, window over, but the chain was not scanned since',
      scene: { now: minutes(500), chain: { tip: 11n, scannedAt: windowEnd } },
      status: 'pending',
      events: [],
    },
    {
      row: 'pending, seen in time and confirmed long after',
      scene: {
        chain: { tip: 11n, scannedAt: minutes(900) },
        now: minutes(900),
        payments: [aPayment(100n, { ...deep, seenAt: windowEnd, ...notYet() })],
      },
      status: 'paid',
      events: ['balance.credited', 'invoice.paid'],
    },
    {
      row: 'expired, a deposit confirms',
      scene: { ...afterWindow, invoice: expired, payments: [aPayment(100n, { ...deep, ...late })] },
      status: 'expired',
      events: ['balance.credited', 'invoice.late_deposit'],
    },
    {
      row: 'expired, a deposit confirms that was seen in time but is too small',
      scene: { ...afterWindow, invoice: expired, payments: [aPayment(99n, { ...deep, ...notYet() })] },
      status: 'expired',
      events: ['balance.credited', 'invoice.late_deposit'],
    },
    {
      row: 'expired, a payment seen in time had vanished and confirms after all',
      scene: { ...afterWindow, invoice: expired, payments: [aPayment(100n, { ...deep, ...notYet() })] },
      status: 'paid',
      events: ['balance.credited', 'invoice.paid'],
    },
    {
      row: 'paid, reorganised away after the window while a late deposit confirms',
      scene: {
        ...afterWindow,
        invoice: paid,
        payments: [
          aPayment(100n, { ...gone, ...booked() }),
          aPayment(100n, { ...deep, ...late, ...notYet() }),
        ],
      },
      status: 'expired',
      events: ['invoice.deposit_reversed', 'balance.credited', 'invoice.late_deposit'],
    },
    {
      row: 'overpaid by a payment after the window, and the one in time is reorganised away',
      scene: {
        ...afterWindow,
        invoice: anInvoice({ status: 'overpaid', paidAt: minutes(2) }),
        payments: [
          aPayment(100n, { ...gone, ...booked() }),
          aPayment(100n, { ...deep, ...late, ...booked() }),
        ],
      },
      status: 'expired',
      events: ['invoice.deposit_reversed'],
    },
    {
      row: 'cancelled, a deposit confirms',
      scene: { invoice: cancelled, payments: [aPayment(100n, deep)] },
      status: 'cancelled',
      events: ['balance.credited', 'invoice.late_deposit'],
    },
    {
      row: 'expired and cancelled, a transaction first seen',
      scene: { invoice: cancelled, payments: [aPayment(100n)] },
      status: 'cancelled',
      events: [],
    },
    {
      row: 'paid, reorganised away inside the window',
      scene: { invoice: paid, payments: [aPayment(100n, { ...gone, ...booked() })] },
      status: 'pending',
      events: ['invoice.deposit_reversed'],
    },
    {
      row: 'paid, reorganised away after the window',
      scene: { ...afterWindow, invoice: paid, payments: [aPayment(100n, { ...gone, ...booked() })] },
      status: 'expired',
      events: ['invoice.deposit_reversed'],
    },
    {
      row: 'paid, back in the mempool after the window',
      scene: { ...afterWindow, invoice: paid, payments: [aPayment(100n, booked())] },
      status: 'pending',
      events: ['invoice.deposit_reversed'],
    },
    {
      row: 'paid, in another block that is deep enough too',
      scene: { invoice: paid, payments: [aPayment(100n, { ...deep, blockHeight: 9n, ...booked() })] },
      status: 'paid',
      events: [],
    },
    {
      row: 'overpaid, the excess is reorganised away',
      scene: {
        invoice: anInvoice({ status: 'overpaid', paidAt: minutes(2) }),
        payments: [aPayment(100n, { ...deep, ...booked() }), aPayment(1n, { ...gone, ...booked() })],
      },
      status: 'paid',
      events: ['invoice.deposit_reversed'],
    },
    {
      row: 'underpaid, reorganised away',
      scene: { invoice: underpaid, payments: [aPayment(40n, { ...gone, ...booked() })] },
      status: 'pending',
      events: ['invoice.deposit_reversed'],
    },
    {
      row: 'underpaid, reorganised away while another short payment confirms: both have events, as in two assessments',
      scene: {
        invoice: underpaid,
        payments: [aPayment(40n, { ...gone, ...booked() }), aPayment(10n, { ...deep, ...notYet() })],
      },
      status: 'underpaid',
      events: ['invoice.deposit_reversed', 'balance.credited', 'invoice.underpaid'],
    },
    {
      row: 'pending, a reversed deposit confirms again: it was paid before',
      scene: {
        invoice: anInvoice({ paidAt: minutes(2) }),
        payments: [aPayment(100n, { ...deep, ...booked({ credited: false }) })],
      },
      status: 'paid',
      events: ['balance.credited', 'invoice.deposit_restored'],
    },
    {
      row: 'expired, a reversed deposit that was in time confirms again',
      scene: {
        ...afterWindow,
        invoice: anInvoice({ status: 'expired', paidAt: minutes(2) }),
        payments: [aPayment(100n, { ...deep, ...booked({ credited: false }) })],
      },
      status: 'paid',
      events: ['balance.credited', 'invoice.deposit_restored'],
    },
    {
      row: 'expired, a late deposit that was reversed confirms again',
      scene: {
        ...afterWindow,
        invoice: expired,
        payments: [aPayment(100n, { ...deep, ...late, ...booked({ credited: false, late: true }) })],
      },
      status: 'expired',
      events: ['balance.credited', 'invoice.deposit_restored'],
    },
    {
      row: 'expired, a late deposit is reorganised away',
      scene: {
        ...afterWindow,
        invoice: expired,
        payments: [aPayment(100n, { ...gone, ...booked({ late: true }) })],
      },
      status: 'expired',
      events: ['invoice.deposit_reversed'],
    },
  ]

  it.each(rows)('$row → $status', ({ scene, status, events }) => {
    const before = aCase(scene)
    const assessment = assessed(before)
    expect({ status: assessment.status, told: told(assessment) }).toEqual({ status, told: events })
    const after = written(before, assessment)
    expect(assessed(after)).toMatchObject({ status, bookings: [], tell: [], noted: [] })
  })
})
