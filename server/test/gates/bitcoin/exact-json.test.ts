import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDecimal } from '../../../src/domain/money.ts'
import { count, exactUnits, parseExact } from '../../../src/gates/bitcoin/exact-json.ts'

const unitsIn = (json: string) => exactUnits((parseExact(json) as { value: unknown }).value, 8)

describe('amounts of a node', () => {
  it('every amount is read to the unit, even beyond the precision of a float', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 90n }), (units) => {
        expect(unitsIn(`{"value":${formatDecimal(units, 8)}}`)).toBe(units)
      }),
    )
    expect(unitsIn('{"value": 90071992.54740993}')).toBe(9_007_199_254_740_993n)
    expect(unitsIn('{"value":123456789012345678901.00000001}')).toBe(12_345_678_901_234_567_890_100_000_001n)
  })

  it.each([
    ['1e-8', 1n],
    ['1E-08', 1n],
    ['1.5e3', 150_000_000_000n],
    ['2.1e+7', 2_100_000_000_000_000n],
    ['0e5', 0n],
    ['0.000000010', 1n],
    ['0.00000000', 0n],
  ])('%s is read in every notation', (text, units) => {
    expect(unitsIn(`{"value":${text}}`)).toBe(units)
  })

  it.each(['-1', '-0.00000001', '1e-9', '0.000000001', '1e400', '1e999', '1'.repeat(61)])(
    '%s is not an amount',
    (text) => {
      expect(unitsIn(`{"value":${text}}`)).toBeNull()
    },
  )

  it.each(['null', '"NaN"', '"1,5"', 'true', '{}', '[1]', '"0x10"', '""'])('%s is not an amount', (text) => {
    expect(unitsIn(`{"value":${text}}`)).toBeNull()
  })

  it('text that looks like an amount is left unchanged', () => {
    const tricky = { note: '"value":1.5', 'a"value': 2, feerate: 'x', list: ['"value": 3'] }
    expect(parseExact(JSON.stringify(tricky))).toEqual({ ...tricky, 'a"value': '2' })
  })

  it('a count is a whole number that JSON has not rounded', () => {
    expect(count(parseExact('9007199254740991'))).toBe(2 ** 53 - 1)
    for (const text of ['9007199254740992', '9007199254740993', '1e300', '-1', '1.5', '"1"', 'null'])
      expect(count(parseExact(text)), text).toBeNull()
  })
})
