import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFigures } from '../../../src/app/operator/read-figures.ts'
import { type Db, sql } from '../../../src/store/sql.ts'
import { expressions, misnamed, readAlerts, seriesIn } from '../../support/observability/rules.ts'
import { startTestService } from '../../support/shop/service.ts'
import { asMetrics, plantTrouble, startTroubled, type Troubled } from '../../support/shop/troubled.ts'

let troubled: Troubled
let text: string
let served: string
beforeAll(async () => {
  troubled = await startTroubled()
  text = await asMetrics(await troubled.figuresWith((db) => plantTrouble(db, troubled.shop)))
  served = await troubled.served()
})
afterAll(() => troubled?.stop())

/** The value of a series, by the labels that are given. */
function value(name: string, labels: Readonly<Record<string, string>> = {}, lines = text): number | null {
  const found = lines.split('\n').filter((line) => {
    if (!new RegExp(`^${name}[ {]`).test(line)) return false
    return Object.entries(labels).every(([label, wanted]) => line.includes(`${label}="${wanted}"`))
  })
  expect(found.length, `${name} ${JSON.stringify(labels)}`).toBeLessThanOrEqual(1)
  return found[0] === undefined ? null : Number(found[0].slice(found[0].lastIndexOf(' ')))
}

it('a gate that is halted, one whose node is down and one that is well are told apart', () => {
  expect(value('sluice_gate_halted', { gate: 'litecoin-test' })).toBe(1)
  expect(value('sluice_gate_online', { gate: 'litecoin-test' })).toBe(0)
  expect(value('sluice_gate_online', { gate: 'ethereum-test', environment: 'test' })).toBe(0)
  expect(value('sluice_gate_trouble_seconds', { gate: 'ethereum-test', kind: 'outage' })).toBeGreaterThan(0)
  expect(value('sluice_gate_lag_blocks', { gate: 'ethereum-test' })).toBe(12)
  expect(value('sluice_gate_lag_seconds', { gate: 'ethereum-test' })).toBeGreaterThan(3_599)
  expect(value('sluice_gate_online', { gate: 'bitcoin-test' })).toBe(1)
  expect(value('sluice_gate_halted', { gate: 'bitcoin-test' })).toBe(0)
  expect(value('sluice_gate_trouble_seconds', { gate: 'bitcoin-test' })).toBeNull()
  expect(value('sluice_gate_lag_seconds', { gate: 'bitcoin-test' })).toBeNull()
  expect(value('sluice_node_disagreements_total', { gate: 'ethereum-test' }, served)).toBe(0)
  expect(value('sluice_node_failures_total', { gate: 'ethereum-test' }, served)).toBeGreaterThan(0)
})

it('payouts are counted by what they wait for, with the age of the oldest', () => {
  const waits = (gate: string, reason: string) => [
    value('sluice_payouts_waiting', { environment: 'test', gate, reason }),
    value('sluice_payout_oldest_seconds', { environment: 'test', gate, reason }),
  ]
  expect(waits('bitcoin-test', 'approval')).toEqual([1, expect.any(Number)])
  expect(waits('litecoin-test', 'gate_halted')).toEqual([1, expect.closeTo(7_200, -2)])
  expect(waits('bitcoin-test', 'block')[0]).toBe(1)
  expect(value('sluice_transactions_undone')).toBe(0)
})

const dueNow = sql`update payouts set status = 'approved', executable_at = clock_timestamp()
  where status = 'pending_approval'`
/** Changes what triggers guard, within a transaction that is rolled back. */
const attempt = (change: ReturnType<typeof sql>) => async (db: Db) => {
  await sql`alter table spend_transactions disable trigger user`.run(db)
  await sql`update spend_transactions set ${change}`.run(db)
}

