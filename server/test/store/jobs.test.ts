import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { storeOn } from '../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'
import { rowsRead } from '../support/database/rows-read.ts'
import { signal } from '../support/nodes/scripted-gate.ts'

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 12)
})
beforeEach(() => query(test.url, 'delete from jobs'))
afterAll(async () => {
  await database.close()
  await test.drop()
})

const kind = 'assess_invoice'
const jobs = () => storeOn(database.db).jobs
const claimMs = 60_000
const ids = (count: number) => Array.from({ length: count }, () => randomUUID())
const subjectsOf = (claimed: readonly { subject: string }[]) => claimed.map(({ subject }) => subject).sort()

/** Waits until a connection to this database waits for a lock. */
async function untilBlocked(): Promise<void> {
  const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await query(test.url, blocked)).length === 0);
}

it('a job is claimed by only one worker', async () => {
  const subjects = ids(100)
  await jobs().ask(kind, subjects, null)
  const claims = await Promise.all(Array.from({ length: 10 }, () => jobs().claim(kind, 10, claimMs)))
  expect(subjectsOf(claims.flat())).toEqual([...subjects].sort())
  expect(await jobs().claim(kind, 10, claimMs)).toEqual([])
})

it('claiming 100 jobs reads only those, however many there are', async () => {
  await jobs().ask(kind, ids(4_000), null)
  await query(test.url, `update jobs set due_at = due_at - random() * interval '1 hour'`)
  await query(test.url, 'analyze jobs')
  const read = await rowsRead(test.url, database.db, (explained) =>
    storeOn(explained).jobs.claim(kind, 100, claimMs),
  )
  // Read to choose, to lock, and to update.
  expect(read.jobs).toBeLessThanOrEqual(400)
})

it('a job requested many times before it is done is one job', async () => {
  const [subject = ''] = ids(1)
  await Promise.all(Array.from({ length: 10 }, () => jobs().ask(kind, [subject, subject], null)))
  const claimed = await jobs().claim(kind, 10, claimMs)
  expect(subjectsOf(claimed)).toEqual([subject])
  await jobs().finish(kind, claimed)
  expect(await jobs().claim(kind, 10, claimMs)).toEqual([])
})

it('a job requested again while it runs can be claimed again once it is finished', async () => {
  const [subject = ''] = ids(1)
  await jobs().ask(kind, [subject], null)
  const claimed = await jobs().claim(kind, 10, claimMs)
  await jobs().ask(kind, [subject], null)
  expect(await jobs().claim(kind, 10, claimMs)).toEqual([])
  await jobs().finish(kind, claimed)
  expect(subjectsOf(await jobs().claim(kind, 10, claimMs))).toEqual([subject])
})

it('a job requested again in a transaction that commits while it is finished can be claimed again at once', async () => {
  const [subject = ''] = ids(1)
  await jobs().ask(kind, [subject], null)
  const claimed = await jobs().claim(kind, 10, claimMs)
  const asked = signal()
  const commit = signal()
  const asking = database.transaction(async (tx) => {
    await storeOn(tx).jobs.ask(kind, [subject], null)
    asked.give()
    await commit.given
  })
  await asked.given
  const finishing = jobs().finish(kind, claimed)
  await untilBlocked()
  commit.give()
  await Promise.all([asking, finishing])
  expect(subjectsOf(await jobs().claim(kind, 10, claimMs))).toEqual([subject])
})

it('a job requested by a caller that waits for its finish exists again afterwards', async () => {
  const [subject = ''] = ids(1)
  await jobs().ask(kind, [subject], null)
  const claimed = await jobs().claim(kind, 10, claimMs)
  const finished = signal()
  const commit = signal()
  const finishing = database.transaction(async (tx) => {
    await storeOn(tx).jobs.finish(kind, claimed)
    finished.give()
    await commit.given
  })
  await finished.given
  const asking = jobs().ask(kind, [subject], null)
  await untilBlocked()
  commit.give()
  await Promise.all([asking, finishing])
  expect(subjectsOf(await jobs().claim(kind, 10, claimMs))).toEqual([subject])
})

it('a worker whose claim expired does not finish a job that was requested since', async () => {
  const [subject = ''] = ids(1)
  await jobs().ask(kind, [subject], null)
  const stale = await jobs().claim(kind, 10, claimMs)
  await query(test.url, `update jobs set claimed_until = clock_timestamp() - interval '1 second'`)
  await jobs().ask(kind, [subject], null)
  const second = await jobs().claim(kind, 10, claimMs)
  await jobs().finish(kind, stale)
  expect(await query(test.url, 'select subject from jobs')).toEqual([{ subject }])
  await jobs().finish(kind, second)
  expect(await query(test.url, 'select subject from jobs')).toEqual([])
})

it('many workers request and finish the same jobs without a deadlock', async () => {
  const subjects = ids(30)
  let transactions = 0
  const inTransaction = (run: (tx: ReturnType<typeof jobs>) => Promise<void>) =>
    database.transaction(async (tx) => {
      transactions++
      await run(storeOn(tx).jobs)
    })
  const rounds = 15
  await Promise.all(
    Array.from({ length: 6 }, async (_, worker) => {
      for (let n = 0; n < rounds; n++) {
        await inTransaction((tx) => tx.ask(kind, worker % 2 ? subjects : subjects.toReversed(), null))
        const claimed = await jobs().claim(kind, 30, claimMs)
        const mixed = worker % 2 ? claimed : claimed.toReversed()
        await inTransaction((tx) => tx.finish(kind, mixed))
      }
    }),
  )
  expect(transactions).toBe(6 * rounds * 2)
})

it('a postponed job is not due until then, and is due at once when it is requested again', async () => {
  const [subject = ''] = ids(1)
  await jobs().ask(kind, [subject], null)
  await jobs().claim(kind, 10, claimMs)
  await jobs().postpone(kind, subject, 60_000)
  expect(await jobs().claim(kind, 10, claimMs)).toEqual([])
  await jobs().ask(kind, [subject], null)
  expect(await jobs().claim(kind, 10, claimMs)).toMatchObject([{ subject, attempts: 2 }])
})

it('a job that a gate has requested is open for that gate, even if the clock requested it first', async () => {
  const [subject = ''] = ids(1)
  await jobs().ask(kind, [subject], null)
  expect(await jobs().isOpen('bitcoin-test')).toBe(false)
  await jobs().ask(kind, [subject], 'bitcoin-test')
  expect(await jobs().isOpen('bitcoin-test')).toBe(true)
  await jobs().ask(kind, [subject], null)
  expect(await jobs().isOpen('bitcoin-test')).toBe(true)
  await jobs().finish(kind, await jobs().claim(kind, 10, claimMs))
  expect(await jobs().isOpen('bitcoin-test')).toBe(false)
})

it('kinds of jobs are independent', async () => {
  const [subject = ''] = ids(1)
  await jobs().ask(kind, [subject], null)
  await jobs().ask('book_suspense', [subject], null)
  await jobs().finish(kind, await jobs().claim(kind, 10, claimMs))
  expect(await jobs().claim('book_suspense', 10, claimMs)).toHaveLength(1)
})

it('a job requested in a transaction that fails does not exist', async () => {
  const asking = database.transaction(async (tx) => {
    await storeOn(tx).jobs.ask(kind, ids(3), null)
    throw new Error('never mind')
  })
  await expect(asking).rejects.toThrow('never mind')
  expect(await jobs().claim(kind, 10, claimMs)).toEqual([])
})
