import type { Db, Result, Value } from './sql.ts'

/** One connection to PostgreSQL, which belongs to the caller until it is released. */
export type Connection = {
  query(text: string, values: readonly Value[]): Promise<Result>
  /** Returns it. A broken one may be in any state, so it must be closed and never be used again. */
  release(isBroken: boolean): void
}

/** Runs each statement on a connection of its own, and each transaction on a single one. */
export function dbOn(connect: () => Promise<Connection>): Db {
  return {
    isTransaction: false,
    async query(text, values) {
      const connection = await connect()
      try {
        return await connection.query(text, values)
      } finally {
        connection.release(false)
      }
    },
    async transaction(work) {
      return transact(await connect(), 'begin', work)
    },
    async snapshot(work) {
      return transact(await connect(), 'begin isolation level repeatable read read only', work)
    },
  }
}

async function transact<T>(connection: Connection, begin: string, work: (tx: Db) => Promise<T>): Promise<T> {
  let isOver = false
  // Until a transaction is known to have ended, the connection may still be in it.
  let isBroken = true
  const tx: Db = {
    isTransaction: true,
    async query(text, values) {
      // Another caller may have the connection by now.
      if (isOver) throw new Error('A statement was sent after its transaction had ended.')
      return connection.query(text, values)
    },
    transaction: refuseNested,
    snapshot: refuseNested,
  }
  try {
    await connection.query(begin, [])
    try {
      const result = await work(tx)
      isOver = true
      const { command } = await connection.query('commit', [])
      // PostgreSQL answers this if an earlier statement failed, even if the error was caught.
      if (command === 'ROLLBACK')
        throw new Error('The transaction was rolled back: a statement in it had failed.')
      isBroken = false
      return result
    } catch (error) {
      isOver = true
      isBroken = await connection.query('rollback', []).then(
        () => false,
        () => true,
      )
      throw error
    }
  } finally {
    connection.release(isBroken)
  }
}

async function refuseNested(): Promise<never> {
  throw new Error('A transaction cannot start inside another.')
}
