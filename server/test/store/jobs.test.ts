import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { storeOn } from '../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'
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
const work = () => storeOn(database.db).jobs
const claimMs = 60_000
const ids = (count: number) => Array.from({ length: count }, () => randomUUID())
const subjectsOf = (claimed: readonly { subject: string }[]) => claimed.map(({ subject }) => subject).sort()

/** Waits until somebody in this database waits for a lock. */
async function untilBlocked(): Promise<void> {
  const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await query(test.url, blocked)).length === 0);
}

it('what is claimed is claimed by one alone', async () => {
  const subjects = ids(100)
  await work().ask(kind, subjects, null)
  const claims = await Promise.all(Array.from({ length: 10 }, () => work().claim(kind, 10, claimMs)))
  expect(subjectsOf(claims.flat())).toEqual([...subjects].sort())
  expect(await work().claim(kind, 10, claimMs)).toEqual([])
})

it('asked for many times before it is done, it is one piece of jobs', async () => {
  const [subject = ''] = ids(1)
  await Promise.all(Array.from({ length: 10 }, () => work().ask(kind, [subject, subject], null)))
  const claimed = await work().claim(kind, 10, claimMs)
  expect(subjectsOf(claimed)).toEqual([subject])
  await work().finish(kind, claimed)
  expect(await work().claim(kind, 10, claimMs)).toEqual([])
})

it('asked for again while it is done, it can be claimed again at once when that is finished', async () => {
  const [subject = ''] = ids(1)
  await work().ask(kind, [subject], null)
  const claimed = await work().claim(kind, 10, claimMs)
  await work().ask(kind, [subject], null)
  expect(await work().claim(kind, 10, claimMs)).toEqual([])
  await work().finish(kind, claimed)
  expect(subjectsOf(await work().claim(kind, 10, claimMs))).toEqual([subject])
})

it('asked for again by one who commits while it is being finished, it can be claimed again at once', async () => {
  const [subject = ''] = ids(1)
  await work().ask(kind, [subject], null)
  const claimed = await work().claim(kind, 10, claimMs)
  const asked = signal()
  const commit = signal()
  const asking = database.transaction(async (tx) => {
    await storeOn(tx).jobs.ask(kind, [subject], null)
    asked.give()
    await commit.given
  })
  await asked.given
  const finishing = work().finish(kind, claimed)
  await untilBlocked()
  commit.give()
  await Promise.all([asking, finishing])
  expect(subjectsOf(await work().claim(kind, 10, claimMs))).toEqual([subject])
})

it('asked for by one who waits until it is finished, it is there again', async () => {
  const [subject = ''] = ids(1)
  await work().ask(kind, [subject], null)
  const claimed = await work().claim(kind, 10, claimMs)
  const finished = signal()
  const commit = signal()
  const finishing = database.transaction(async (tx) => {
    await storeOn(tx).jobs.finish(kind, claimed)
    finished.give()
    await commit.given
  })
  await finished.given
  const asking = work().ask(kind, [subject], null)
  await untilBlocked()
  commit.give()
  await Promise.all([asking, finishing])
  expect(subjectsOf(await work().claim(kind, 10, claimMs))).toEqual([subject])
})

it('one whose claim ran out does not finish what another was asked for since', async () => {
  const [subject = ''] = ids(1)
  await work().ask(kind, [subject], null)
  const stale = await work().claim(kind, 10, claimMs)
  await query(test.url, `update jobs set claimed_until = clock_timestamp() - interval '1 second'`)
  await work().ask(kind, [subject], null)
  const second = await work().claim(kind, 10, claimMs)
  await work().finish(kind, stale)
  expect(await query(test.url, 'select subject from jobs')).toEqual([{ subject }])
  await work().finish(kind, second)
  expect(await query(test.url, 'select subject from jobs')).toEqual([])
})

it('many ask for and finish the same without ever waiting for each other in a circle', async () => {
  const subjects = ids(30)
  let transactions = 0
  const inTransaction = (doing: (tx: ReturnType<typeof work>) => Promise<void>) =>
    database.transaction(async (tx) => {
      transactions++
      await doing(storeOn(tx).jobs)
    })
  const rounds = 15
  await Promise.all(
    Array.from({ length: 6 }, async (_, worker) => {
      for (let n = 0; n < rounds; n++) {
        await inTransaction((tx) => tx.ask(kind, worker % 2 ? subjects : subjects.toReversed(), null))
        const claimed = await work().claim(kind, 30, claimMs)
        const mixed = worker % 2 ? claimed : claimed.toReversed()
        await inTransaction((tx) => tx.finish(kind, mixed))
      }
    }),
  )
  expect(transactions).toBe(6 * rounds * 2)
})

it('put off, it is not due until then; asked for again, it is due at once', async () => {
  const [subject = ''] = ids(1)
  await work().ask(kind, [subject], null)
  await work().claim(kind, 10, claimMs)
  await work().postpone(kind, subject, 60_000)
  expect(await work().claim(kind, 10, claimMs)).toEqual([])
  await work().ask(kind, [subject], null)
  expect(await work().claim(kind, 10, claimMs)).toMatchObject([{ subject, attempts: 2 }])
})

it('what a gate has asked for is open for that gate, also when the clock had asked first', async () => {
  const [subject = ''] = ids(1)
  await work().ask(kind, [subject], null)
  expect(await work().isOpen('bitcoin-test')).toBe(false)
  await work().ask(kind, [subject], 'bitcoin-test')
  expect(await work().isOpen('bitcoin-test')).toBe(true)
  await work().ask(kind, [subject], null)
  expect(await work().isOpen('bitcoin-test')).toBe(true)
  await work().finish(kind, await work().claim(kind, 10, claimMs))
  expect(await work().isOpen('bitcoin-test')).toBe(false)
})

it('kinds of jobs are apart', async () => {
  const [subject = ''] = ids(1)
  await work().ask(kind, [subject], null)
  await work().ask('book_suspense', [subject], null)
  await work().finish(kind, await work().claim(kind, 10, claimMs))
  expect(await work().claim('book_suspense', 10, claimMs)).toHaveLength(1)
})

it('work asked for in a transaction that fails was never asked for', async () => {
  const asking = database.transaction(async (tx) => {
    await storeOn(tx).jobs.ask(kind, ids(3), null)
    throw new Error('never mind')
  })
  await expect(asking).rejects.toThrow('never mind')
  expect(await work().claim(kind, 10, claimMs)).toEqual([])
})
