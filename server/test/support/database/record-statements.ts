import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect } from 'vitest'

/** Every statement that the service sends, for another PostgreSQL to prepare; the file of each worker is added to. */
const folder = process.env.SLUICE_TEST_STATEMENTS ?? ''

type Send = (this: pg.Client, ...args: unknown[]) => unknown

const record = Symbol.for('sluice.statements')
const client = pg.Client.prototype as unknown as { query: Send; [record]?: Set<string> }
// Loaded anew for every file, by a worker that stays.
client[record] ??= recordFrom(client)
const seen = client[record]
const before = seen.size

function recordFrom(sender: { query: Send }): Set<string> {
  const statements = new Set<string>()
  const send = sender.query
  sender.query = function (...args) {
    const [config] = args as [{ text?: unknown } | string | undefined]
    // Tests send plain strings; the service's pool sends objects.
    if (typeof config === 'object' && typeof config.text === 'string') statements.add(config.text)
    return send.apply(this, args)
  }
  return statements
}

// The tests of statements and connections themselves send nonsense on purpose, and to tables of their own.
const isOfConnections = /\/store\/(database|sql)\.test\.ts$/

afterAll(() => {
  const fresh = [...seen].slice(before)
  if (isOfConnections.test(expect.getState().testPath ?? '')) {
    for (const statement of fresh) seen.delete(statement)
    return
  }
  mkdirSync(folder, { recursive: true })
  appendFileSync(
    join(folder, `${process.pid}`),
    fresh.map((statement) => `${JSON.stringify(statement)}\n`).join(''),
  )
})
