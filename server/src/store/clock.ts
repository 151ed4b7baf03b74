import { type Db, sql } from './sql.ts'

// Process and database drift apart slowly; a step of either clock shows within this time.
const syncEveryMs = 5_000
const surelyKnownMs = 50

/** The database's clock, as a process knows it without asking: its own clock may be wrong, or be set. */
export type DatabaseClock = {
  now(): Date
  stop(): void
}

/** Asks for the time now and then, and counts on with the monotonic clock in between. */
export async function startDatabaseClock(db: Db): Promise<DatabaseClock> {
  let { offsetMs } = await readOffset(db)
  const timer = setInterval(() => {
    readOffset(db).then(
      (read) => {
        // An answer that was long under way says little; what it proves wrong is given up all the same.
        const isProof = Math.abs(read.offsetMs - offsetMs) > read.uncertainMs
        if (isProof || read.uncertainMs < surelyKnownMs) offsetMs = read.offsetMs
      },
      // While the database is away time goes on; whoever needs the database will say so.
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
