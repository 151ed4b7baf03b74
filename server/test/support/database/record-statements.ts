import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect } from 'vitest'

/**
 * Records every statement that the service sends, for another PostgreSQL to prepare; each worker appends to its own file.
 */
const folder = process.env.SLUICE_TEST_STATEMENTS ?? ''

type Send = (this: pg.Client, ...args: unknown[]) => unknown

const record = Symbol.for('sluice.statements')
const client = pg.Client.prototype as unknown as { query: Send; [record]?: Set<string> }
// Loaded again for every test file, by a worker that keeps running.
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

// The tests of statements and connections deliberately send nonsense, and use tables of their own.
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
