import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { uuidv7 } from '../../server/src/domain/ids.ts'
import { withDatabase } from '../service.ts'

export type RawInserters = { perSecond(seconds: number): Promise<number>; close(): Promise<void> }

/** The baseline: each connection begins, inserts an invoice and an event, and commits, again and again. */
export async function openRawInserters(
  databaseUrl: string,
  likeMerchantId: string,
  count: number,
): Promise<RawInserters> {
  const { invoice, event, merchantId } = await model(databaseUrl, likeMerchantId)
  const invoiceColumns = Object.keys(invoice)
  const eventColumns = Object.keys(event)
  const insertInvoice = insertText('invoices', invoiceColumns)
  const insertEvent = insertText('events', eventColumns)
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      return client
    }),
  )
  let position = 0

  async function insertOne(client: pg.Client): Promise<void> {
    const now = new Date()
    const id = uuidv7(now)
    const link = randomBytes(16).toString('base64url')
    const key = `${link}-key`
    const own = {
      ...{ id, merchant_id: merchantId, keychain: 'raw', deposit_position: ++position },
      ...{ link, idempotency_key: key, created_at: now, updated_at: now },
    }
    const data = { ...(event.data as object), id, idempotency_key: key }
    await client.query('begin')
    await client.query({
      name: 'invoice',
      text: insertInvoice,
      values: Object.values({ ...invoice, ...own }),
    })
    await client.query({
      name: 'event',
      text: insertEvent,
      values: Object.values({
        ...event,
        id: uuidv7(now),
        merchant_id: merchantId,
        data: JSON.stringify(data),
      }),
    })
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

/** A row of each table as the service writes it, to be repeated for another merchant. */
async function model(databaseUrl: string, likeMerchantId: string) {
  return withDatabase(databaseUrl, async (client) => {
    const { rows: invoices } = await client.query(
      'select * from invoices where merchant_id = $1 order by position desc limit 1',
      [likeMerchantId],
    )
    const { rows: events } = await client.query(
      'select id, merchant_id, environment, event, data from events where merchant_id = $1 order by position desc limit 1',
      [likeMerchantId],
    )
    const merchantId = uuidv7(new Date())
    await client.query('insert into merchants (id, name) values ($1, $2)', [merchantId, 'Raw inserts'])
    const { position: _, ...invoice } = invoices[0] as Record<string, unknown>
    return { invoice, event: events[0] as Record<string, unknown>, merchantId }
  })
}

function insertText(table: string, columns: readonly string[]): string {
  const places = columns.map((_, at) => `$${at + 1}`)
  return `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`
}
