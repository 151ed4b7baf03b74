import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Tracer } from '../tracing/span.ts'
import { type Connection, dbOn } from './connections.ts'
import { isContention, outageOr, unconfirmedCommit } from './outage.ts'
import type { Db } from './sql.ts'
import { tracedDb } from './traced-db.ts'

const statementTimeoutMs = 30_000
// Shorter than the statement timeout: a process that stalls in a transaction loses its session before the statements that
// wait for its locks time out.
const idleInTransactionMs = 10_000
const maxAttempts = 5
// The text of some statements varies without end; prepared, they would fill the server's memory.
const maxPrepared = 500

export type Database = {
  readonly db: Db
  /** Runs `work` in one transaction. After a deadlock or a serialization failure it runs again from the start. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** Opens a pool. Nothing connects yet: an unreachable database shows at the first query, as an OutageError. */
export function openDatabase(
  url: string,
  options: {
    maxConnections: number
    /** How long a caller waits for a connection. */
    waitMs: number
    onIdleError: (error: Error) => void
    /** Nothing may be written here, and every answer has this long; for a replica. */
    readOnlyWithinMs?: number
    /** Shows what traced work does here. */
    tracer?: Tracer
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
    ...(options.readOnlyWithinMs !== undefined && {
      options: '-c default_transaction_read_only=on',
      query_timeout: options.readOnlyWithinMs,
    }),
  })
  // Without a listener, an idle connection that ends would end the process.
  let closing = false
  pool.on('error', (error) => {
    // Connections may still be open while the pool closes. A server that stops then is not worth reporting.
    if (!closing) options.onIdleError(error)
  })
  // The same for a connection that ends between two queries of a transaction. The next query reports it.
  pool.on('connect', (client) => client.on('error', () => {}))
  const prepare = preparing()
  const plain = dbOn(async () => {
    const client = await pool.connect().catch(rethrowOutage)
    return { query: prepare(client), release: (isBroken) => client.release(isBroken) }
  })
  const db = options.tracer?.isOn ? tracedDb(plain, options.tracer) : plain
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

/** A Db on the caller's own connection: every statement runs on it, in order, and fails once it is lost. */
export function openSession(client: pg.Client): Db {
  const query = preparing()(client)
  const release = (isBroken: boolean) => {
    if (isBroken) client.end().catch(() => {})
  }
  return dbOn(async () => ({ query, release }))
}

/** The `types` option with which a session's client reads values as the pool does. */
export const sessionTypes = { getTypeParser }

// Every numeric column holds an integer by convention (amounts in the smallest unit, rates scaled), so bigint is exact.
const bigintTypes = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (bigintTypes.has(oid)) return (text: string) => BigInt(text)
  return pg.types.getTypeParser(oid, format as 'text')
}

/**
 * How clients send statements. A failure to reach the database becomes an OutageError. A statement with parameters is
 * prepared once per connection, so that it is not planned for every request.
 */
function preparing(): (client: pg.ClientBase) => Connection['query'] {
  const names = new Map<string, string>()
  const watched = new WeakSet<pg.ClientBase>()
  const unconfirmed = new WeakSet<pg.ClientBase>()
  const watch = (client: pg.ClientBase): void => {
    if (watched.has(client)) return
    watched.add(client)
    // PostgreSQL reports success even if an operator cancels the wait for the standby that must have the commit too.
    client.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') unconfirmed.add(client)
    })
  }
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || names.size === maxPrepared) return known
    const name = `sluice_${names.size}`
    names.set(text, name)
    return name
  }

  return (client) => {
    watch(client)
    const confirm = (result: pg.QueryResult): pg.QueryResult => {
      if (unconfirmed.delete(client)) throw unconfirmedCommit()
      return result
    }
    return (text, values) => {
      const name = values.length === 0 ? undefined : nameOf(text)
      return client
        .query({ text, values: values as unknown[], ...(name !== undefined && { name }) })
        .then(confirm, rethrowOutage)
    }
  }
}

function rethrowOutage(error: unknown): never {
  throw outageOr(error)
}
