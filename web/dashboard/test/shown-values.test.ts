import type { Refund } from '@sluice/web/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeInPercent, compareDecimals, difference, shareOf } from '../src/decimals.ts'
import {
  basisPoints,
  coinText,
  durationText,
  isBetweenClocks,
  percentText,
  relativeTime,
  shortened,
  timeBetweenClocks,
  webLink,
} from '../src/formats.ts'
import { takeToken } from '../src/one-time-token.ts'
import { refundableOf } from '../src/refundable.ts'
import { differingGroups } from '../src/resemblance.ts'
import { deliveryStatusOf, toneOf } from '../src/statuses.ts'

const now = Date.parse('2026-11-15T12:00:00.000Z')
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString()

describe('times', () => {
  it('those between the real time and a test clock that is ahead are dates', () => {
    const ahead = { nowMs: now, testAheadMs: 28 * 86_400_000 }
    expect(timeBetweenClocks('en', ago(-3600), ahead)).toBe('Nov 15')
    expect(timeBetweenClocks('en', ago(-3 * 86_400), ahead)).toBe('Nov 18')
    expect(timeBetweenClocks('en', ago(180), ahead)).toBe('3 minutes ago')
    expect([ago(-3600), ago(180), ago(-29 * 86_400)].map((at) => isBetweenClocks(at, ahead))).toEqual([
      true,
      false,
      false,
    ])
    expect(timeBetweenClocks('en', ago(-3600), { nowMs: now, testAheadMs: 0 })).toBe('in 1 hour')
    expect(timeBetweenClocks('en', ago(-3600), { nowMs: now, testAheadMs: 60_000 })).toBe('in 1 hour')
  })

  it('near ones are relative, and far ones are dates', () => {
    expect(relativeTime('en', ago(5), now)).toBe('5 seconds ago')
    expect(relativeTime('en', ago(180), now)).toBe('3 minutes ago')
    expect(relativeTime('de', ago(7200), now)).toBe('vor 2 Stunden')
    expect(relativeTime('en', ago(-3600), now)).toBe('in 1 hour')
    expect(relativeTime('en', ago(3 * 86_400), now)).toBe('3 days ago')
    expect(relativeTime('en', '2026-10-01T12:00:00.000Z', now)).toBe('Oct 1')
    expect(relativeTime('en', '2025-10-01T12:00:00.000Z', now)).toBe('Oct 1, 2025')
  })
})

describe('durations', () => {
  it('are said in the largest unit that they fill whole, in its right form', () => {
    const all = (language: string) =>
      [60, 900, 3_600, 5_400, 86_400, 172_800].map((each) => durationText(language, each))
    expect(all('en')).toEqual(['1 minute', '15 minutes', '1 hour', '90 minutes', '1 day', '2 days'])
    expect(all('de')).toEqual(['1 Minute', '15 Minuten', '1 Stunde', '90 Minuten', '1 Tag', '2 Tage'])
  })
})

it('a delivery whose last attempt failed needs attention while it waits for the next', () => {
  const shownAs = (status: 'pending' | 'succeeded' | 'failed', ...errors: (string | null)[]) =>
    toneOf('delivery', deliveryStatusOf({ status, attempt_log: errors.map((error) => ({ error })) }))
  expect(shownAs('pending')).toBe('busy')
  expect(shownAs('pending', 'timed out', 'refused', 'timed out')).toBe('attention')
  // Sent again by hand, after it had arrived.
  expect(shownAs('pending', 'timed out', null)).toBe('busy')
  expect(shownAs('failed', 'timed out')).toBe('over')
})

