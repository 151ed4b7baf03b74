import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import {
  asSuperuser,
  createTestDatabase,
  onDatabase,
  query,
  type TestDatabase,
} from '../../support/database/database.ts'
import { runCommand } from '../../support/processes/run-command.ts'

let database: TestDatabase
let merchantId: string
beforeAll(async () => {
  database = await createTestDatabase()
  merchantId = JSON.parse((await sluice('merchant', 'create', '--name', 'Shop', '--json')).stdout).merchant_id
  for (const name of ['One', 'Two', 'Three'])
    await sluice('merchant', 'brand', '--merchant', merchantId, '--name', name)
})
afterAll(() => database.drop())

const sluice = (...args: readonly string[]) => runCommand(args, { DATABASE_URL: database.serviceUrl })

it('sluice audit prints each chain’s newest hash, and later detects a changed entry', async () => {
  const right = await sluice('audit', '--json')
  const { ok, audit_log: heads } = JSON.parse(right.stdout)
  expect([right.code, ok]).toEqual([0, true])
  expect(heads).toMatchObject([
    { chain: 'operator', number: 1 },
    { chain: merchantId, number: 3 },
  ])
  const kept = (heads as { chain: string; number: number; hash: string }[]).flatMap(
    ({ chain, number, hash }) => ['--kept', `${chain}:${number}:${hash}`],
  )
  expect((await sluice('audit', ...kept)).code).toBe(0)

  const superuser = onDatabase(
    asSuperuser(inject('postgresUrl')),
    database.url.slice(database.url.lastIndexOf('/') + 1),
  )
  await query(
    superuser,
    `set session_replication_role = 'replica'; update audit_entries set actor_name = 'nobody' where seq = 2`,
  )
  const wrong = await sluice('audit')
  expect(wrong.code).toBe(1)
  expect(wrong.stdout).toContain(
    `audit log of merchant ${merchantId}: entry 2 (settings.changed) was changed after it was written`,
  )
  const checked = await query<{ ok: boolean }>(database.url, 'select ok from audits order by id')
  expect(checked.map((each) => each.ok)).toEqual([true, true, false])
  expect((await sluice('audit', '--kept', 'operator')).code).toBe(1)
})
