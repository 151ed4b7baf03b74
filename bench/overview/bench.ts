/** The dashboard's overview of a merchant with a million invoices compared with that of a merchant with a thousand. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createMerchant } from '../../server/src/app/merchants/create-merchant.ts'
import { storeOn } from '../../server/src/store/store.ts'
import { openTestDatabase } from '../../server/test/support/database/open-database.ts'
import { asSuperuser, invoices } from '../lists/fill.ts'
import { median, type Ratio } from '../measure.ts'
import { openConnections, requestText } from '../requests.ts'
import { startBenchService, withDatabase } from '../service.ts'

const many = 1_000_000
const few = 1_000
const chunk = 100_000
const warmUps = 20
const samples = 100
// Below a session's rate limit per minute.
const sessions = 2

export async function run(): Promise<Record<string, Ratio>> {
  const service = await startBenchService({ env: { SLUICE_SANDBOX_BLOCK_SECONDS: '0' } })
  try {
    const small = await makeShop(service.databaseUrl, few)
    const startedAt = performance.now()
    const large = await makeShop(service.databaseUrl, many)
    await withDatabase(asSuperuser(service.databaseUrl), async (client) => {
      for (const table of ['invoices', 'list_counts', 'daily_sums', 'daily_fees', 'daily_invoices'])
        await client.query(`vacuum analyze ${table}`)
      await client.query('checkpoint')
    })
    console.log(`${many} invoices filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
    const [connection] = await openConnections(service.url, 1)
    if (connection === undefined) throw new Error('no connection')
    const cookies = await openSessions(service.databaseUrl, [small, large])
    const overview = (merchantId: string, turn: number) =>
      requestText('GET', `${service.url}/dashboard-api/merchants/${merchantId}/test/overview?days=30`, {
        cookie: cookies[turn % sessions] as string,
      })
    const times: [number[], number[]] = [[], []]
    for (let sample = -warmUps; sample < samples; sample++) {
      for (const [at, merchantId] of [small, large].entries()) {
        const began = performance.now()
        await connection.send(overview(merchantId, sample + warmUps), 200)
        if (sample >= 0) times[at]?.push(performance.now() - began)
      }
    }
    connection.close()
    const [baseline, ours] = [median(times[0]), median(times[1])]
    return {
      [`overview: ${many} invoices to ${few} (at most 2.00)`]: {
        ours,
        baseline,
        ratio: ours / baseline,
        unit: 'ms',
      },
    }
  } finally {
    await service.stop()
  }
}

/** A merchant with this many invoices, and with money in and out in three currencies on each of the last 60 days. */
async function makeShop(databaseUrl: string, rows: number): Promise<string> {
  const database = openTestDatabase(databaseUrl, 1)
  const app = { store: storeOn(database.db), now: () => new Date() }
  const { merchantId } = await createMerchant(app, { name: `Shop of ${rows}` })
  await database.close()
  await withDatabase(asSuperuser(databaseUrl), async (client) => {
    // With triggers, a million rows would take many minutes; the triggers' totals are written at the end.
    await client.query("set session_replication_role = 'replica'")
    for (let from = 1; from <= rows; from += chunk)
      await client.query(invoices, [merchantId, from, Math.min(from + chunk - 1, rows)])
    await client.query(
      `insert into list_counts (list, merchant_id, environment, facet, currency, bucket, difference)
       select 'invoices', merchant_id, environment, status, currency, position >> 15, count(*)
       from invoices where merchant_id = $1 group by 2, 3, 4, 5, 6`,
      [merchantId],
    )
    await client.query(
      `insert into daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units,
         base_units)
       select $1, 'test', current_date - day, kind, currency, 'bitcoin', 8, 'USD', $2::integer * 1000, $2::integer
       from generate_series(0, 59) as day, unnest(array['received', 'paid_out', 'refunded']) as kind,
         unnest(array['BTC', 'LTC', 'ETH']) as currency`,
      [merchantId, rows],
    )
    await client.query(
      `insert into daily_fees (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units,
         base_millionths)
       select merchant_id, environment, day, fee, currency, network, decimals, base_currency, 10, 10000000
       from daily_sums cross join unnest(array['platform', 'network']) as fee
       where merchant_id = $1 and kind = 'paid_out'`,
      [merchantId],
    )
    await client.query(
      `insert into daily_invoices (merchant_id, environment, day, outcome, within_seconds, invoices)
       select $1, 'test', current_date - day, outcome, 0, $2::integer / 200
       from generate_series(0, 59) as day, unnest(array['open', 'expired', 'cancelled']) as outcome
       union all
       select $1, 'test', current_date - day, 'paid', paid_within(make_interval(secs => 30 * step)), $2::integer / 6000
       from generate_series(0, 59) as day, generate_series(1, 60) as step`,
      [merchantId, rows],
    )
  })
  return merchantId
}

/** Signs in a user who may view these merchants, and returns the session cookies. */
async function openSessions(databaseUrl: string, merchantIds: readonly string[]): Promise<string[]> {
  const userId = randomUUID()
  const cookies: string[] = []
  await withDatabase(databaseUrl, async (client) => {
    await client.query(`insert into users (id, email, name) values ($1, 'bench@example.com', 'Bench')`, [
      userId,
    ])
    for (const merchantId of merchantIds)
      await client.query(`insert into memberships (user_id, merchant_id, role) values ($1, $2, 'viewer')`, [
        userId,
        merchantId,
      ])
    for (let n = 0; n < sessions; n++) {
      const token = randomBytes(32).toString('base64url')
      await client.query(
        `insert into sessions (id, user_id, token_hash, is_complete, ip, user_agent, expires_at)
         values ($1, $2, $3, true, '127.0.0.1', 'bench', now() + interval '1 day')`,
        [randomUUID(), userId, createHash('sha256').update(token).digest()],
      )
      cookies.push(`sluice_session=${token}`)
    }
  })
  return cookies
}
