import { appendFileSync, mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { type Db, type Result, Sql } from '../../../src/store/sql.ts'
import type { SeenRows } from './row-types.ts'

/** Records what PostgreSQL answers wherever the service reads rows, for the test of row types; one file per worker. */
const folder = process.env.SLUICE_TEST_ROWS ?? ''
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const recorded = /^server\/src\/(?!store\/sql\.ts)/

const state = Symbol.for('sluice.rows')
const prototype = Sql.prototype as Sql & { [state]?: { unwritten: SeenRows[] } }
// Loaded again for every test file, by a worker that keeps running.
prototype[state] ??= recordFrom(prototype)
const { unwritten } = prototype[state]

function recordFrom(statements: Sql): { unwritten: SeenRows[] } {
  const unwritten: SeenRows[] = []
  const recording = new WeakSet<Db['query']>()
  const known = new Set<string>()
  const note = (site: string, { fields, rows }: Result) => {
    const shape = fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`).join()
    const nulls = fields.filter(
      ({ name }) => !known.has(`${site} null ${name}`) && rows.some((row) => row[name] === null),
    )
    if (known.has(`${site} ${shape}`) && nulls.length === 0) return
    known.add(`${site} ${shape}`)
    for (const { name } of nulls) known.add(`${site} null ${name}`)
    unwritten.push({
      site,
      fields: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })),
      nulls: nulls.map(({ name }) => name),
    })
  }
  for (const method of ['rows', 'one', 'maybeOne'] as const) {
    const read = statements[method] as (this: Sql, db: Db) => Promise<never>
    statements[method] = function (db: Db) {
      // One reader may call another.
      if (recording.has(db.query)) return read.call(this, db)
      const query: Db['query'] = async (text, values) => {
        // Before the first wait, while the reader is still on the stack.
        const site = siteOf(text)
        const result = await db.query(text, values)
        if (site !== null) note(site, result)
        return result
      }
      recording.add(query)
      return read.call(this, { ...db, query })
    }
  }
  return { unwritten }
}

const askedOften = 20
const lastReads = new Map<string, { readonly site: string | null; readonly times: number }>()

/** Where a statement is read; one that was read at the same place many times in a row is taken to be read there again. */
function siteOf(text: string): string | null {
  const last = lastReads.get(text)
  if (last !== undefined && last.times === askedOften) return last.site
  const site = callerOf()
  lastReads.set(text, { site, times: last?.site === site ? last.times + 1 : 1 })
  return site
}

// By the place in the code that runs, which is cheap to ask for; finding its source line is not.
const sites = new Map<string, string | null>()

const maxFrames = 16
const isReader = (file: string | null | undefined) => /\/(record-rows|store\/sql)\.ts$/.test(file ?? '')

/** The caller of the reading function, as `path:line` in the source; null outside the service. */
function callerOf(): string | null {
  const { prepareStackTrace: print, stackTraceLimit } = Error
  let site: string | null = null
  Error.stackTraceLimit = maxFrames
  Error.prepareStackTrace = (error, frames) => {
    const at = frames.findIndex((frame) => !isReader(frame.getFileName()))
    const frame = frames[at]
    const place = `${frame?.getFileName()}:${frame?.getLineNumber()}:${frame?.getColumnNumber()}`
    if (!sites.has(place))
      sites.set(place, sourceOf(String(print?.(error, frames)).split('\n')[at + 1] ?? ''))
    site = sites.get(place) ?? null
    return ''
  }
  // Reading the stack is what has it prepared.
  new Error().stack
  Object.assign(Error, { prepareStackTrace: print, stackTraceLimit })
  return site
}

function sourceOf(frame: string): string | null {
  const [, path = '', line] = /(?:file:\/\/)?(\/[^()]*?):(\d+):\d+\)?$/.exec(frame) ?? []
  const file = relative(root, path)
  return recorded.test(file) ? `${file}:${line}` : null
}

afterAll(() => {
  mkdirSync(folder, { recursive: true })
  const lines = unwritten.splice(0).map((seen) => `${JSON.stringify(seen)}\n`)
  appendFileSync(join(folder, `${process.pid}`), lines.join(''))
})
