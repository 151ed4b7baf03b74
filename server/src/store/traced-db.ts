import { currentSpan, type Span, sharingSpans, type Tracer } from '../tracing/span.ts'
import { inSpan } from '../tracing/tracer.ts'
import { tableWrites } from './privileges.ts'
import type { Db } from './sql.ts'

const maxSummaries = 8
const maxKnown = 1_000

/**
 * The same Db, with a span for each statement and each transaction that a traced request or job runs. It says which tables
 * are used and how, never a statement's text or its values.
 */
export function tracedDb(db: Db, tracer: Tracer): Db {
  async function inside<T>(
    name: string,
    work: (span: Span) => Promise<T>,
    alone: () => Promise<T>,
  ): Promise<T> {
    const parent = currentSpan()
    if (parent === null) return alone()
    const options = {
      kind: 'client',
      parent: parent.context,
      links: sharingSpans().map(({ context }) => context),
      attributes: { 'db.system.name': 'postgresql' },
    } as const
    return inSpan(tracer, name, options, work)
  }

  function transacting<T>(begin: Db['transaction'], work: (tx: Db) => Promise<T>): Promise<T> {
    return inside(
      'transaction',
      (span) => {
        const summaries = new Set<string>()
        let statements = 0
        return begin(async (tx) => {
          const noted: Db = {
            isTransaction: true,
            query(text, values) {
              statements += 1
              if (summaries.size < maxSummaries) summaries.add(summaryOf(text))
              return tx.query(text, values)
            },
            transaction: tx.transaction,
            snapshot: tx.snapshot,
          }
          return work(noted)
        }).finally(() => {
          span.set('sluice.statements', statements)
          span.set('db.query.summary', [...summaries].join(', '))
        })
      },
      () => begin(work),
    )
  }

  return {
    isTransaction: false,
    query: (text, values) => {
      if (currentSpan() === null) return db.query(text, values)
      const summary = summaryOf(text)
      return inside(
        summary,
        (span) => {
          span.set('db.query.summary', summary)
          return db.query(text, values)
        },
        () => db.query(text, values),
      )
    },
    transaction: (work) => transacting(db.transaction, work),
    snapshot: (work) => transacting(db.snapshot, work),
  }
}

const known = new Map<string, string>()

/**
 * A statement in two words, what it does and to which table: `insert events`. The table is one of ours, so that nothing of
 * a statement's text can come along.
 */
export function summaryOf(text: string): string {
  const kept = known.get(text)
  if (kept !== undefined) return kept
  const summary = describe(text)
  if (known.size < maxKnown) known.set(text, summary)
  return summary
}

const writing = /\b(insert into|update|delete from)\s+([a-z_]+)/gi
const reading = /\b(?:from|join)\s+([a-z_]+)/gi
const verbs: Record<string, string> = { 'insert into': 'insert', update: 'update', 'delete from': 'delete' }

function describe(text: string): string {
  for (const [, verb = '', table = ''] of text.matchAll(writing))
    if (tableWrites.has(table)) return `${verbs[verb.toLowerCase()]} ${table}`
  for (const [, table = ''] of text.matchAll(reading)) if (tableWrites.has(table)) return `select ${table}`
  return 'statement'
}