it.each<[string, (db: Db) => Promise<unknown>]>([
  [
    'delay',
    (db) =>
      sql`update payouts set status = 'approved', approved_at = clock_timestamp(),
    executable_at = clock_timestamp() + interval '1 hour' where status = 'pending_approval'`.run(db),
  ],
  ['worker', (db) => dueNow.run(db)],
  [
    'planning',
    async (db) => {
      await dueNow.run(db)
      await sql`update payouts set waiting_reason = 'Because.' where status = 'approved'`.run(db)
    },
  ],
  [
    'gate_offline',
    async (db) => {
      await dueNow.run(db)
      await sql`insert into gate_progress (gate_id, trouble, trouble_kind, trouble_since)
      values ('bitcoin-test', 'no', 'outage', clock_timestamp())`.run(db)
    },
  ],
  ['sending', attempt(sql`sent_at = null`)],
  ['signer', attempt(sql`sent_at = null, signed_at = null, bytes = null, tx_hash = null`)],
  [
    'signer_refuses',
    attempt(sql`sent_at = null, signed_at = null, bytes = null, tx_hash = null, refusal = 'No.'`),
  ],
])('a payout that waits for %s is counted as such', async (reason, plant) => {
  const { payouts } = await troubled.figuresWith(plant)
  expect(payouts).toContainEqual(expect.objectContaining({ gateId: 'bitcoin-test', reason }))
  const before = await troubled.figuresWith(async () => {})
  expect(before.payouts.map((each) => each.reason)).not.toContain(reason)
})

it('what cannot be delivered, done or credited is counted, and how long it has waited', () => {
  expect(value('sluice_webhook_deliveries_due', { environment: 'test', endpoints: 'sound' })).toBe(3)
  expect(value('sluice_webhook_oldest_due_seconds', { environment: 'test', endpoints: 'sound' })).toBeCloseTo(
    600,
    -2,
  )
  expect(value('sluice_webhook_deliveries_due', { environment: 'live', endpoints: 'sound' })).toBe(0)
  expect(value('sluice_webhook_deliveries_later', { environment: 'test', endpoints: 'failing' })).toBe(1)
  expect(value('sluice_jobs_due', { kind: 'send_mail' })).toBe(1)
  expect(value('sluice_jobs_failing', { kind: 'send_mail' })).toBe(1)
  expect(value('sluice_job_oldest_due_seconds', { kind: 'send_mail' })).toBeCloseTo(900, -2)
  expect(value('sluice_suspense_payments', { environment: 'test', reason: 'dust' })).toBe(1)
  expect(value('sluice_suspense_oldest_seconds', { environment: 'test', reason: 'dust' })).not.toBeNull()
  expect(value('sluice_suspense', { gate: 'bitcoin-test', currency: 'BTC' })).toBeGreaterThan(0)
})

it('rates, the audit and the float are compared with their limits', () => {
  expect(value('sluice_rate_age_seconds', { currency: 'BTC' })).toBeCloseTo(400, -2)
  expect(value('sluice_rate_source_age_seconds', { source: 'kraken' })).toBeCloseTo(400, -2)
  expect(value('sluice_rate_source_age_seconds', { source: 'coinbase' })).toBeNull()
  expect(value('sluice_rate_max_age_seconds', {}, served)).toBe(600)
  expect(value('sluice_audit_ok')).toBe(0)
  expect(value('sluice_audit_timestamp_seconds')).toBeGreaterThan(1_700_000_000)
  expect(value('sluice_float_low_seconds', { gate: 'litecoin-test' })).toBeCloseTo(1_800, -2)
  expect(value('sluice_float_low_seconds', { gate: 'bitcoin-test' })).toBe(0)
  expect(value('sluice_hot_wallet_value_cap', { gate: 'bitcoin-test', fiat: 'USD' })).toBe(1_000_000)
  expect(value('sluice_hot_wallet_value', { gate: 'bitcoin-test', fiat: 'USD' })).toBeGreaterThan(0)
  expect(value('sluice_cold_wallet_value', { gate: 'bitcoin-test', fiat: 'USD' })).toBe(0)
})

it('the state of the database server is shown as far as the service’s role may see it', () => {
  expect(value('sluice_database_up', {}, served)).toBe(1)
  expect(value('sluice_database_answer_seconds')).toBeGreaterThan(0)
  expect(value('sluice_database_server_connections')).toBeGreaterThan(0)
  expect(value('sluice_database_server_connections_max')).toBeGreaterThan(10)
  expect(value('sluice_database_connections_max', {}, served)).toBe(3)
  expect(value('sluice_database_size_bytes')).toBeGreaterThan(1_000_000)
  expect(value('sluice_database_transaction_age')).toBeGreaterThan(0)
  expect(value('sluice_database_standbys')).toBe(0)
  expect(value('sluice_database_replication_lag_seconds')).toBeNull()
  expect(value('sluice_database_archive_failures')).toBeNull()
})

