import type { AddressInfo } from 'node:net'
import { listShortfalls } from '../app/chain/list-shortfalls.ts'
import { type Held, listFloats } from '../app/spends/hot-wallet/list-floats.ts'
import { OutageError } from '../domain/errors.ts'
import { createMetricsServer, type Metrics } from '../http/metrics.ts'
import type { Log } from '../log.ts'
import { type Settings, SettingsError } from '../settings/settings.ts'
import type { Opened } from './app.ts'
import type { Closers } from './closers.ts'

/** Serves metrics on their internal port, including those of the database. */
export async function serveMetrics(
  settings: Settings,
  metrics: Metrics,
  { app, gates, database: { pool } }: Pick<Opened, 'app' | 'database' | 'gates'>,
  log: Log,
  closers: Closers,
): Promise<void> {
  metrics.gauge('sluice_database_connections', 'Open connections.', () => pool.totalCount)
  metrics.gauge('sluice_database_connections_idle', 'Open connections not in use.', () => pool.idleCount)
  metrics.gauge('sluice_database_waiting', 'Callers that wait for a connection.', () => pool.waitingCount)
  const series = (read: () => Promise<readonly Held[]>) => async () => {
    try {
      return (await read()).map(seriesOf)
    } catch (error) {
      // The other metrics are needed most during a database outage.
      if (error instanceof OutageError) return []
      throw error
    }
  }
  const labels = ['gate', 'currency']
  metrics.gauges(
    'sluice_hot_wallet_free',
    'Funds in hot wallets that no spend has claimed.',
    labels,
    series(async () => (await listFloats(app)).free),
  )
  metrics.gauges(
    'sluice_float',
    'The operator’s own funds, by the books.',
    labels,
    series(async () => (await listFloats(app)).float),
  )
  metrics.gauges(
    'sluice_balance_shortfall',
    'How much less addresses have on chain than the books say; no series while all is right.',
    labels,
    series(() => listShortfalls(app)),
  )
  const sent = (read: (each: { readonly requests: number; readonly calls: number }) => number) => async () =>
    [...gates.requests].map(([gate, each]) => ({ labels: { gate }, value: read(each) }))
  metrics.gauges(
    'sluice_node_requests',
    'Requests sent to the nodes of a gate since the process began.',
    ['gate'],
    sent(({ requests }) => requests),
  )
  metrics.gauges(
    'sluice_node_calls',
    'Calls in these requests; some providers bill per call.',
    ['gate'],
    sent(({ calls }) => calls),
  )
  const server = createMetricsServer(metrics, (error) => log.error({ err: error }, 'metrics failed'))
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(settings.metricsPort, '127.0.0.1', resolve)
    })
  } catch (error) {
    if (settings.metricsPortRequired) {
      throw new SettingsError(
        `SLUICE_METRICS_PORT: port ${settings.metricsPort} cannot be used (${error instanceof Error ? error.message : error}).`,
      )
    }
    log.warn({ err: error }, 'no metrics: the port is taken; set SLUICE_METRICS_PORT to another one')
    return
  }
  log.info({ port: (server.address() as AddressInfo).port }, 'metrics are served on the internal port')
  closers.add(() => new Promise((resolve) => server.close(resolve)))
}

/** A metric is a floating-point number: accurate enough to watch, and nothing is booked from it. */
function seriesOf({ gateId, currency, amount }: Held) {
  return { labels: { gate: gateId, currency }, value: Number(amount) }
}
