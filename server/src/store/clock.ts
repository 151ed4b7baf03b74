import { type Db, sql } from './sql.ts'

// The clocks of process and database drift slowly; a step of either is noticed within this time.
const syncEveryMs = 5_000
const surelyKnownMs = 50

/** The database's time without a query. The process's own clock may be wrong, or be set. */
export type DatabaseClock = {
  now(): Date
  stop(): void
}

/** Reads the database's time at intervals, and counts on with the monotonic clock in between. */
export async function startDatabaseClock(db: Db): Promise<DatabaseClock> {
  let { offsetMs } = await readOffset(db)
  const timer = setInterval(() => {
    readOffset(db).then(
      (read) => {
        // A slow answer is imprecise. It is used only if it proves the current offset wrong.
        const isProof = Math.abs(read.offsetMs - offsetMs) > read.uncertainMs
        if (isProof || read.uncertainMs < surelyKnownMs) offsetMs = read.offsetMs
      },
      // Time goes on while the database is away. A caller that needs the database finds out by itself.
      () => {},
    )
  }, syncEveryMs)
  timer.unref()
  return {
    now: () => new Date(performance.now() + offsetMs),
    stop: () => clearInterval(timer),
  }
}

async function readOffset(db: Db): Promise<{ offsetMs: number; uncertainMs: number }> {
  const askedMs = performance.now()
  const { now } = await sql<{ now: Date }>`select clock_timestamp() as now`.one(db)
  const answeredMs = performance.now()
  return {
    offsetMs: now.getTime() - (askedMs + answeredMs) / 2,
    uncertainMs: (answeredMs - askedMs) / 2,
  }
}
