import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { untilInterrupted } from '../../src/cli/developer/interrupt.ts'

it('a signal that arrives twice, from the terminal and from the launcher, lets a command finish', async () => {
  let hasFinished = false
  const done = untilInterrupted(async (signal) => {
    await delay(60_000, undefined, { signal }).catch(() => {})
    await delay(20)
    hasFinished = true
  })
  // Each has someone to take it; otherwise it would end the process.
  for (let n = 0; n < 3; n++) expect(process.emit('SIGINT', 'SIGINT')).toBe(true)
  await done
  expect(hasFinished).toBe(true)
  expect(process.emit('SIGINT', 'SIGINT')).toBe(true)
})
