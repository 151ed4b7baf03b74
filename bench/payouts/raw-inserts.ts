import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { uuidv7 } from '../../server/src/domain/ids.ts'
import type { RawInserters } from '../create-invoice/raw-inserts.ts'
import { withDatabase } from '../service.ts'

/** The baseline: each connection begins, inserts a payout and an event, and commits, again and again. */
export async function openRawInserters(
  databaseUrl: string,
  likeMerchantId: string,
  count: number,
): Promise<RawInserters> {
  const { payout, event, merchantId } = await model(databaseUrl, likeMerchantId)
  const insertPayout = insertText('payouts', Object.keys(payout))
  const insertEvent = insertText('events', Object.keys(event))
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      return client
    }),
  )

  async function insertOne(client: pg.Client): Promise<void> {
    const now = new Date()
    const id = uuidv7(now)
    const key = randomBytes(16).toString('base64url')
    const own = { id, merchant_id: merchantId, idempotency_key: key, created_at: now, updated_at: now }
    await client.query('begin')
    await client.query({
      name: 'payout',
      text: insertPayout,
      values: Object.values({ ...payout, ...own }),
    })
    const told = { id: uuidv7(now), merchant_id: merchantId, data: JSON.stringify(event.data) }
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

/** A row of each table as the service writes it, to be repeated for another merchant. */
async function model(databaseUrl: string, likeMerchantId: string) {
  return withDatabase(databaseUrl, async (client) => {
    const { rows: payouts } = await client.query(
      'select * from payouts where merchant_id = $1 order by position desc limit 1',
      [likeMerchantId],
    )
    const { rows: events } = await client.query(
      'select id, merchant_id, environment, event, data from events where merchant_id = $1 order by position desc limit 1',
      [likeMerchantId],
    )
    const merchantId = uuidv7(new Date())
    await client.query('insert into merchants (id, name) values ($1, $2)', [merchantId, 'Raw inserts'])
    const { position: _, ...payout } = payouts[0] as Record<string, unknown>
    return { payout, event: events[0] as Record<string, unknown>, merchantId }
  })
}

function insertText(table: string, columns: readonly string[]): string {
  const places = columns.map((_, at) => `$${at + 1}`)
  return `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`
}
