import { expect } from 'vitest'
import { type Figures, readFigures } from '../../../src/app/operator/read-figures.ts'
import { fixedRateBook } from '../../../src/app/rates/rate-book.ts'
import { createMetrics } from '../../../src/http/metrics.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { type Db, sql } from '../../../src/store/sql.ts'
import { storeOn } from '../../../src/store/store.ts'
import { addFigureMetrics } from '../../../src/wire/figure-metrics.ts'
import { eventually } from '../servers/hook-receiver.ts'
import { coldKeyOn } from './cold.ts'
import { attemptsOf, newAddress, payOutTo } from './money-out.ts'
import { startTestService, type TestService } from './service.ts'
import { openShop, quiet, type Shop } from './shop.ts'

/** A service in which much is wrong at once. */
export type Troubled = {
  readonly service: TestService
  readonly shop: Shop
  /** The figures while this holds in the database. Nothing of it is committed, so no loop of the service can mend it. */
  figuresWith(plant: (db: Db) => Promise<unknown>): Promise<Figures>
  /** What Prometheus gets from the service as it is. */
  served(): Promise<string>
  stop(): Promise<void>
}

const metricsHost = '127.0.0.2'
const nowhere = 'http://127.0.0.1:1'

export async function startTroubled(): Promise<Troubled> {
  const service = await startTestService({
    env: { ...quiet.env, SLUICE_METRICS_HOST: metricsHost },
    config: {
      ...quiet.config,
      rates: { sources: ['kraken'], base_urls: { kraken: nowhere } },
      cold: [
        {
          network: 'bitcoin',
          environment: 'test',
          destination: coldKeyOn('test'),
          cap: '1000000.00',
          currency: 'USD',
        },
      ],
      gates: [
        {
          network: 'ethereum',
          environment: 'test',
          kind: 'evm',
          rpc_urls: [nowhere, 'http://127.0.0.2:1'],
          chain_id: 31_337,
        },
      ],
    },
  })
  const shop = await openShop(service)
  await shop.fund('1')
  const sent = await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.1' })
  await eventually(async () =>
    expect((await attemptsOf(service, sent)).at(-1)?.sent_at ?? null).not.toBeNull(),
  )
  await eventually(() => expect(service.app.gates.status('ethereum-test')).toMatchObject({ online: false }))
  await shop.fund('1', 'LTC', 'litecoin')
  for (const [currency, network] of [
    ['BTC', 'bitcoin'],
    ['LTC', 'litecoin'],
  ] as const)
    await shop.payOut({ currency, network, amount: '0.1', destination: await newAddress(network) })
  const owner = openDatabase(service.database.url, {
    maxConnections: 1,
    waitMs: 60_000,
    onIdleError: () => {},
  })
  const rates = fixedRateBook(service.app.assets, service.app.now)
  return {
    service,
    shop,
    async figuresWith(plant) {
      let figures: Figures | null = null
      await owner
        .transaction(async (db) => {
          await plant(db)
          figures = await readFigures({ ...service.app, rates, store: storeOn(db) })
          throw new RolledBack()
        })
        .catch((error: unknown) => {
          if (!(error instanceof RolledBack)) throw error
        })
      if (figures === null) throw new Error('nothing was read')
      return figures
    },
    async served() {
      const { port } = service.logged.find(({ msg }) => String(msg).startsWith('metrics are served')) ?? {}
      return (await fetch(`http://${metricsHost}:${port}/metrics`)).text()
    },
    async stop() {
      await owner.close()
      await service.stop()
    },
  }
}

class RolledBack extends Error {}

/** The same figures as Prometheus would get them. */
export async function asMetrics(figures: Figures): Promise<string> {
  const metrics = createMetrics()
  addFigureMetrics(metrics, async () => figures, { rateSources: ['kraken'], currencies: ['BTC'] })
  return metrics.text()
}

