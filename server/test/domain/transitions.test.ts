import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type InvoiceTrigger, invoiceStatuses, invoiceTransitions } from '../../src/domain/invoices.ts'
import {
  type PayoutTrigger,
  payoutStatuses,
  payoutTransitions,
  refundStatusOf,
} from '../../src/domain/payouts.ts'
import {
  type PolicyChangeTrigger,
  policyChangeStatuses,
  policyChangeTransitions,
} from '../../src/domain/policy-changes.ts'
import { nextState, type TransitionTable } from '../../src/domain/transitions.ts'

/** Each resource with its table, and the status that each trigger leads to from any status. */
const invoices = {
  name: 'invoices',
  page: 'invoices',
  nth: 0,
  statuses: invoiceStatuses as readonly string[],
  table: invoiceTransitions as TransitionTable<string, string>,
  meanings: {
    fall_short: 'underpaid',
    settle: 'paid',
    exceed: 'overpaid',
    expire: 'expired',
    cancel: 'cancelled',
    reopen: 'pending',
  } satisfies Record<InvoiceTrigger, string> as Record<string, string>,
}
const payouts = {
  name: 'payouts',
  page: 'payouts',
  nth: 0,
  statuses: payoutStatuses as readonly string[],
  table: payoutTransitions as TransitionTable<string, string>,
  meanings: {
    approve: 'approved',
    cancel: 'cancelled',
    submit: 'processing',
    confirm: 'completed',
    fail: 'failed',
    undo: 'failed',
  } satisfies Record<PayoutTrigger, string> as Record<string, string>,
}
const policyChanges = {
  name: 'changes of a policy',
  page: 'payouts',
  nth: 1,
  statuses: policyChangeStatuses as readonly string[],
  table: policyChangeTransitions as TransitionTable<string, string>,
  meanings: {
    agree: 'waiting',
    apply: 'applied',
    withdraw: 'withdrawn',
    supersede: 'superseded',
  } satisfies Record<PolicyChangeTrigger, string> as Record<string, string>,
}

/** The nth table of the page that begins with `from`: cells by row, the heading first. */
function documentedTable(name: string, nth: number): string[][] {
  const page = readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')
  const lines = page.split('\n')
  const first = lines.flatMap((line, at) => (/^\| from\s/.test(line) ? [at] : []))[nth] ?? -1
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'))
  return lines
    .slice(first, first + length)
    .filter((line) => !/^\| ?-/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.replaceAll('`', '').trim()),
    )
}

describe.each([invoices, payouts, policyChanges])('$name', ({ page, nth, statuses, table, meanings }) => {
  const triggers = Object.keys(meanings)

  it('the documented table is the one in force', () => {
    const [heading, ...rows] = documentedTable(page, nth)
    expect(heading).toEqual(['from', ...triggers])
    expect(new Map(rows.map((row) => [row[0], row.slice(1)]))).toEqual(
      new Map(
        statuses.map((from) => [from, triggers.map((trigger) => nextState(table, from, trigger) ?? '')]),
      ),
    )
  })

  it.each(statuses.flatMap((from) => triggers.map((trigger) => [from, trigger] as const)))(
    '%s on %s follows the table, or stays',
    (from, trigger) => {
      const next = nextState(table, from, trigger)
      expect(next).toBe(table[from]?.[trigger] ?? null)
      if (next !== null) expect(statuses).toContain(next)
      // A trigger leads to the same status from everywhere.
      if (next !== null) expect(next).toBe(meanings[trigger])
    },
  )
})

it('nothing undoes a cancel, and only a pending invoice can be cancelled', () => {
  expect(Object.keys(invoiceTransitions.cancelled)).toEqual([])
  const cancellable = invoiceStatuses.filter((from) => nextState(invoiceTransitions, from, 'cancel') !== null)
  expect(cancellable).toEqual(['pending'])
})

it('a payout in processing can only be confirmed or fail, a failed or cancelled one is final, and a completed one can only be undone', () => {
  expect(Object.keys(payoutTransitions.processing)).toEqual(['confirm', 'fail'])
  expect(Object.keys(payoutTransitions.completed)).toEqual(['undo'])
  for (const status of ['failed', 'cancelled'] as const)
    expect(Object.keys(payoutTransitions[status])).toEqual([])
  const cancellable = payoutStatuses.filter((from) => nextState(payoutTransitions, from, 'cancel') !== null)
  expect(cancellable).toEqual(['pending_approval', 'approved'])
})

it('the status of a refund follows from that of its payout', () => {
  expect(payoutStatuses.map((status) => refundStatusOf[status])).toEqual([
    'pending',
    'pending',
    'processing',
    'completed',
    'failed',
    'cancelled',
  ])
})
