import pg from 'pg'
import { createMerchant } from '../../server/src/app/merchants/create-merchant.ts'
import type { Opened } from '../../server/src/wire/app.ts'
import { appendEvents, makeEndpoint } from '../../server/test/support/webhook-shop.ts'
import { median, type Ratio } from '../measure.ts'

const rounds = 9
const cyclesEach = 60
const batch = 100_000

/**
 * Claims and saves single deliveries one after another, before and after many past events were sent. Loading them takes
 * long enough for the machine to be another one afterwards, so each is counted against bare transactions of the same
 * moment.
 */
export async function measureWithPast(opened: Opened, count: number): Promise<Ratio> {
  const { app } = opened
  const { merchantId } = await createMerchant(app, { name: 'Bench' })
  // Nobody is asked: only what the database does is measured.
  const { id } = await makeEndpoint(app, merchantId, 'http://127.0.0.1:9/hook')
  await opened.database.pool.query('create table bench_commits (n integer)')
  await againstBareCommits(opened, merchantId)
  const baseline = await againstBareCommits(opened, merchantId)
  for (let done = 0; done < count; done += batch) await loadPast(opened, merchantId, id, batch)
  await againstBareCommits(opened, merchantId)
  const scansBefore = await scannedWhole(opened)
  const ours = await againstBareCommits(opened, merchantId)
  const scans = (await scannedWhole(opened)) - scansBefore
  console.log(`  tables read from end to end meanwhile: ${scans}`)
  return { ours, baseline, ratio: ours / baseline, unit: 'deliveries a bare commit' }
}

async function againstBareCommits(opened: Opened, merchantId: string): Promise<number> {
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const bareMs = await spentMs(() => bareCommit(opened))
    ratios.push(bareMs / (await spentMs((begun) => deliverOne(opened, merchantId, begun))))
  }
  return median(ratios)
}

async function spentMs(work: (begun: () => void) => Promise<void>): Promise<number> {
  let sum = 0
  for (let n = 0; n < cyclesEach; n++) {
    let began = performance.now()
    await work(() => {
      began = performance.now()
    })
    sum += performance.now() - began
  }
  return sum
}

async function bareCommit({ database }: Opened): Promise<void> {
  await database.pool.query('insert into bench_commits values (1)')
}

async function deliverOne({ app }: Opened, merchantId: string, begun: () => void): Promise<void> {
  await appendEvents(app, merchantId, 1)
  begun()
  const limits = { sound: 32, failing: 4, underWay: new Map(), full: [] }
  const [delivery] = await app.store.webhookDeliveries.claim(64, 5_000, limits)
  if (delivery === undefined) throw new Error('Nothing was due.')
  const { id: deliveryId, endpointId } = delivery
  const none = { retryInMs: null, disableReason: null, error: null, answer: null }
  const result = { deliveryId, endpointId, succeeded: true, statusCode: 200, durationMs: 1, ...none }
  await app.transaction((tx) => tx.webhookDeliveries.saveResults([result], 5))
}

/** Events of long ago with their deliveries and attempts, all done. */
async function loadPast({ url }: Opened, merchantId: string, endpointId: string, count: number) {
  // Without triggers: that of new events would make deliveries that are due, and the others would take hours.
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
  // Connections report what they did about once a second.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  await database.pool.query('select 1')
  const { rows } = await database.pool.query<{ scans: string }>(
    `select sum(seq_scan) as scans from pg_stat_user_tables
     where relname in ('events', 'webhook_deliveries', 'webhook_attempts')`,
  )
  return Number(rows[0]?.scans)
}
