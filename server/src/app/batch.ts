import { OutageError } from '../domain/errors.ts'

/**
 * Turns many single calls into few batches: a call that finds nothing under way runs at once, alone; calls that arrive
 * while `maxRunning` batches are under way wait and run together. So one caller waits for nobody, and a thousand share a
 * handful of statements. A batch that fails is run again one by one, so that no call suffers from another's fault.
 */
export function batch<Item, Result>(
  run: (batch: readonly Item[]) => Promise<readonly Result[]>,
  limits: { readonly maxBatch: number; readonly maxRunning: number },
): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
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
      const results = await run(batch.map(({ item }) => item))
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result)
    } catch (error) {
      // When nobody answers, asking for each one by one helps nobody.
      if (batch.length === 1 || error instanceof OutageError) for (const { reject } of batch) reject(error)
      else for (const single of batch) await finish([single])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      start()
    })
}
