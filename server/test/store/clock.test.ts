import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDatabaseClock } from '../../src/store/clock.ts'
import type { Database } from '../../src/store/database.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 2)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const databaseTime = async () => {
  const [row] = await query<{ now: Date }>(test.url, 'select clock_timestamp() as now')
  return row?.now.getTime() ?? 0
}
const tenMinutes = 600_000
// Far more than a query takes, far less than the clocks differ.
const slackMs = 60_000

describe.each([tenMinutes, -tenMinutes])('a process whose clock is wrong by %s ms', (offset) => {
  it('knows the database’s time', async () => {
    const child = fileURLToPath(new URL('clock-child.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [child, test.url, String(offset)])
    const { own, known } = JSON.parse(stdout)
    const now = await databaseTime()
    expect(Math.abs(known - now)).toBeLessThan(slackMs)
    expect(Math.abs(own - now)).toBeGreaterThan(tenMinutes - slackMs)
  })
})

it('the clock runs on between two queries and without the database, and never goes back', async () => {
  const clock = await startDatabaseClock(database.db)
  const first = clock.now()
  await database.close()
  const until = performance.now() + 5
  while (performance.now() < until);
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(first.getTime())
  clock.stop()
  database = openTestDatabase(test.url, 2)
})

it('a database that does not answer at the start is an error', async () => {
  const nowhere = openTestDatabase('postgres://x@127.0.0.1:1/x', 1)
  await expect(startDatabaseClock(nowhere.db)).rejects.toThrow('does not answer')
  await nowhere.close()
})
