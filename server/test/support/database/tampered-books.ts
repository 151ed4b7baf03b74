import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { storeOn } from '../../../src/store/store.ts'
import { asSuperuser, letGo, onDatabase, query, runSql, type TestDatabase } from './database.ts'
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

/** Changes what must never change, bypassing every trigger and reference, and returns the id that the statement returns. */
async function tamper(url: string, statement: string): Promise<string> {
  const [row] = await query<Record<string, unknown>>(
    url,
    `with tampered as (${statement}) select * from tampered limit 1`,
  )
  if (row === undefined) throw new Error(`There are no rows to tamper with: ${statement}`)
  return String(Object.values(row)[0])
}

/** Audits a copy of the books in which something was changed. */
export async function auditTampered(books: TestDatabase, statement: string) {
  const server = asSuperuser(inject('postgresUrl'))
  const name = `tampered_${randomBytes(8).toString('hex')}`
  const source = books.url.slice(books.url.lastIndexOf('/') + 1)
  await letGo(source)
  await runSql(
    server,
    `create database ${name} template ${source}`,
    `alter database ${name} set session_replication_role = replica`,
  )
  try {
    const id = await tamper(onDatabase(server, name), statement)
    return { id, ...(await audit(onDatabase(server, name))) }
  } finally {
    await letGo(name)
    await runSql(server, `drop database ${name} with (force)`)
  }
}
