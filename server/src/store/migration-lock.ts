import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

// The advisory lock of those who change the schema: an arbitrary key that no other in this database uses.
const migrationLock = 7_310_915
const askEveryMs = 50

/**
 * Waits for the lock of those who change the schema. The open transaction holds it until it ends, which also works through
 * a transaction pooler.
 */
export async function takeMigrationLock(client: pg.Client): Promise<void> {
  for (;;) {
    // An index that is built concurrently waits for every snapshot. A statement that waits keeps its own, and so does one
    // with parameters until the next: this one, asked again and again, holds up no one.
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(${migrationLock}) as taken`,
    )
    if (rows[0]?.taken === true) return
    await delay(askEveryMs)
  }
}
