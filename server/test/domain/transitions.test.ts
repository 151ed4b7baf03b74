import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type InvoiceTrigger, invoiceStatuses, invoiceTransitions } from '../../src/domain/invoices.ts'
import { nextState } from '../../src/domain/transitions.ts'

const triggers: readonly InvoiceTrigger[] = [
  ...(['fall_short', 'settle', 'exceed', 'expire', 'cancel', 'reopen'] as const),
]

/** The first table of the page that begins with `from`: cells by row, the heading first. */
function documentedTable(): string[][] {
  const page = readFileSync(new URL('../../../docs/invoices.md', import.meta.url), 'utf8')
  const lines = page.split('\n')
  const first = lines.findIndex((line) => /^\| from\s/.test(line))
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

it('the documented table of invoices is the one in force', () => {
  const [heading, ...rows] = documentedTable()
  expect(heading).toEqual(['from', ...triggers])
  expect(new Map(rows.map((row) => [row[0], row.slice(1)]))).toEqual(
    new Map(
      invoiceStatuses.map((from) => [
        from,
        triggers.map((trigger) => nextState(invoiceTransitions, from, trigger) ?? ''),
      ]),
    ),
  )
})

describe.each(invoiceStatuses)('%s', (from) => {
  it.each(triggers)('on %s goes where the table says, or nowhere', (trigger) => {
    const next = nextState(invoiceTransitions, from, trigger)
    expect(next).toBe(invoiceTransitions[from][trigger] ?? null)
    if (next !== null) expect(invoiceStatuses).toContain(next)
    // What each trigger means does not depend on where it happens.
    const meaning = {
      fall_short: 'underpaid',
      settle: 'paid',
      exceed: 'overpaid',
      expire: 'expired',
      cancel: 'cancelled',
      reopen: 'pending',
    } as const
    if (next !== null) expect(next).toBe(meaning[trigger])
  })
})

it('nothing undoes a cancel, and only what is pending can be cancelled', () => {
  expect(Object.keys(invoiceTransitions.cancelled)).toEqual([])
  const cancellable = invoiceStatuses.filter((from) => nextState(invoiceTransitions, from, 'cancel') !== null)
  expect(cancellable).toEqual(['pending'])
})
