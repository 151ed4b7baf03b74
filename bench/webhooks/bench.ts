/**
 * The cost of sending webhooks: deliveries per second by one worker compared with a bare loop that posts the same
 * signed bodies over kept-alive connections; how long after a block its `invoice.paid` arrives; and whether past
 * deliveries matter (`SLUICE_BENCH_PAST` events, a million by default).
 */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '../../server/src/app/app.ts'
import { createMerchant } from '../../server/src/app/merchants/create-merchant.ts'
import { createLog } from '../../server/src/log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts'
import { readSettings } from '../../server/src/settings/settings.ts'
import { type Opened, openApp } from '../../server/src/wire/app.ts'
import { Closers } from '../../server/src/wire/closers.ts'
import { onDatabase, runSql } from '../../server/test/support/database/database.ts'
import { makeTemporaryFolder } from '../../server/test/support/processes/temporary-folder.ts'
import { makeEndpoint, webhookEnv } from '../../server/test/support/shop/webhook-shop.ts'
import { startServer } from '../load.ts'
import type { Ratio } from '../measure.ts'
import { measureDelays } from './delays.ts'
import { measureWithPast } from './past.ts'
import { postAll } from './raw-loop.ts'

const rounds = 5
const perRound = 5_000
const concurrency = 32
const sluice = join(import.meta.dirname, '../../server/bin/sluice.mjs')

export async function run(): Promise<Record<string, Ratio>> {
  const folder = await makeTemporaryFolder('sluice-bench-', 'disk')
  const closers = new Closers()
  try {
    const dataDir = join(folder.path, 'postgres')
    const postgres = await startEmbeddedPostgres({ dataDir, purpose: 'service', log: () => {} })
    closers.add(() => postgres.stop())
    const config = join(folder.path, 'config.json')
    const limits = { key_per_minute: 1_000_000, ip_per_minute: 1_000_000 }
    await writeFile(config, JSON.stringify({ limits, rates: { sources: [] } }))
    const env = {
      SLUICE_CONFIG: config,
      DATABASE_URL: postgres.url,
      DATABASE_MIGRATION_URL: postgres.ownerUrl,
      SLUICE_DATA_DIR: folder.path,
      SLUICE_SANDBOX_BLOCK_SECONDS: '0',
      PORT: '0',
      SLUICE_METRICS_PORT: '0',
      ...webhookEnv,
    }
    const log = createLog('silent', { write: () => {} })
    const opened = await openApp(readSettings(env), 'command', log, closers)
    const receiver = await startServer<{ url: string }>([join(import.meta.dirname, 'receiver.ts')], {})
    closers.add(() => receiver.stop())
    const { url } = receiver.ready

    console.log('invoice.paid, from the block to the receiver')
    await withSluice([], env, (service) => measureDelays(opened, service, url))
    console.log('deliveries by one worker')
    const sent = await withSluice(['--role', 'worker'], env, () => compareSending(opened, url))
    const count = Number(process.env.SLUICE_BENCH_PAST ?? 1_000_000)
    console.log(`claiming and saving, with ${count} past events`)
    const fresh = await openApp(
      readSettings({ ...env, ...(await anotherDatabase(postgres)) }),
      'command',
      log,
      closers,
    )
    const past = await measureWithPast(opened, fresh, count)
    return {
      'webhooks: deliveries (at least 0.50)': sent,
      'webhooks: a delivery after many past events (about 1)': past,
    }
  } finally {
    await closers.close()
    await folder.remove()
  }
}

/** An empty database beside the given one. */
async function anotherDatabase({ url, ownerUrl, superuserUrl }: EmbeddedPostgres) {
  await runSql(superuserUrl, 'create database bench_fresh owner sluice')
  return {
    DATABASE_URL: onDatabase(url, 'bench_fresh'),
    DATABASE_MIGRATION_URL: onDatabase(ownerUrl, 'bench_fresh'),
  }
}

async function withSluice<T>(
  args: readonly string[],
  env: Record<string, string>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const service = await startServer<{ url: string }>([sluice, 'start', '--json', ...args], env)
  try {
    return await work(service.ready.url)
  } finally {
    await service.stop()
  }
}

type Arrival = readonly [id: string, at: number]

async function compareSending({ app, database }: Opened, receiverUrl: string): Promise<Ratio> {
  const { merchantId } = await createMerchant(app, { name: 'Bench' })
  const { secret } = await makeEndpoint(app, merchantId, `${receiverUrl}/hook`)
  const measured: Ratio[] = []
  // One extra round: the first warms both sides up.
  for (let round = 0; round <= rounds; round++) {
    await fetch(`${receiverUrl}/forget`)
    const messages = await append(app, database.pool, merchantId)
    const ours = perSecond(await arrivalsOf(receiverUrl, perRound))
    await fetch(`${receiverUrl}/forget`)
    await postAll(`${receiverUrl}/hook`, messages, secret, concurrency)
    const baseline = perSecond(await arrivalsOf(receiverUrl, perRound))
    const ratio = ours / baseline
    if (round === 0) continue
    console.log(
      `  round ${round}: ${ours.toFixed(0)}/s against ${baseline.toFixed(0)}/s, ${ratio.toFixed(2)}`,
    )
    measured.push({ ours, baseline, ratio })
  }
  const middle = measured.sort((a, b) => a.ratio - b.ratio)[Math.floor(rounds / 2)]
  if (middle === undefined) throw new Error('no rounds')
  return middle
}

/** Appends a round's events at once and returns the messages that the worker sends for them. */
async function append(app: App, pool: Opened['database']['pool'], merchantId: string) {
  const { rows } = await pool.query<{ id: string; event: string; created_at: Date; data: string }>(
    `insert into events (id, merchant_id, environment, event, data)
     select gen_random_uuid(), $1, 'test', 'invoice.paid', $2::jsonb || jsonb_build_object('n', n)
     from generate_series(1, $3) as n returning id, event, created_at, data::text as data`,
    [merchantId, JSON.stringify(invoiceLike(app)), perRound],
  )
  return rows.map(({ id, event, created_at, data }) => {
    const head = { id: `evt_${id}`, event, created_at: created_at.toISOString(), environment: 'test' }
    return { id: head.id, body: `${JSON.stringify(head).slice(0, -1)},"data":${data}}` }
  })
}

/** Roughly the size of an invoice. */
function invoiceLike(app: App): object {
  const names = ['status', 'currency', 'network', 'amount', 'amount_received', 'base_currency', 'base_amount']
  const fields = names.map((name) => [name, 'about ten characters'])
  const moments = ['created_at', 'expires_at', 'paid_at'].map((name) => [name, app.now().toISOString()])
  return Object.fromEntries([
    ['id', randomUUID()],
    ...fields,
    ...moments,
    ['metadata', { text: 'x'.repeat(300) }],
  ])
}

async function arrivalsOf(url: string, count: number): Promise<Arrival[]> {
  for (;;) {
    const arrivals = (await (await fetch(url)).json()) as Arrival[]
    if (new Set(arrivals.map(([id]) => id)).size >= count) return arrivals
    await delay(200)
  }
}

function perSecond(arrivals: readonly Arrival[]): number {
  const times = arrivals.map(([, at]) => at)
  const [first = 0] = times
  return times.length / (((times.at(-1) ?? 0) - first) / 1000)
}
