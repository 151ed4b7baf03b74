import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Loop, startLoop } from '../../src/worker/loop.ts'
import { signal } from '../support/nodes/scripted-gate.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const everyMs = 1_000
/** Runs everything that does not wait for time to pass. */
const settle = () => vi.advanceTimersByTimeAsync(0)

function counting(step: (run: number, signal: AbortSignal) => Promise<void> = async () => {}) {
  const seen = { runs: 0, atOnce: 0, most: 0, errors: [] as unknown[] }
  const loop: Loop = startLoop({
    everyMs,
    step: async (stopping) => {
      seen.runs++
      seen.most = Math.max(seen.most, ++seen.atOnce)
      try {
        await step(seen.runs, stopping)
      } finally {
        seen.atOnce--
      }
    },
    onError: (error) => seen.errors.push(error),
  })
  return { seen, loop }
}

it('the loop runs at once, and again some time after the last run ended', async () => {
  const { seen, loop } = counting()
  await settle()
  expect(seen.runs).toBe(1)
  await vi.advanceTimersByTimeAsync(everyMs - 1)
  expect(seen.runs).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(seen.runs).toBe(2)
  await loop.stop()
})

it('a wake during a pause starts a run at once', async () => {
  const { seen, loop } = counting()
  await settle()
  loop.wake()
  await settle()
  expect(seen.runs).toBe(2)
  await loop.stop()
})

it('any number of wakes during a run start one more run right after it, never two at once', async () => {
  const holding = signal()
  const { seen, loop } = counting((run) => (run === 1 ? holding.given : Promise.resolve()))
  for (let wakes = 0; wakes < 5; wakes++) loop.wake()
  await settle()
  expect(seen.runs).toBe(1)
  holding.give()
  await settle()
  expect(seen).toMatchObject({ runs: 2, most: 1 })
  await loop.stop()
})

it('a wake at the very end of a run is not lost', async () => {
  let loop: Loop | null = null
  const { seen, loop: started } = counting(async (run) => {
    await Promise.resolve()
    if (run === 1) queueMicrotask(() => loop?.wake())
  })
  loop = started
  await settle()
  expect(seen.runs).toBe(2)
  await started.stop()
})

it('a failing run is reported, and the next one comes in its turn', async () => {
  const { seen, loop } = counting(async (run) => {
    if (run === 1) throw new Error('first')
  })
  await settle()
  expect(seen.errors).toEqual([new Error('first')])
  expect(seen.runs).toBe(1)
  await vi.advanceTimersByTimeAsync(everyMs)
  expect(seen.runs).toBe(2)
  await loop.stop()
})

it('stopping aborts the running step’s signal and waits for the step, and nothing runs afterwards', async () => {
  const ended: string[] = []
  const { seen, loop } = counting(
    (_, stopping) =>
      new Promise((_resolve, reject) => {
        stopping.addEventListener('abort', () => {
          ended.push('step')
          reject(new Error('aborted'))
        })
      }),
  )
  loop.wake()
  await loop.stop().then(() => ended.push('loop'))
  expect(ended).toEqual(['step', 'loop'])
  loop.wake()
  await vi.advanceTimersByTimeAsync(10 * everyMs)
  expect(seen).toMatchObject({ runs: 1, errors: [] })
})

it('the loop stops at once during a pause', async () => {
  const { seen, loop } = counting()
  await settle()
  await loop.stop()
  expect(seen.runs).toBe(1)
})

it('the pause may differ from run to run', async () => {
  const pauses = [100, 3_000]
  let runs = 0
  const loop = startLoop({
    everyMs: () => pauses[runs - 1] ?? everyMs,
    step: async () => {
      runs++
    },
    onError: () => {},
  })
  await settle()
  await vi.advanceTimersByTimeAsync(100)
  expect(runs).toBe(2)
  await vi.advanceTimersByTimeAsync(2_999)
  expect(runs).toBe(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toBe(3)
  await loop.stop()
})
