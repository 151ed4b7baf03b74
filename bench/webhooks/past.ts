import pg from 'pg'
import { createMerchant } from '../../server/src/app/merchants/create-merchant.ts'
import type { Opened } from '../../server/src/wire/app.ts'
import { appendEvents, makeEndpoint } from '../../server/test/support/shop/webhook-shop.ts'
import { interleave, type Ratio } from '../measure.ts'

const rounds = 15
const cyclesEach = 40
const batch = 100_000

/**
 * Claims and saves single deliveries one after another, alternating between a database with many past deliveries and
 * one on the same server with none.
 */
export async function measureWithPast(old: Opened, fresh: Opened, count: number): Promise<Ratio> {
  const shops = { old: await openShop(old), fresh: await openShop(fresh) }
  for (let done = 0; done < count; done += batch) await loadPast(old, shops.old, batch)
  const cycle = (opened: Opened, shop: Shop) => () => cyclesPerSecond(opened, shop)
  await cycle(fresh, shops.fresh)()
  await cycle(old, shops.old)()
  const scansBefore = await scannedWhole(old)
  const ratio = await interleave(rounds, cycle(fresh, shops.fresh), cycle(old, shops.old))
  console.log(`  full table scans meanwhile: ${(await scannedWhole(old)) - scansBefore}`)
  return ratio
}

type Shop = { readonly merchantId: string; readonly endpointId: string }

async function openShop({ app }: Opened): Promise<Shop> {
  const { merchantId } = await createMerchant(app, { name: 'Bench' })
  // No receiver is called: only the database's part is measured.
  const { id } = await makeEndpoint(app, merchantId, 'http://127.0.0.1:9/hook')
  return { merchantId, endpointId: id }
}

async function cyclesPerSecond({ app }: Opened, { merchantId }: Shop): Promise<number> {
  const limits = { sound: 32, failing: 4, underWay: new Map(), full: [] }
  let spentMs = 0
  for (let n = 0; n < cyclesEach; n++) {
    await appendEvents(app, merchantId, 1)
    const began = performance.now()
    const [delivery] = await app.store.webhookDeliveries.claim(64, 5_000, limits)
    if (delivery === undefined) throw new Error('Nothing was due.')
    const { id: deliveryId, endpointId } = delivery
    const none = {
      retryInMs: null,
      disableReason: null,
      error: null,
      answer: null,
      signedAt: 0,
      signature: '',
    }
    const result = { deliveryId, endpointId, succeeded: true, statusCode: 200, durationMs: 1, ...none }
    await app.transaction((tx) => tx.webhookDeliveries.saveResults([result], 5))
    spentMs += performance.now() - began
  }
  return cyclesEach / (spentMs / 1000)
}

/** Old events with their deliveries and attempts, all completed. */
async function loadPast({ url }: Opened, { merchantId, endpointId }: Shop, count: number) {
  // Without triggers: the one for new events would create due deliveries, and the others would take hours.
  const client = new pg.Client({ connectionString: url.replace('://sluice:', '://postgres:') })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `with past as (
         insert into events (id, merchant_id, environment, event, data, created_at)
         select uuidv7(), $1, 'test', 'invoice.paid', jsonb_build_object('n', n, 'text', repeat('x', 300)),
           clock_timestamp() - interval '30 days'
         from generate_series(1, $3::integer) as n returning id
       ), sent as (
         insert into webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, created_at)
         select uuidv7(), id, $2, 'succeeded', 1, 1, null, clock_timestamp() - interval '30 days'
         from past returning id
       )
       insert into webhook_attempts (delivery_id, number, attempted_at, status_code, duration_ms)
       select id, 1, clock_timestamp() - interval '30 days', 200, 20 from sent`,
      [merchantId, endpointId, count],
    )
  } finally {
    await client.end()
  }
}

async function scannedWhole({ database }: Opened): Promise<number> {
  // Connections report their statistics about once a second.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  await database.pool.query('select 1')
  const { rows } = await database.pool.query<{ scans: string }>(
    `select sum(seq_scan) as scans from pg_stat_user_tables
     where relname in ('events', 'webhook_deliveries', 'webhook_attempts')`,
  )
  return Number(rows[0]?.scans)
}