describe('amounts', () => {
  it('keep every digit, including those that a float would lose', () => {
    expect(coinText('en', '12345678.123456789012345678')).toBe('12,345,678.123456789012345678')
    expect(coinText('de', '0.00083167')).toBe('0,00083167')
    expect(coinText('en', '-0.5')).toBe('-0.5')
  })

  it('have exact differences', () => {
    expect(difference('0.3', '0.1')).toBe('0.2')
    expect(difference('1', '0.000000000000000001')).toBe('0.999999999999999999')
    expect(difference('1.5', '2')).toBe('-0.5')
    expect(difference('7', '7')).toBe('0')
    const units = fc.bigInt({ min: 0n, max: 10n ** 30n })
    fc.assert(fc.property(units, units, (a, b) => difference(String(a), String(b)) === String(a - b)))
  })

  it('of a refund default to the excess of an overpaid invoice, less refunds made or in progress', () => {
    const paid = { amount_paid: '1.5', fee_amount: '0.015', amount_overpaid: '0.5', amount_refunded: '0' }
    const of = (...refunds: [amount: string, status: Refund['status']][]) =>
      refundableOf(
        paid,
        refunds.map(([amount, status]) => ({ amount, status })),
      )
    expect(of()).toEqual({ most: '1.485', proposed: '0.5' })
    expect(of(['0.2', 'pending'])).toEqual({ most: '1.285', proposed: '0.3' })
    expect(of(['0.2', 'completed'], ['0.1', 'processing'])).toEqual({ most: '1.185', proposed: '0.2' })
    expect(of(['0.2', 'failed'], ['0.1', 'cancelled'])).toEqual({ most: '1.485', proposed: '0.5' })
    expect(of(['0.5', 'completed'])).toEqual({ most: '0.985', proposed: '0.985' })
    expect(of(['1.485', 'pending'])).toEqual({ most: '0', proposed: '0' })
    expect(refundableOf({ ...paid, amount_overpaid: '0' }, [])).toEqual({ most: '1.485', proposed: '1.485' })
    expect(refundableOf({ ...paid, amount_refunded: '0.2' }, null)).toEqual({
      most: '1.285',
      proposed: '0.3',
    })
  })

  it('compare by value, not as text', () => {
    expect(compareDecimals('9', '10')).toBe(-1)
    expect(compareDecimals('0.50', '0.5')).toBe(0)
    expect(compareDecimals('0.1', '-3')).toBe(1)
  })

  it('have shares between zero and one, and no growth from zero', () => {
    expect(shareOf('5', '20')).toBe(0.25)
    expect(shareOf('30', '20')).toBe(1)
    expect(shareOf('-3', '20')).toBe(0)
    expect(shareOf('3', '0')).toBe(0)
    expect(changeInPercent('200.00', '250.00')).toBe(25)
    expect(changeInPercent('0.00', '250.00')).toBeNull()
  })

  it('as percentages are basis points, with a point or a comma', () => {
    for (const points of [0, 25, 100, 1250]) expect(basisPoints(percentText('en', points))).toBe(points)
    expect(basisPoints('0,5')).toBe(50)
    expect(basisPoints('1.234')).toBeNull()
    expect(basisPoints('x')).toBeNull()
  })
})

describe('names and links', () => {
  it('long names keep their ends, and short ones stay whole', () => {
    expect(shortened('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')).toBe('tb1qw508…xpjzsx')
    expect(shortened('order-1001')).toBe('order-1001')
  })

  it('differences between two similar addresses are marked by group', () => {
    expect(differingGroups('aaaabbbbcccc', 'aaaaxbbbcccc')).toEqual([false, true, false])
    expect(differingGroups('aaaa', 'aaaabb')).toEqual([false, true])
  })

  it('only web URLs become links', () => {
    expect(webLink('https://shop.example/')).toBe('https://shop.example/')
    for (const bad of ['javascript:alert(1)', 'data:text/html,x', ' https://x', null])
      expect(webLink(bad)).toBeNull()
  })

  it('the token of a link is removed from the URL at once', () => {
    const replaced: string[] = []
    const at = (hash: string) =>
      ({
        location: { hash, pathname: '/dashboard/reset' },
        history: { replaceState: (_state: object, _title: string, path: string) => replaced.push(path) },
      }) as unknown as Window
    expect(takeToken(at(`#${'a'.repeat(43)}`))).toBe('a'.repeat(43))
    expect(replaced).toEqual(['/dashboard/reset'])
    expect(takeToken(at('#<script>'))).toBeNull()
  })
})
