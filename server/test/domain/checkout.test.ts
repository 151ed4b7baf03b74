import { describe, expect, it } from 'vitest'
import { checkoutStanding, linkEnds, linkLifeMs, type Payable } from '../../src/domain/checkout.ts'
import type { InvoiceStatus } from '../../src/domain/invoices.ts'
import { aPayment, booked, deep, gone, minutes, shallow, windowEnd } from './invoice-model.ts'

const inWindow = minutes(5)
const windowIsOver = minutes(31)
const late = { seenAt: minutes(31) } as const
const settled = { ...deep, ...booked() }

function payable(status: InvoiceStatus, more: Partial<Payable> = {}): Payable {
  return {
    status,
    asset: { amountUnits: 100n },
    expiresAt: windowEnd,
    settledUnits: 0n,
    toleranceBps: 0,
    ...more,
  }
}

type Row = {
  row: string
  invoice: Payable
  payments?: Parameters<typeof checkoutStanding>[1]
  now?: Date
  phase: string
  missing?: bigint
  pending?: bigint
  late?: bigint
}

const rows: Row[] = [
  { row: 'no asset was chosen', invoice: payable('pending', { asset: null }), phase: 'choose' },
  {
    row: 'no asset was chosen in time, and this is not recorded yet',
    invoice: payable('pending', { asset: null }),
    now: windowIsOver,
    phase: 'expired',
  },
  { row: 'no asset was ever chosen', invoice: payable('expired', { asset: null }), phase: 'expired' },
  {
    row: 'it was cancelled before an asset was chosen',
    invoice: payable('cancelled', { asset: null }),
    phase: 'cancelled',
  },
  { row: 'nothing was seen', invoice: payable('pending'), phase: 'pay', missing: 100n },
  {
    row: 'the payment that was seen has vanished',
    invoice: payable('pending'),
    payments: [aPayment(100n, gone)],
    phase: 'pay',
    missing: 100n,
  },
  {
    row: 'nothing was seen and the window is over',
    invoice: payable('pending'),
    now: windowIsOver,
    phase: 'closing',
  },
  {
    row: 'the whole amount is in the mempool',
    invoice: payable('pending'),
    payments: [aPayment(100n)],
    phase: 'detected',
    pending: 100n,
  },
  {
    row: 'the whole amount is in the mempool, and the window has ended meanwhile',
    invoice: payable('pending'),
    payments: [aPayment(100n)],
    now: windowIsOver,
    phase: 'detected',
    pending: 100n,
  },
  {
    row: 'part of the amount is in the mempool',
    invoice: payable('pending'),
    payments: [aPayment(40n)],
    phase: 'detected',
    pending: 40n,
    missing: 60n,
  },
  {
    row: 'part of the amount is in a block',
    invoice: payable('pending'),
    payments: [aPayment(40n, shallow)],
    phase: 'confirming',
    pending: 40n,
    missing: 60n,
  },
  {
    row: 'part of the amount was seen, and the window is over',
    invoice: payable('pending'),
    payments: [aPayment(40n, shallow)],
    now: windowIsOver,
    phase: 'closing',
    pending: 40n,
  },
  {
    row: 'the whole amount is in a block',
    invoice: payable('pending'),
    payments: [aPayment(100n, shallow)],
    phase: 'confirming',
    pending: 100n,
  },
  {
    row: 'one half is in a block and the other in the mempool',
    invoice: payable('pending'),
    payments: [aPayment(50n, shallow), aPayment(50n)],
    phase: 'detected',
    pending: 100n,
  },
  {
    row: 'the whole amount is in a block, and more is on its way',
    invoice: payable('pending'),
    payments: [aPayment(100n, shallow), aPayment(1n)],
    phase: 'confirming',
    pending: 101n,
  },
  {
    row: 'an amount within the tolerance is in a block',
    invoice: payable('pending', { toleranceBps: 1_000 }),
    payments: [aPayment(90n, shallow)],
    phase: 'confirming',
    pending: 90n,
  },
  {
    row: 'an amount below the tolerance was seen, and all of the rest is missing',
    invoice: payable('pending', { toleranceBps: 1_000 }),
    payments: [aPayment(89n, shallow)],
    phase: 'confirming',
    pending: 89n,
    missing: 11n,
  },
  {
    row: 'too little is confirmed',
    invoice: payable('underpaid', { settledUnits: 40n }),
    payments: [aPayment(40n, settled)],
    phase: 'underpaid',
    missing: 60n,
  },
  {
    row: 'too little is confirmed, and not enough more is on its way',
    invoice: payable('underpaid', { settledUnits: 40n }),
    payments: [aPayment(40n, settled), aPayment(10n)],
    phase: 'underpaid',
    pending: 10n,
    missing: 50n,
  },
  {
    row: 'too little is confirmed, and the rest is on its way',
    invoice: payable('underpaid', { settledUnits: 40n }),
    payments: [aPayment(40n, settled), aPayment(60n)],
    phase: 'detected',
    pending: 60n,
  },
  {
    row: 'too little is confirmed, and the window is over',
    invoice: payable('underpaid', { settledUnits: 40n }),
    payments: [aPayment(40n, settled)],
    now: windowIsOver,
    phase: 'closing',
  },
  {
    row: 'the rest was sent after the window',
    invoice: payable('underpaid', { settledUnits: 40n }),
    payments: [aPayment(40n, settled), aPayment(60n, late)],
    now: windowIsOver,
    phase: 'closing',
    pending: 60n,
    late: 60n,
  },
  {
    row: 'it is paid',
    invoice: payable('paid', { settledUnits: 100n }),
    payments: [aPayment(100n, settled)],
    phase: 'paid',
  },
  {
    row: 'it is paid, and more is sent after the window',
    invoice: payable('paid', { settledUnits: 100n }),
    payments: [aPayment(100n, settled), aPayment(5n, late)],
    now: windowIsOver,
    phase: 'paid',
    pending: 5n,
  },
  {
    row: 'more than the amount is confirmed',
    invoice: payable('overpaid', { settledUnits: 110n }),
    payments: [aPayment(110n, settled)],
    phase: 'overpaid',
  },
  { row: 'it has expired', invoice: payable('expired'), now: windowIsOver, phase: 'expired' },
  {
    row: 'it has expired, and a payment is seen after all',
    invoice: payable('expired'),
    payments: [aPayment(100n, late)],
    now: windowIsOver,
    phase: 'expired',
    pending: 100n,
    late: 100n,
  },
  {
    row: 'it has expired with a part that was seen in time and not confirmed by then',
    invoice: payable('expired'),
    payments: [aPayment(40n)],
    now: windowIsOver,
    phase: 'expired',
    pending: 40n,
  },
  {
    row: 'it has expired with a part that was credited in time',
    invoice: payable('expired', { settledUnits: 40n }),
    payments: [aPayment(40n, settled)],
    now: windowIsOver,
    phase: 'expired',
  },
  {
    row: 'it was cancelled, and a payment is seen',
    invoice: payable('cancelled'),
    payments: [aPayment(100n, shallow)],
    phase: 'cancelled',
    pending: 100n,
    late: 100n,
  },
]

describe('the payment page', () => {
  it.each(rows)('shows the right phase when $row', (row) => {
    expect(checkoutStanding(row.invoice, row.payments ?? [], row.now ?? inWindow)).toEqual({
      phase: row.phase,
      missingUnits: row.missing ?? 0n,
      pendingUnits: row.pending ?? 0n,
      lateUnits: row.late ?? 0n,
    })
  })

  it('has a row here for every phase', () => {
    expect(new Set(rows.map(({ phase }) => phase)).size).toBe(10)
  })
})

describe('a link', () => {
  const updatedAt = minutes(0)
  it.each(['pending', 'underpaid'] as const)('remains valid while its invoice is %s', (status) => {
    expect(linkEnds({ status, updatedAt })).toBeNull()
  })
  it.each(['paid', 'overpaid', 'expired', 'cancelled'] as const)(
    'ends 30 days after the last change of an invoice that is %s',
    (status) => {
      expect(linkLifeMs).toBe(2_592_000_000)
      expect(linkEnds({ status, updatedAt })).toEqual(new Date(updatedAt.getTime() + linkLifeMs))
    },
  )
})
