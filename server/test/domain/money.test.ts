import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divide, formatDecimal, formatFixed, parseDecimal } from '../../src/domain/money.ts'

describe('parseDecimal', () => {
  it.each([
    ['0', 8, 0n],
    ['0.01', 8, 1_000_000n],
    ['1', 0, 1n],
    ['0.00000001', 8, 1n],
    ['123456789012345678901234567890.5', 18, 123456789012345678901234567890500000000000000000n],
  ])('%s with %i decimals', (text, decimals, units) => expect(parseDecimal(text, decimals)).toBe(units))

  it.each([
    '',
    '1e3',
    '-0',
    '-1',
    '+1',
    '.5',
    '1.',
    '01',
    '00',
    'NaN',
    '0x1',
    ' 1',
    '1 ',
    '1,0',
    '１',
    '1_0',
    '0.000000001',
    '1'.repeat(51),
  ])('refuses %j', (text) => expect(parseDecimal(text, 8)).toBeNull())
})

it('every amount survives formatting and parsing, in canonical form and without loss', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 30n }),
      fc.integer({ min: 0, max: 18 }),
      (units, decimals) => {
        const text = formatDecimal(units, decimals)
        expect(text).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/)
        expect(parseDecimal(text, decimals)).toBe(units)
        expect(parseDecimal(formatFixed(units, decimals), decimals)).toBe(units)
      },
    ),
  )
})

it('negative balances and fixed digits are formatted', () => {
  expect(formatDecimal(-1_500_000n, 6)).toBe('-1.5')
  expect(formatFixed(4990n, 2)).toBe('49.90')
  expect(formatFixed(5n, 0)).toBe('5')
})

it('division rounds as requested', () => {
  expect([divide(7n, 2n, 'down'), divide(7n, 2n, 'up'), divide(6n, 2n, 'up')]).toEqual([3n, 4n, 3n])
  expect(() => divide(-1n, 2n, 'up')).toThrow(RangeError)
  expect(() => divide(1n, 0n, 'up')).toThrow(RangeError)
})
