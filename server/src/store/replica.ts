import { setTimeout as sleep } from 'node:timers/promises'
import { OutageError } from '../domain/errors.ts'
import type { Tracer } from '../tracing/span.ts'
import { openDatabase } from './database.ts'
import { isContention } from './outage.ts'
import { type Db, sql } from './sql.ts'

/** How long a read waits for the replica to catch up with the primary before it goes to the primary. */
const maxWaitMs = 200
const pollMs = 10
const probeEveryMs = 1_000
const connectMs = 1_000
/** A replica that takes longer than this to answer is treated as gone. */
const answerMs = 10_000

export type Replica = {
  /**
   * Reads from the replica if it has everything that was committed before this call, and otherwise from the primary. So a
   * caller finds what it has just written. `read` may run twice.
   */
  read<T>(read: (db: Db) => Promise<T>): Promise<T>
  readonly counts: { readonly reads: number; readonly fallbacks: number; readonly isUsable: boolean }
  close(): Promise<void>
}

export type ReplicaOptions = {
  readonly primary: Db
  readonly maxConnections: number
  readonly tracer?: Tracer
  /** Told once when reads begin to go to the primary instead, and once when the replica serves them. */
  readonly onTrouble: (reason: string) => void
  readonly onUsable: () => void
}

/** Opens a streaming replica. Until it has proved to be one of this primary's, and current, the primary serves every read. */
export function openReplica(url: string, { primary, ...options }: ReplicaOptions): Replica {
  const database = openDatabase(url, {
    maxConnections: options.maxConnections,
    waitMs: connectMs,
    onIdleError: () => {},
    readOnlyWithinMs: answerMs,
    ...(options.tracer !== undefined && { tracer: options.tracer }),
  })
  const counts = { reads: 0, fallbacks: 0 }
  let isUsable = false
  let told: string | null = null
  let probing = false
  const timer = setInterval(() => void probe(), probeEveryMs).unref()
  void probe()

  function trouble(reason: string): void {
    isUsable = false
    if (told !== reason) options.onTrouble(reason)
    told = reason
  }

  /** Asks, while the primary serves all reads, whether the replica can. */
  async function probe(): Promise<void> {
    if (isUsable || probing) return
    probing = true
    try {
      const [ours, theirs] = await Promise.all([identity(primary), identity(database.db)])
      if (ours !== theirs) trouble('It is not a replica of this database.')
      else if (!(await isCurrent())) trouble('It is behind.')
      else {
        isUsable = true
        told = null
        options.onUsable()
      }
    } catch (error) {
      trouble(whyNot(error))
    } finally {
      probing = false
    }
  }

  /** Whether the replica has, within a short wait, everything that the primary had committed when asked. */
  async function isCurrent(): Promise<boolean> {
    const { position } = await sql<{ position: string }>`
      select pg_current_wal_flush_lsn()::text as position`.one(primary)
    const deadline = performance.now() + maxWaitMs
    for (;;) {
      if (await hasReached(position)) return true
      if (performance.now() > deadline) return false
      await sleep(pollMs)
    }
  }

  // A server that was promoted replays no more, and its own writes are not ours.
  async function hasReached(position: string): Promise<boolean> {
    const answer = sql<{ reached: boolean }>`
      select pg_is_in_recovery() and coalesce(pg_last_wal_replay_lsn() >= ${position}::pg_lsn, false) as reached`.one(
      database.db,
    )
    // It may accept and never answer.
    const late = sleep(maxWaitMs, { reached: false }, { ref: false })
    answer.catch(() => {})
    return (await Promise.race([answer, late])).reached
  }

  return {
    async read(read) {
      if (isUsable) {
        const problem = await isCurrent().then((current) => (current ? null : 'It is behind.'), whyNot)
        if (problem !== null) trouble(problem)
        else
          try {
            const rows = await read(database.db)
            counts.reads += 1
            return rows
          } catch (error) {
            if (error instanceof OutageError) trouble(whyNot(error))
            // The primary removed rows that a statement on the replica still needed.
            else if (!isContention(error)) throw error
          }
      }
      counts.fallbacks += 1
      return read(primary)
    },
    get counts() {
      return { ...counts, isUsable }
    },
    async close() {
      clearInterval(timer)
      await database.close()
    },
  }
}

/** In words. If a replica fails in any way, the primary answers. */
function whyNot(error: unknown): string {
  if (error instanceof OutageError || !(error instanceof Error)) return 'It does not answer.'
  return `It cannot be used: ${error.message}.`
}

async function identity(db: Db): Promise<string> {
  const { name } = await sql<{ name: string }>`
    select system_identifier::text || '/' || current_database() as name from pg_control_system()`.one(db)
  return name
}
