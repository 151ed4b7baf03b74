import fc from 'fast-check'
import { expect, it } from 'vitest'
import { standingAt, waitingAt } from '../../src/signer/standing.ts'

const delayMs = 100
type Record = { readonly at: Date; readonly from: Date; readonly allows: number }

/** Records in order of time. The first has nothing to wait for. */
const records = fc
  .array(fc.record({ after: fc.nat(150), allows: fc.nat(20) }), { minLength: 1, maxLength: 12 })
  .map((steps) => {
    let ms = 0
    return steps.map(({ after, allows }, n): Record => {
      ms += after
      return { at: new Date(ms), from: new Date(n === 0 ? ms : ms + delayMs), allows }
    })
  })
const inForce = (all: readonly Record[], now: Date) =>
  Math.min(...standingAt(all, now).map(({ allows }) => allows))

it('what counts is the strictest of everything that stood within the delay', () => {
  fc.assert(
    fc.property(records, fc.nat(1_500), (all, later) => {
      const now = (all[0]?.at.getTime() ?? 0) + later
      const known = all.filter(({ at }) => at.getTime() <= now)
      const old = known.findLast(({ at }) => at.getTime() <= now - delayMs) ?? known[0]
      const stood = known.filter((each) => each === old || each.at.getTime() > now - delayMs)
      expect(inForce(known, new Date(now))).toBe(Math.min(...stood.map(({ allows }) => allows)))
    }),
  )
})

it('a stricter record counts at once, and a weaker one never before its time', () => {
  fc.assert(
    fc.property(records, fc.nat(150), fc.nat(20), (all, after, allows) => {
      const at = new Date((all.at(-1)?.at.getTime() ?? 0) + after)
      const before = inForce(all, at)
      const next = [...all, { at, from: new Date(at.getTime() + delayMs), allows }]
      expect(inForce(next, at)).toBe(Math.min(before, allows))
      for (const waited of [0, 1, delayMs - 1])
        expect(inForce(next, new Date(at.getTime() + waited))).toBeLessThanOrEqual(
          inForce(all, new Date(at.getTime() + waited)),
        )
      expect(inForce(next, new Date(at.getTime() + delayMs))).toBe(allows)
    }),
  )
})

it('only the newest can wait', () => {
  const one = { at: new Date(0), from: new Date(0) }
  const two = { at: new Date(10), from: new Date(110) }
  expect([waitingAt([one, two], new Date(109)), waitingAt([one, two], new Date(110))]).toEqual([two, null])
  const back = { at: new Date(20), from: new Date(120) }
  expect(waitingAt([one, two, back], new Date(110))).toBe(back)
})
