import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Connection, dbOn } from './connections.ts'
import { isContention, outageOr } from './outage.ts'
import type { Db } from './sql.ts'

const statementTimeoutMs = 30_000
// Shorter than a statement may wait: a process that stands still amid a transaction is given up before those who wait
// for its locks are.
const idleInTransactionMs = 10_000
const maxAttempts = 5
// Statements whose text varies without end must not fill the server's memory.
const maxPrepared = 500

export type Database = {
  readonly db: Db
  /** Runs `work` in one transaction; a deadlock or serialization failure runs it again from the start. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** Opens a pool. Nothing is connected yet: an unreachable database shows at the first query, as an OutageError. */
export function openDatabase(
  url: string,
  options: {
    maxConnections: number
    /** How long a caller waits for one of them. */
    waitMs: number
    onIdleError: (error: Error) => void
  },
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections,
    connectionTimeoutMillis: options.waitMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    application_name: 'sluice',
    types: { getTypeParser },
  })
  // Without a listener an idle connection's end would end the process.
  let closing = false
  pool.on('error', (error) => {
    // The pool is closed before its connections have ended: a server that stops meanwhile is no news.
    if (!closing) options.onIdleError(error)
  })
  // Nor may a connection that ends between two queries of a transaction: the next query reports it.
  pool.on('connect', (client) => client.on('error', () => {}))
  const prepare = preparing()
  const db = dbOn(async () => {
    const client = await pool.connect().catch(rethrowOutage)
    return { query: prepare(client), release: (isBroken) => client.release(isBroken) }
  })
  let ended: Promise<void> | null = null

  return {
    db,
    pool,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await db.transaction(work)
        } catch (error) {
          if (!isContention(error) || attempt === maxAttempts) throw error
          await delay(Math.random() * 20 * 2 ** attempt)
        }
      }
    },
    close() {
      closing = true
      ended ??= pool.end()
      return ended
    },
  }
}

/** One session of the caller's: everything runs on this very connection, one after the other, and fails when it is gone. */
export function openSession(client: pg.Client): Db {
  const query = preparing()(client)
  const release = (isBroken: boolean) => {
    if (isBroken) client.end().catch(() => {})
  }
  return dbOn(async () => ({ query, release }))
}

/** How a session's client must read values: `types` of its options. */
export const sessionTypes = { getTypeParser }

// Every numeric column holds an integer by convention (amounts in the smallest unit, rates scaled), so bigint is exact.
const bigintTypes = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (bigintTypes.has(oid)) return (text: string) => BigInt(text)
  return pg.types.getTypeParser(oid, format as 'text')
}

/**
 * How a pool's clients send statements: every failure to reach the database is an OutageError, and every statement with
 * parameters is prepared once a connection, so that it is planned once and not for every request.
 */
function preparing(): (client: pg.ClientBase) => Connection['query'] {
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || names.size === maxPrepared) return known
    const name = `sluice_${names.size}`
    names.set(text, name)
    return name
  }

  return (client) => (text, values) => {
    const name = values.length === 0 ? undefined : nameOf(text)
    return client
      .query({ text, values: values as unknown[], ...(name !== undefined && { name }) })
      .catch(rethrowOutage)
  }
}

function rethrowOutage(error: unknown): never {
  throw outageOr(error)
}
