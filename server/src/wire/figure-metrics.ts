import type { Figures } from '../app/operator/read-figures.ts'
import type { Held } from '../app/spends/hot-wallet/list-floats.ts'
import { environments } from '../domain/environment.ts'
import type { Metrics, Series } from '../http/metrics.ts'

/** What is about to be said of money: a metric is a floating-point number, and nothing is booked from it. */
const rounded = 'Rounded: for alarms, never for the books.'

/** Adds a metric for each of the figures that wake an operator. While the figures cannot be read, they have no series. */
export function addFigureMetrics(
  metrics: Metrics,
  figures: () => Promise<Figures | null>,
  known: { readonly rateSources: readonly string[]; readonly currencies: readonly string[] },
): void {
  const gauges = (
    name: string,
    help: string,
    labels: readonly string[],
    seriesOf: (figures: Figures) => readonly Series[],
  ) =>
    metrics.gauges(name, help, labels, async () => {
      const read = await figures()
      return read === null ? [] : seriesOf(read)
    })
  const one = (name: string, help: string, read: (figures: Figures) => number | null) =>
    gauges(name, help, [], (found) => {
      const value = read(found)
      return value === null ? [] : [{ labels: {}, value }]
    })

  one(
    'sluice_figures_timestamp_seconds',
    'When the figures below were last read from the database.',
    (read) => seconds(read.readAt),
  )

  const gate = ['gate', 'environment']
  gauges('sluice_gate_online', '1 while the network takes new business, else 0.', gate, ({ gates }) =>
    gates.map(({ gateId, isOnline }) => ({ labels: ofGate(gateId), value: Number(isOnline) })),
  )
  gauges('sluice_gate_halted', '1 while a person must resolve a gate, else 0.', gate, ({ gates }) =>
    gates.map(({ gateId, isHalted }) => ({ labels: ofGate(gateId), value: Number(isHalted) })),
  )
  gauges('sluice_gate_lag_blocks', 'Blocks that are known and not read yet.', gate, ({ gates }) =>
    gates.map(({ gateId, behind }) => ({ labels: ofGate(gateId), value: Number(behind) })),
  )
  gauges(
    'sluice_gate_lag_seconds',
    'Since the follower of a gate last reached the tip of its node’s chain. Simulated gates have none.',
    gate,
    ({ gates }) =>
      gates.flatMap(({ gateId, sinceTipSeconds }) =>
        sinceTipSeconds === null ? [] : [{ labels: ofGate(gateId), value: sinceTipSeconds }],
      ),
  )
  gauges(
    'sluice_gate_trouble_seconds',
    'How long a gate’s chain could not be followed, by kind: outage, state or wrong_chain.',
    [...gate, 'kind'],
    ({ gates }) =>
      gates.flatMap(({ gateId, trouble }) =>
        trouble === null
          ? []
          : [{ labels: { ...ofGate(gateId), kind: trouble.kind }, value: trouble.seconds }],
      ),
  )

  const amount = ['gate', 'currency']
  gauges(
    'sluice_hot_wallet_free',
    `Funds in hot wallets that no spend has claimed. ${rounded}`,
    amount,
    ({ free }) => held(free),
  )
  gauges('sluice_float', `The operator’s own funds, by the books. ${rounded}`, amount, ({ float }) =>
    held(float),
  )
  gauges(
    'sluice_float_low_seconds',
    'How long a gate’s float has not covered the configured number of sweeps; 0 while it does.',
    gate,
    ({ gates, floatsLow, readAt }) =>
      gates.map(({ gateId }) => {
        const since = floatsLow.get(gateId)
        return {
          labels: ofGate(gateId),
          value: since === undefined ? 0 : Math.max(seconds(readAt) - seconds(since), 0),
        }
      }),
  )
  gauges(
    'sluice_balance_shortfall',
    `How much less addresses have on chain than the books say; no series while all is right. ${rounded}`,
    amount,
    ({ shortfalls }) => held(shortfalls),
  )
  addColdMetrics(gauges)

  const waiting = ['environment', 'gate', 'reason']
  gauges(
    'sluice_payouts_waiting',
    'Unfinished payouts by what they wait for: approval, delay, gate_halted, gate_offline, worker, planning, signer, signer_refuses, sending or block.',
    waiting,
    ({ payouts }) =>
      payouts.map(({ environment, gateId, reason, count }) => ({
        labels: { environment, gate: gateId, reason },
        value: count,
      })),
  )
  gauges(
    'sluice_payout_oldest_seconds',
    'How long the oldest of these has waited: since it was asked for, approved, or due.',
    waiting,
    ({ payouts }) =>
      payouts.map(({ environment, gateId, reason, oldestSeconds }) => ({
        labels: { environment, gate: gateId, reason },
        value: oldestSeconds,
      })),
  )
  one(
    'sluice_transactions_undone',
    'Transactions that were booked as done and can never be mined again.',
    ({ undone }) => undone,
  )
  addQueueMetrics(gauges)

  gauges('sluice_rate_age_seconds', 'Age of the newest rate of a currency.', ['currency'], ({ rates }) =>
    rates.flatMap(({ isSource, name, ageSeconds }) =>
      isSource || !known.currencies.includes(name) ? [] : [{ labels: { currency: name }, value: ageSeconds }],
    ),
  )
  gauges('sluice_rate_source_age_seconds', 'Age of the newest quote of a rate source.', ['source'], (read) =>
    read.rates.flatMap(({ isSource, name, ageSeconds }) =>
      isSource && known.rateSources.includes(name) ? [{ labels: { source: name }, value: ageSeconds }] : [],
    ),
  )
  one(
    'sluice_audit_timestamp_seconds',
    'When everything was last audited; 0 before the first time.',
    ({ audit }) => (audit === null ? 0 : seconds(audit.at)),
  )
  one('sluice_audit_ok', '1 if the last audit found no difference, else 0.', ({ audit }) =>
    audit === null ? null : Number(audit.ok),
  )
  addDatabaseMetrics(one)
}

