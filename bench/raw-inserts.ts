import pg from 'pg'
import { uuidv7 } from '../server/src/domain/ids.ts'
import { withDatabase } from './service.ts'

export type RawInserters = { perSecond(seconds: number): Promise<number>; close(): Promise<void> }

type Row = Record<string, unknown>

/** The baseline: each connection begins, inserts a row of `table` and an event, and commits, again and again. */
export async function openRawInserters(options: {
  databaseUrl: string
  table: 'invoices' | 'payouts'
  /** The merchant whose newest row and event are copied, for a new merchant. */
  likeMerchantId: string
  connections: number
  /** The columns that must be unique, besides ids and times. */
  unique: () => Row
}): Promise<RawInserters> {
  const { databaseUrl, table, unique } = options
  const { row, event, merchantId } = await model(databaseUrl, table, options.likeMerchantId)
  const insertRow = insertText(table, Object.keys(row))
  const insertEvent = insertText('events', Object.keys(event))
  const clients = await Promise.all(
    Array.from({ length: options.connections }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      return client
    }),
  )

  async function insertOne(client: pg.Client): Promise<void> {
    const now = new Date()
    const own = { ...unique(), id: uuidv7(now), merchant_id: merchantId, created_at: now, updated_at: now }
    const told = {
      id: uuidv7(now),
      merchant_id: merchantId,
      data: JSON.stringify({ ...(event.data as object), id: own.id }),
    }
    await client.query('begin')
    await client.query({ name: 'row', text: insertRow, values: Object.values({ ...row, ...own }) })
    await client.query({ name: 'event', text: insertEvent, values: Object.values({ ...event, ...told }) })
    await client.query('commit')
  }

  return {
    async perSecond(seconds) {
      const startedAt = performance.now()
      const endsAt = startedAt + seconds * 1000
      let inserted = 0
      await Promise.all(
        clients.map(async (client) => {
          while (performance.now() < endsAt) {
            await insertOne(client)
            inserted++
          }
        }),
      )
      return inserted / ((performance.now() - startedAt) / 1000)
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}

/** A row of each table as the service writes it. */
async function model(databaseUrl: string, table: string, likeMerchantId: string) {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `select * from ${table} where merchant_id = $1 order by position desc limit 1`,
      [likeMerchantId],
    )
    const { rows: events } = await client.query(
      'select id, merchant_id, environment, event, data from events where merchant_id = $1 order by position desc limit 1',
      [likeMerchantId],
    )
    const merchantId = uuidv7(new Date())
    await client.query('insert into merchants (id, name) values ($1, $2)', [merchantId, 'Raw inserts'])
    const { position: _, ...row } = rows[0] as Row
    return { row, event: events[0] as Row, merchantId }
  })
}

function insertText(table: string, columns: readonly string[]): string {
  const places = columns.map((_, at) => `$${at + 1}`)
  return `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`
}
