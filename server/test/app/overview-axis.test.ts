import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { axisFor } from '../../src/app/overview/axis.ts'

describe('the lines of a chart', () => {
  it.each([
    ['nothing', [], []],
    ['zeros only', [0n, 0n], []],
    ['one unit', [1n], [0n, 1n]],
    ['only what goes out', [-7n], [-8n, -6n, -4n, -2n, 0n]],
    ['both on one scale', [930n, -120n], [-500n, 0n, 500n, 1000n]],
    ['a little beside a lot', [1_000_000n, -1n], [-500_000n, 0n, 500_000n, 1_000_000n]],
  ])('%s', (_, values, lines) => {
    expect(axisFor(values)).toEqual(lines)
  })

  it('of any values, however large, are few, round, equally far apart, have zero and enclose them all', () => {
    const value = fc.bigInt({ min: -(10n ** 78n), max: 10n ** 78n })
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), (values) => {
        const lines = axisFor(values)
        if (values.every((each) => each === 0n)) return expect(lines).toEqual([])
        expect(lines.length).toBeLessThanOrEqual(9)
        expect(lines).toContain(0n)
        const step = (lines[1] as bigint) - (lines[0] as bigint)
        expect(String(step)).toMatch(/^[125]0*$/)
        for (const [at, line] of lines.entries()) expect(line).toBe((lines[0] as bigint) + BigInt(at) * step)
        for (const each of values) {
          expect(each).toBeGreaterThanOrEqual(lines[0] as bigint)
          expect(each).toBeLessThanOrEqual(lines.at(-1) as bigint)
        }
      }),
    )
  })
})
