import { type Database, openDatabase } from '../../src/store/database.ts'

// A machine that does much else makes everybody wait longer than a request should.
const waitMs = 60_000

/** Connections of the test's own, as the service has them. */
export function openTestDatabase(url: string, maxConnections: number): Database {
  return openDatabase(url, { maxConnections, waitMs, onIdleError: () => {} })
}
