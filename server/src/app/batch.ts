import { OutageError } from '../domain/errors.ts'
import { currentSpan, type Span, withinAll } from '../tracing/span.ts'

/**
 * Combines concurrent calls into batches. A call runs at once while fewer than `maxRunning` batches are running; later
 * calls wait and run together. A lone caller never waits, and a thousand callers share a handful of statements. The calls
 * of a failed batch are run one by one, so that one bad call does not fail the others.
 */
export function batch<Item, Result>(
  run: (batch: readonly Item[]) => Promise<readonly Result[]>,
  limits: {
    readonly maxBatch: number
    readonly maxRunning: number
    /** The id of the row that an item becomes, which then belongs to the trace of its caller. */
    readonly subjectOf?: (item: Item) => string
  },
): (item: Item) => Promise<Result> {
  type Waiting = {
    item: Item
    resolve: (result: Result) => void
    reject: (error: unknown) => void
    span: Span | null
    subject: string | null
  }
  let waiting: Waiting[] = []
  let running = 0

  function start(): void {
    while (running < limits.maxRunning && waiting.length > 0) {
      const batch = waiting.slice(0, limits.maxBatch)
      waiting = waiting.slice(limits.maxBatch)
      running++
      void finish(batch).then(() => {
        running--
        start()
      })
    }
  }

  async function finish(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await withinAll(batch, () => run(batch.map(({ item }) => item)))
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result)
    } catch (error) {
      // During an outage, retrying one by one would fail as well.
      if (batch.length === 1 || error instanceof OutageError) for (const { reject } of batch) reject(error)
      else for (const single of batch) await finish([single])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const subject = limits.subjectOf?.(item) ?? null
      waiting.push({ item, resolve, reject, span: currentSpan(), subject })
      start()
    })
}
