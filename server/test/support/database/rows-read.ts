import pg from 'pg'
import type { Db } from '../../../src/store/sql.ts'

type Plan = {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** How many rows of which table the statements of `run` read. They are explained, then run on `db`. */
export async function rowsRead(
  url: string,
  db: Db,
  run: (explained: Db) => Promise<unknown>,
): Promise<Record<string, number>> {
  const client = new pg.Client(url)
  await client.connect()
  const read: Record<string, number> = {}
  const count = (plan: Plan) => {
    const table = plan['Relation Name']
    const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    if (table !== undefined) read[table] = (read[table] ?? 0) + rows
    for (const part of plan.Plans ?? []) count(part)
  }
  try {
    await run({
      ...db,
      async query(text, values) {
        // What it writes is taken back, so that it is written once.
        await client.query('begin')
        const { rows } = await client.query(`explain (analyze, format json) ${text}`, [...values])
        await client.query('rollback')
        count(rows[0]['QUERY PLAN'][0].Plan)
        return db.query(text, values)
      },
    })
  } finally {
    await client.end()
  }
  return read
}
