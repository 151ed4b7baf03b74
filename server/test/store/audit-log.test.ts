import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { verifyLog } from '../../src/app/audit/verify-log.ts'
import { type AuditHead, auditHash, operatorChain } from '../../src/domain/audit-log.ts'
import type { Database } from '../../src/store/database.ts'
import { type Store, storeOn } from '../../src/store/store.ts'
import {
  asSuperuser,
  createTestDatabase,
  onDatabase,
  query,
  runSql,
  type TestDatabase,
} from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

const entries = 5
const merchant = randomUUID()

let test: TestDatabase
let superuser: string
let database: Database
let store: Store
let whole: AuditHead[]
beforeAll(async () => {
  test = await createTestDatabase()
  superuser = onDatabase(asSuperuser(inject('postgresUrl')), test.url.slice(test.url.lastIndexOf('/') + 1))
  database = openTestDatabase(test.url, 2)
  store = storeOn(database.db)
  const by = { actor: 'user:ann', name: 'Ann "<b>"', ip: '192.0.2.1', userAgent: 'Browser/1' }
  for (let n = 1; n <= entries; n++)
    for (const chain of [merchant, operatorChain])
      await store.auditLog.append(chain, by, {
        environment: n % 2 === 0 ? 'live' : null,
        action: 'key.created',
        subject: `key ${n}`,
        details: { z: 'ä', amount: '0.10', n, flag: true, nothing: null, list: ['b', 'a'] },
      })
  whole = (await verifyLog({ store })).map(({ head }) => head)
  await runSql(
    superuser,
    'create table kept_entries as select * from audit_entries',
    'create table kept_heads as select * from audit_heads',
  )
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

/** What is broken after a superuser ran this statement on the database; the change is undone afterwards. */
async function brokenBy(statement: string, kept: readonly AuditHead[] = []) {
  const past = "set session_replication_role = 'replica'"
  await query(superuser, `${past}; ${statement}`)
  const found = await verifyLog({ store }, kept)
  await query(
    superuser,
    `${past}; truncate audit_entries, audit_heads; insert into audit_entries select * from kept_entries;
     insert into audit_heads select * from kept_heads`,
  )
  expect((await verifyLog({ store })).map(({ broken }) => broken)).toEqual([null, null])
  return found.filter(({ broken }) => broken !== null)
}

it('an untouched log is intact, and its newest hashes are those of the newest entries', async () => {
  const found = await verifyLog({ store }, whole)
  expect(found.map(({ merchantId, broken }) => [merchantId, broken])).toEqual([
    [null, null],
    [merchant, null],
  ])
  expect(found.map(({ head }) => head.seq)).toEqual([5n, 5n])
})

describe('a changed entry is detected, and the first broken entry is named', () => {
  it.each([
    ["at = at + interval '1 millisecond'"],
    ["actor = 'user:bob'"],
    ["actor_name = 'Bob'"],
    ['ip = null'],
    ["user_agent = 'Browser/2'"],
    ["environment = 'test'"],
    ["action = 'key.revoked'"],
    ["subject = 'key 9'"],
    [`details = details || '{"n": 4}'`],
    [`details = details - 'nothing'`],
    ["previous_hash = sha256('x')"],
    ["hash = sha256('x')"],
  ])('%s', async (change) => {
    const where = `where chain = '${merchant}' and seq = 3`
    const broken = await brokenBy(`update audit_entries set ${change} ${where}`)
    expect(broken).toMatchObject([{ merchantId: merchant, broken: expect.stringMatching(/^entry 3 /) }])
  })

  it('even if the entry got a matching hash, because the next entry does not follow it', async () => {
    const stored = await store.auditLog.list(merchant, {
      actor: null,
      action: null,
      from: null,
      to: null,
      limit: 5,
      offset: 0,
    })
    expect(stored.rows).toHaveLength(5)
    const third = stored.rows.find(({ seq }) => seq === 3n)
    if (third === undefined) throw new Error('there is no third entry')
    const hash = auditHash({ ...third, subject: 'key 9' }).toString('hex')
    const broken = await brokenBy(
      `update audit_entries set subject = 'key 9', hash = '\\x${hash}' where chain = '${merchant}' and seq = 3`,
    )
    expect(broken).toMatchObject([{ broken: expect.stringMatching(/^entry 4 does not follow/) }])
  })
})

describe('removed, added or moved entries are detected', () => {
  const own = `chain = '${merchant}'`
  it.each([
    [
      'one removed from the middle',
      `delete from audit_entries where ${own} and seq = 3`,
      /^entry 3 is missing/,
    ],
    ['the first removed', `delete from audit_entries where ${own} and seq = 1`, /^entry 1 is missing/],
    ['the last removed', `delete from audit_entries where ${own} and seq = 5`, /^entry 5 is missing/],
    [
      'the tail removed',
      `delete from audit_entries where ${own} and seq >= 3`,
      /^entry 3 is missing, .* up to 5/,
    ],
    ['all removed', `delete from audit_entries where ${own}`, /^entry 1 is missing/],
    ['the head removed', `delete from audit_heads where ${own}`, /its head is missing/],
    [
      'two swapped',
      `update audit_entries set seq = seq + 100 where ${own} and seq in (3, 4); update audit_entries set seq = 107 - seq where ${own} and seq > 100`,
      /^entry 3/,
    ],
    [
      'one moved from another chain',
      `update audit_entries set chain = '${merchant}', seq = 6 where chain = '${operatorChain}' and seq = 5`,
      /^entry (5|6) /,
    ],
    [
      'the tail removed and the head moved back',
      `delete from audit_entries where ${own} and seq = 5; update audit_heads set seq = 4 where ${own}`,
      /is not the recorded head/,
    ],
  ])('%s', async (_, statement, words) => {
    const broken = await brokenBy(statement)
    expect(broken.map(({ broken: what }) => what).join()).toMatch(
      new RegExp(words.source.replace(/^\^/, '(^|,)')),
    )
  })

  it('a removed tail with a corrected head is detected by a hash that was kept elsewhere', async () => {
    const cut = `delete from audit_entries where ${own} and seq = 5;
      update audit_heads set seq = 4, hash = (select hash from audit_entries where ${own} and seq = 4) where ${own}`
    expect(await brokenBy(cut)).toEqual([])
    const kept = whole.filter(({ chain }) => chain === merchant)
    expect(await brokenBy(cut, kept)).toMatchObject([{ broken: expect.stringContaining('you kept') }])
    const all = `delete from audit_entries where ${own}; delete from audit_heads where ${own}`
    expect(await brokenBy(all, kept)).toMatchObject([
      { broken: expect.stringContaining('the whole chain is missing') },
    ])
  })
})

it('entries are filtered by actor, action and time, newest first, with an exact total', async () => {
  const any = { actor: null, action: null, from: null, to: null, limit: 2, offset: 1 }
  const page = await store.auditLog.list(merchant, any)
  expect([page.rows.map(({ seq }) => seq), page.total]).toEqual([[4n, 3n], 5])
  const [, third] = page.rows
  const before = await store.auditLog.list(merchant, { ...any, offset: 0, to: third?.at ?? null })
  expect([before.rows[0]?.seq, before.total]).toEqual([2n, 2])
  expect((await store.auditLog.list(merchant, { ...any, actor: 'user:bob' })).total).toBe(0)
  expect((await store.auditLog.list(merchant, { ...any, action: 'key.created' })).total).toBe(5)
  expect((await store.auditLog.list(randomUUID(), any)).total).toBe(0)
})
