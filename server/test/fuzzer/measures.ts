/** What a run did and how long it took: only for its report, with no effect on its result. */
export class Measures {
  readonly counts: Record<string, number> = {}
  readonly steps: Record<string, number> = {}
  /** The start of the request that caused a webhook, from which its delay is measured. */
  readonly deposited = new Map<string, number>()
  readonly minedAt = new Map<string, number>()
  readonly #latencies = new Map<string, number[]>()

  count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by
  }

  countStep(what: string, by = 1): void {
    this.steps[what] = (this.steps[what] ?? 0) + by
  }

  took(what: string, ms: number): void {
    const list = this.#latencies.get(what)
    if (list === undefined) this.#latencies.set(what, [ms])
    else list.push(ms)
  }

  /** For everything that was timed: count, median, 99th percentile and maximum, in milliseconds. */
  latencies(): Record<string, { n: number; p50: number; p99: number; max: number }> {
    const rows = [...this.#latencies].map(([what, list]) => {
      const sorted = list.toSorted((a, b) => a - b)
      const at = (share: number) =>
        Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
      return [what, { n: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }] as const
    })
    return Object.fromEntries(rows.sort((a, b) => b[1].p99 - a[1].p99))
  }
}
