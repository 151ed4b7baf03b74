import { afterEach, expect, it, vi } from 'vitest'
import { createMetrics } from '../../src/http/metrics.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('a process samples itself once, however many services it starts, and every service shows it', async () => {
  createMetrics()
  const timers = vi.spyOn(globalThis, 'setInterval')
  const [one, other] = [createMetrics(), createMetrics()]
  expect(timers).not.toHaveBeenCalled()

  one.gauge('only_here', 'A number of one service.', () => 3)
  const [ofOne, ofOther] = await Promise.all([one.text(), other.text()])
  expect(ofOne).toContain('only_here 3')
  expect(ofOther).not.toContain('only_here')
  for (const text of [ofOne, ofOther]) {
    expect(text).toMatch(/^nodejs_eventloop_utilization_summary_count \d+$/m)
    expect(text).toMatch(/^process_cpu_seconds_total [\d.]+$/m)
    expect(text).not.toContain('process_open_fds')
  }
})
