import { describe, expect, it } from 'vitest'
import { createAddressDemand, marksByDemand } from '../../src/domain/address-demand.ts'

const bounds = { least: 400, most: 50_000 }
const minuteMs = 60_000

/** Uses addresses at this rate for this time, looked at every second, and returns when it ended. */
function use(
  demand: ReturnType<typeof createAddressDemand>,
  perSecond: number,
  seconds: number,
  fromMs: number,
  given = 0,
) {
  for (let second = 0; second <= seconds; second++)
    demand.observe('a', given + second * perSecond, fromMs + second * 1_000)
  return fromMs + seconds * 1_000
}

describe('the target of a pool', () => {
  it('is the least while nothing is used, and for a keychain that was never seen', () => {
    const demand = createAddressDemand(bounds)
    const endMs = use(demand, 0, 60, 0)
    expect(demand.target('a', endMs)).toBe(400)
    expect(demand.target('b', endMs)).toBe(400)
  })

  it('rises with the rate of use, of that keychain only, and falls back when the rush is over', () => {
    const demand = createAddressDemand(bounds)
    const endMs = use(demand, 100, 60, 0)
    expect(demand.target('a', endMs)).toBe(6_000)
    expect(demand.target('b', endMs)).toBe(400)
    expect(demand.target('a', endMs + 10 * minuteMs)).toBe(3_000)
    expect(demand.target('a', endMs + 60 * minuteMs)).toBe(400)
  })

  it('keeps the highest rate through a pause, and is the same whether or not the pool is looked at meanwhile', () => {
    const demand = createAddressDemand(bounds)
    const endMs = use(demand, 100, 60, 0)
    const laterMs = use(demand, 0, 600, endMs, 6_000)
    expect(demand.target('a', laterMs)).toBe(3_000)
  })

  it('never exceeds the most, however fast addresses are used or skipped', () => {
    const demand = createAddressDemand(bounds)
    const endMs = use(demand, 1_000_000, 20, 0)
    expect(demand.target('a', endMs)).toBe(50_000)
  })

  it('does not rise for a single order, which claims a few addresses at once', () => {
    const demand = createAddressDemand(bounds)
    use(demand, 0, 20, 0)
    demand.observe('a', 8, 30_000)
    expect(demand.target('a', 30_000)).toBe(400)
  })

  it('is the least where that is more than the most', () => {
    const demand = createAddressDemand({ least: 1_000, most: 20 })
    expect(demand.target('a', use(demand, 1_000, 20, 0))).toBe(1_000)
  })
})

it('a pool is refilled from half of its target, and then to the whole of it in steps', () => {
  let nowMs = 0
  const marksOf = marksByDemand(bounds, () => nowMs)
  const look = (ready: number, given: number) => {
    const { low, full } = marksOf({ keychain: 'a', ready, given })
    return ready < low ? full : null
  }
  expect(look(400, 0)).toBeNull()
  expect(look(200, 200)).toBeNull()
  expect(look(199, 201)).toBe(400)
  expect(look(300, 201)).toBe(400)
  expect(look(400, 201)).toBeNull()
  expect(look(300, 301)).toBeNull()
  nowMs += 10_000
  // 50 a second.
  expect(look(0, 500)).toBe(1_000)
  expect(look(1_000, 500)).toBe(2_000)
  expect(look(2_000, 500)).toBe(3_000)
  expect(look(3_000, 500)).toBeNull()
})
