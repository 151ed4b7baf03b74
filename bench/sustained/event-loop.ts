/** How late the timers of the process that answers were, since the last look. */
export type EventLoopDelay = { readonly p50Ms: number; readonly p99Ms: number; readonly worstMs: number }

/** Reads the service's own metrics, which begin anew with each look. */
export async function eventLoopDelay(metricsUrl: string): Promise<EventLoopDelay> {
  const text = await (await fetch(metricsUrl)).text()
  const ms = (name: string): number => {
    const value = new RegExp(`^nodejs_eventloop_lag_${name}_seconds ([0-9.e+-]+)`, 'm').exec(text)?.[1]
    if (value === undefined) throw new Error(`${metricsUrl} has no event-loop delay.`)
    return Number(value) * 1_000
  }
  return { p50Ms: ms('p50'), p99Ms: ms('p99'), worstMs: ms('max') }
}