/** Everything that can go wrong at once, as far as the database shows it. */
export async function plantTrouble(db: Db, shop: Shop): Promise<void> {
  const at = (seconds: number) => sql`clock_timestamp() - ${seconds} * interval '1 second'`
  await sql`
    update followed_chains set halted_at = clock_timestamp(), halt_reason = 'too deep' where gate_id = 'litecoin-test'`.run(
    db,
  )
  await sql`
    insert into gate_progress as known (gate_id, at_end_at, behind, trouble, trouble_kind, trouble_since)
    values ('ethereum-test', ${at(3_600)}, 12, 'no answer', 'outage', ${at(600)})
    on conflict (gate_id) do update set at_end_at = excluded.at_end_at, behind = 12, trouble = excluded.trouble,
      trouble_kind = excluded.trouble_kind, trouble_since = excluded.trouble_since`.run(db)
  await sql`
    update payouts set status = 'approved', approved_at = ${at(7_300)}, executable_at = ${at(7_200)}
    where gate_id = 'litecoin-test'`.run(db)
  await plantWebhooks(db, shop)
  await sql`
    insert into jobs (kind, subject, due_at, attempts) values ('send_mail', gen_random_uuid(), ${at(900)}, 6)`.run(
    db,
  )
  await sql`
    insert into payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address,
      suspense_reason, required_confirmations, seen_at, waiting)
    values (gen_random_uuid(), 'bitcoin-test', 'ff', 0, 'test', 'BTC', 'bitcoin', 8, 100, 'elsewhere', 'dust', 1, ${at(60)},
      true)`.run(db)
  await sql`
    insert into ledger_accounts (kind, environment, network, currency, decimals, balance_units)
    values ('suspense', 'test', 'bitcoin', 'BTC', 8, 150000000), ('float', 'test', 'litecoin', 'LTC', 8, -100)`.run(
    db,
  )
  await sql`
    insert into hot_balances (gate_id, currency, units) values ('litecoin-test', 'LTC', 100) on conflict do nothing`.run(
    db,
  )
  await sql`
    insert into rates (currency, fiat_currency, rate_scaled, sources, updated_at)
    values ('BTC', 'USD', 50000000000000000000000, '{kraken}', ${at(400)})`.run(db)
  await sql`
    insert into rate_sources (source, due_at) values ('kraken', clock_timestamp()), ('coinbase', clock_timestamp())
    on conflict do nothing`.run(db)
  await sql`
    insert into rate_quotes (source, currency, fiat_currency, rate_scaled, fetched_at)
    values ('kraken', 'BTC', 'USD', 1, ${at(400)}), ('coinbase', 'BTC', 'USD', 1, ${at(400)})`.run(db)
  await sql`insert into float_alerts (gate_id, low_since) values ('litecoin-test', ${at(1_800)})`.run(db)
  await sql`insert into audits (ok) values (false)`.run(db)
  await sql`
    insert into balance_shortfalls (gate_id, address, currency, decimals, expected_units, found_units, block_height)
    values ('litecoin-test', 'somewhere', 'LTC', 8, 200000000, 100000000, 1)`.run(db)
}

/** Three deliveries that should be under way, and one that a failing endpoint gets again later. */
async function plantWebhooks(db: Db, { merchantId }: Shop): Promise<void> {
  await sql`
    insert into webhook_endpoints (id, merchant_id, environment, url, secret, failing_since)
    values (gen_random_uuid(), ${merchantId}, 'test', 'https://sound.example', 'x', null),
      (gen_random_uuid(), ${merchantId}, 'test', 'https://failing.example', 'x', clock_timestamp())`.run(db)
  await sql`
    insert into webhook_deliveries (event_id, endpoint_id, due_at)
    select event.id, endpoint.id, clock_timestamp() - interval '10 minutes'
    from (select id from events where merchant_id = ${merchantId} order by position limit 3) as event
    cross join webhook_endpoints as endpoint where url = 'https://sound.example'
    union all
    select event.id, endpoint.id, clock_timestamp() + interval '1 hour'
    from (select id from events where merchant_id = ${merchantId} order by position limit 1) as event
    cross join webhook_endpoints as endpoint where url = 'https://failing.example'`.run(db)
}
