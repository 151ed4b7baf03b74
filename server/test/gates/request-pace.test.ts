import { expect, it } from 'vitest'
import { requestPace } from '../../src/gates/request-pace.ts'

/** A pace on a clock of its own, which advances only while a caller waits. */
function paced(maxWaitMs = 10_000) {
  const clock = { nowMs: 0 }
  const pace = requestPace({
    maxWaitMs,
    now: () => clock.nowMs,
    sleep: async (ms) => {
      clock.nowMs += ms
    },
  })
  return { clock, pace }
}

it('a node that does not complain is asked without delay', async () => {
  const { clock, pace } = paced()
  for (let asked = 0; asked < 100; asked++) {
    expect(await pace.turn()).toBe(true)
    pace.wentWell()
  }
  expect(clock.nowMs).toBe(0)
})

it('a node that says how long to wait is left alone for that time', async () => {
  const { clock, pace } = paced()
  await pace.turn()
  pace.wasTooOften(7_000)
  expect(await pace.turn()).toBe(true)
  expect(clock.nowMs).toBe(7_000)
})

it('no caller waits longer than allowed, and nothing is sent meanwhile', async () => {
  const { clock, pace } = paced()
  await pace.turn()
  pace.wasTooOften(3_600_000)
  expect(await pace.turn()).toBe(false)
  expect(clock.nowMs).toBe(0)
  clock.nowMs = 3_600_000
  expect(await pace.turn()).toBe(true)
})

it('a limit of two requests a second is found, and then hardly ever exceeded', async () => {
  const { clock, pace } = paced()
  const served: number[] = []
  let refused = 0
  while (served.length < 200) {
    expect(await pace.turn()).toBe(true)
    const lately = served.filter((atMs) => clock.nowMs - atMs < 1_000).length
    if (lately < 2) {
      served.push(clock.nowMs)
      pace.wentWell()
    } else {
      refused++
      pace.wasTooOften(null)
    }
  }
  expect(refused).toBeLessThan(20)
  // Slow, but not much slower than allowed.
  expect(clock.nowMs).toBeLessThan(200_000)
})
