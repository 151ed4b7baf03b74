/** What a caller waited, over one measurement. */
export type Latency = {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
  readonly worstMs: number
}

/** The percentiles of some waits: the least that at least this share of them does not exceed. */
export function latencyOf(waitsMs: readonly number[]): Latency {
  const sorted = Float64Array.from(waitsMs).sort()
  const at = (share: number) => sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999), worstMs: at(1) }
}
