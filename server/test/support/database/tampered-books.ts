import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import type { Database } from '../../../src/store/database.ts'
import { storeOn } from '../../../src/store/store.ts'
import { asSuperuser, onDatabase, type TestDatabase } from './database.ts'
import { openTestDatabase } from './open-database.ts'

/** Audits the books of a database. */
export async function audit(url: string) {
  const opened = openTestDatabase(url, 1)
  try {
    return await auditBooks({ store: storeOn(opened.db) })
  } finally {
    await opened.close()
  }
}

// A connection that has run the audit before runs it three times as fast. Dropping the database ends it.
const kept = new WeakMap<TestDatabase, Database>()

function asOwnerOfAll(books: TestDatabase): Database {
  const name = books.url.slice(books.url.lastIndexOf('/') + 1)
  const opened = kept.get(books) ?? openTestDatabase(onDatabase(asSuperuser(books.url), name), 1)
  kept.set(books, opened)
  return opened
}

/**
 * Changes what must never change, bypassing every trigger and reference, and audits the books; then takes the change back.
 * Also returns the id that the statement returns.
 */
export async function auditTampered(books: TestDatabase, statement: string) {
  const undone = new Error('undone')
  let found: { id: string; ok: boolean; differences: string[] } | null = null
  await asOwnerOfAll(books)
    .db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica', [])
      const { rows } = await tx.query(`with tampered as (${statement}) select * from tampered limit 1`, [])
      const [row] = rows
      if (row === undefined) throw new Error(`There are no rows to tamper with: ${statement}`)
      const inHere = { ...tx, snapshot: <T>(work: (same: typeof tx) => Promise<T>) => work(tx) }
      found = { id: String(Object.values(row)[0]), ...(await auditBooks({ store: storeOn(inHere) })) }
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  if (found === null) throw new Error('The books were not audited.')
  return found as { id: string; ok: boolean; differences: string[] }
}