type Gauges = (
  name: string,
  help: string,
  labels: readonly string[],
  seriesOf: (figures: Figures) => readonly Series[],
) => void

function addColdMetrics(gauges: Gauges): void {
  const value = ['gate', 'fiat']
  gauges(
    'sluice_hot_wallet_value',
    `What our own keys hold, in the fiat currency of the gate’s cap; no series without a rate. ${rounded}`,
    value,
    ({ cold }) => totals(cold, ({ hotValue }) => hotValue),
  )
  gauges(
    'sluice_hot_wallet_value_cap',
    `The value above which funds go to the cold wallet. ${rounded}`,
    value,
    ({ cold }) =>
      cold.flatMap(({ gateId, cap, currency }) =>
        cap === null || currency === null
          ? []
          : [{ labels: { gate: gateId, fiat: currency }, value: Number(cap) }],
      ),
  )
  gauges(
    'sluice_cold_wallet_value',
    `What the cold wallet holds, in the same fiat currency; no series without a rate. ${rounded}`,
    value,
    ({ cold }) => totals(cold, ({ coldValue }) => coldValue),
  )
  const amount = ['gate', 'currency']
  gauges('sluice_cold_wallet', `What the cold wallet holds, by the books. ${rounded}`, amount, ({ cold }) =>
    cold.flatMap(({ gateId, holdings }) =>
      holdings.map((each) => ({
        labels: { gate: gateId, currency: each.currency },
        value: Number(each.cold),
      })),
    ),
  )
  gauges(
    'sluice_cold_wallet_in_transit',
    `What is on its way to the cold wallet or back. ${rounded}`,
    amount,
    ({ cold }) =>
      cold.flatMap(({ gateId, holdings }) =>
        holdings.map((each) => ({
          labels: { gate: gateId, currency: each.currency },
          value: Number(each.inTransit),
        })),
      ),
  )
}

/** The sum of the values of a gate’s currencies; none where one of them is unknown. */
function totals(
  cold: Figures['cold'],
  read: (holding: Figures['cold'][number]['holdings'][number]) => string | null,
): Series[] {
  return cold.flatMap(({ gateId, currency, holdings }) => {
    const values = holdings.map(read)
    if (currency === null || values.includes(null)) return []
    const value = values.reduce((sum, each) => sum + Number(each), 0)
    return [{ labels: { gate: gateId, fiat: currency }, value }]
  })
}