it('no label names a merchant, an address or a transaction', () => {
  const labels = new Set([...text.matchAll(/[{,]([a-z_]+)="/g)].map(([, label]) => label))
  expect(
    [...labels].filter((label) => /merchant|address|hash|key|url|payout$|invoice/.test(label ?? '')),
  ).toEqual([])
  expect(text).not.toContain(troubled.shop.merchantId)
})

it('a session that waits for a lock is counted while it waits', async () => {
  const { url } = troubled.service.database
  const [holder, waiter] = [new pg.Client(url), new pg.Client(url)]
  await Promise.all([holder.connect(), waiter.connect()])
  try {
    await holder.query('begin; select pg_advisory_xact_lock(815)')
    const waiting = waiter.query('select pg_advisory_xact_lock(815)')
    await expect
      .poll(async () => (await readFigures(troubled.service.app)).database.lockWaiters)
      .toBeGreaterThan(0)
    const { database } = await readFigures(troubled.service.app)
    expect(database.lockWaitSeconds).toBeGreaterThan(0)
    await holder.query('commit')
    await waiting
    await expect.poll(async () => (await readFigures(troubled.service.app)).database.lockWaiters).toBe(0)
  } finally {
    await Promise.all([holder.end(), waiter.end()])
  }
})

it('an address that is not this machine’s prevents the start, with the setting to correct', async () => {
  const env = { SLUICE_METRICS_HOST: '192.0.2.1' }
  await expect(startTestService({ env, database: troubled.service.database })).rejects.toThrow(
    /SLUICE_METRICS_HOST.* 192\.0\.2\.1.*Name an IP address of this machine/,
  )
})

describe('the alert rules and the dashboard', () => {
  // Read again: by now the histogram of requests has series.
  const known = async () => seriesIn(`${text}\n${await troubled.served()}`)

  it('use only metrics and labels that the service has', async () => {
    const series = await known()
    expect(expressions().length).toBeGreaterThan(80)
    expect(expressions().flatMap((each) => misnamed(each, series))).toEqual([])
  })

  it.each([
    ['max(sluice_gate_halte) == 1', 'no metric sluice_gate_halte'],
    ['max(sluice_gate_halted{network="bitcoin"})', 'sluice_gate_halted has no label network'],
    ['max by (merchant) (sluice_gate_halted)', 'no metric here has the label merchant'],
    ['max(sluice_payouts_waiting{reason="bored"})', 'reason is never bored'],
    ['max((sluice_gate_halted)', 'a bracket is not closed'],
    ['max(sluice_gate_halted) >', 'an operand is missing'],
    ['maximum(sluice_gate_halted)', 'unknown function maximum'],
    ['sluice_gate_halted sluice_gate_online', 'an operator is missing'],
  ])('would have been found wrong in: %s', async (expr, why) => {
    expect(misnamed({ where: 'a rule', expr, shown: [] }, await known()).join()).toContain(why)
  })

  it('an alert’s words name only labels that its expression keeps', async () => {
    const shown = { where: 'a rule', expr: 'max by (gate) (sluice_gate_halted)', shown: ['environment'] }
    expect(misnamed(shown, await known())).toEqual(['a rule: shows environment, which the expression drops'])
  })

  it('each alert has a severity, a summary and a section of the runbook, and each section an alert', () => {
    const { alerts, sections } = readAlerts()
    expect(alerts.map(({ name }) => name)).toEqual([...sections.keys()])
    expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length)
    for (const { name, severity, summary, runbook } of alerts) {
      expect(['page', 'ticket'], name).toContain(severity)
      expect(summary, name).not.toBe('')
      expect(runbook, name).toBe(`docs/operating/runbook.md#${name.toLowerCase()}`)
      expect(sections.get(name), name).toMatch(/\*\*Means\*\*: .*\*\*See\*\*: .*\*\*Do\*\*:\n\n1\. /s)
    }
  })
})
