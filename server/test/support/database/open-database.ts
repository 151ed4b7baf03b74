import { type Database, openDatabase } from '../../../src/store/database.ts'
import { patienceMs } from '../patience.ts'

/** Connections of the test's own, configured like the service's. */
export function openTestDatabase(url: string, maxConnections: number): Database {
  return openDatabase(url, { maxConnections, waitMs: patienceMs, onIdleError: () => {} })
}