function addQueueMetrics(gauges: Gauges): void {
  const labels = ['environment', 'endpoints']
  const webhooks =
    (valueOfEach: (each: Figures['webhooks'][number]) => number) =>
    ({ webhooks: read }: Figures): Series[] =>
      environments.flatMap((environment) =>
        [false, true].map((isFailing) => {
          const found = read.find((each) => each.environment === environment && each.isFailing === isFailing)
          return {
            labels: { environment, endpoints: isFailing ? 'failing' : 'sound' },
            value: found === undefined ? 0 : valueOfEach(found),
          }
        }),
      )
  gauges(
    'sluice_webhook_deliveries_due',
    'Webhook deliveries that should be under way, by whether their endpoints accepted the last ones.',
    labels,
    webhooks(({ due }) => due),
  )
  gauges(
    'sluice_webhook_deliveries_later',
    'Webhook deliveries that are under way, or are tried again later.',
    labels,
    webhooks(({ later }) => later),
  )
  gauges(
    'sluice_webhook_oldest_due_seconds',
    'How long the oldest due delivery has waited for its turn.',
    labels,
    webhooks(({ oldestDueSeconds }) => oldestDueSeconds),
  )
  gauges('sluice_jobs_due', 'Jobs that should be under way, by kind.', ['kind'], ({ jobs }) =>
    jobs.map(({ kind, due }) => ({ labels: { kind }, value: due })),
  )
  gauges('sluice_jobs_failing', 'Jobs that keep failing, by kind.', ['kind'], ({ jobs }) =>
    jobs.map(({ kind, failing }) => ({ labels: { kind }, value: failing })),
  )
  gauges('sluice_job_oldest_due_seconds', 'How long the oldest due job has waited.', ['kind'], ({ jobs }) =>
    jobs.map(({ kind, oldestDueSeconds }) => ({ labels: { kind }, value: oldestDueSeconds })),
  )
  const suspense = ['environment', 'reason']
  gauges(
    'sluice_suspense_payments',
    'Payments in suspense that no one has released, by reason.',
    suspense,
    (read) =>
      read.suspense.map(({ environment, reason, count }) => ({
        labels: { environment, reason },
        value: count,
      })),
  )
  gauges('sluice_suspense_oldest_seconds', 'How long the oldest of these has been there.', suspense, (read) =>
    read.suspense.map(({ environment, reason, oldestSeconds }) => ({
      labels: { environment, reason },
      value: oldestSeconds,
    })),
  )
  gauges('sluice_suspense', `What is booked to suspense. ${rounded}`, ['gate', 'currency'], ({ suspended }) =>
    held(suspended),
  )
}

function addDatabaseMetrics(
  one: (name: string, help: string, read: (figures: Figures) => number | null) => void,
): void {
  one(
    'sluice_database_answer_seconds',
    'How long the database took for one statement, with the wait for a connection.',
    ({ databaseSeconds }) => databaseSeconds,
  )
  const about = (
    name: string,
    help: string,
    valueOfIt: (database: Figures['database']) => number | bigint | null,
  ) =>
    one(`sluice_database_${name}`, help, ({ database }) => {
      const value = valueOfIt(database)
      return value === null ? null : Number(value)
    })
  about('server_connections', 'Connections to this database, of all programs.', (each) => each.connections)
  about('server_connections_max', 'Connections that the server accepts.', (each) => each.maxConnections)
  about('lock_waiters', 'Sessions that wait for a lock.', (each) => each.lockWaiters)
  about(
    'lock_wait_seconds',
    'How long the session that has waited longest waits for its lock.',
    (each) => each.lockWaitSeconds,
  )
  about(
    'oldest_transaction_seconds',
    'Age of the oldest open transaction that our role may see.',
    (each) => each.oldestTransactionSeconds,
  )
  about(
    'transaction_age',
    'Transactions since the oldest row was frozen; near 2 billion the server stops writing.',
    (each) => each.transactionAge,
  )
  about('size_bytes', 'Size of the database.', (each) => each.sizeBytes)
  about('standbys', 'Standby servers that stream from this one.', (each) => each.standbys)
  about(
    'replication_lag_seconds',
    'How far the slowest standby is behind. No series without a standby, or without the right to see it (pg_monitor).',
    (each) => each.replicationLagSeconds,
  )
  about(
    'archive_failures',
    'How often the server could not archive its log since its statistics began; no series where it archives none.',
    (each) => each.archiveFailures,
  )
  about(
    'archived_seconds',
    'Since the server last archived a part of its log; no series where it archives none, or none yet.',
    (each) => each.archivedSecondsAgo,
  )
}

function held(list: readonly Held[]): Series[] {
  return list.map(({ gateId, currency, amount }) => ({
    labels: { gate: gateId, currency },
    value: Number(amount),
  }))
}

/** A gate’s id is its network and its environment: `bitcoin-live`. */
function ofGate(gateId: string): { gate: string; environment: string } {
  return { gate: gateId, environment: gateId.slice(gateId.lastIndexOf('-') + 1) }
}

function seconds(date: Date): number {
  return date.getTime() / 1000
}
