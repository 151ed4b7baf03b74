import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Agenda, farOffMs } from '../../src/store/agenda.ts'
import type { Database } from '../../src/store/database.ts'
import { type Store, storeOn } from '../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

let test: TestDatabase
let database: Database
let store: Store
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 2)
  store = storeOn(database.db)
})
beforeEach(() => query(test.url, 'delete from jobs'))
afterAll(async () => {
  await database.close()
  await test.drop()
})

const nothing: Agenda = {
  payouts: farOffMs,
  spends: farOffMs,
  refusals: farOffMs,
  invoices: farOffMs,
  jobs: farOffMs,
  mails: farOffMs,
  policyChanges: farOffMs,
  deliveries: farOffMs,
  refills: farOffMs,
}
const read = () => store.agenda.read(1_000)

it('is empty where nothing waits', async () => {
  expect(await read()).toEqual(nothing)
})

it.each([
  ['assess_invoice', 'jobs'],
  ['book_suspense', 'jobs'],
  ['send_mail', 'mails'],
] as const)('knows when a job of kind %s is due, and when a claim on it ends', async (kind, entry) => {
  await store.jobs.ask(kind, [randomUUID()], null)
  const { [entry]: due, ...others } = await read()
  expect(due).toBeLessThanOrEqual(0)
  expect(others).toEqual({ ...nothing, [entry]: undefined })

  const [job] = await store.jobs.claim(kind, 1, 20_000)
  const { [entry]: claimed } = await read()
  expect(claimed).toBeGreaterThan(0)
  expect(claimed).toBeLessThanOrEqual(20_000)

  await store.jobs.postpone(kind, job?.subject ?? '', 40_000)
  const { [entry]: postponed } = await read()
  expect(postponed).toBeGreaterThan(20_000)
  expect(postponed).toBeLessThanOrEqual(40_000)
})

it('sees a job that is free behind one that is claimed', async () => {
  await store.jobs.ask('assess_invoice', [randomUUID()], null)
  await store.jobs.claim('assess_invoice', 1, 20_000)
  await store.jobs.ask('assess_invoice', [randomUUID()], null)
  expect((await read()).jobs).toBeLessThanOrEqual(0)
})

it('reads on past something that has been due for years', async () => {
  await store.jobs.ask('send_mail', [randomUUID()], null)
  await query(test.url, `update jobs set due_at = clock_timestamp() - interval '9 years'`)
  expect((await read()).mails).toBeLessThanOrEqual(0)
})
