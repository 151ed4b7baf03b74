import type { AddressInfo } from 'node:net'
import packaged from '../../package.json' with { type: 'json' }
import { keptReading } from '../app/kept-reading.ts'
import { readFigures } from '../app/operator/read-figures.ts'
import { isLoopbackHost } from '../domain/ip-address.ts'
import { createMetricsServer, type Metrics } from '../http/metrics.ts'
import type { Log } from '../log.ts'
import { type Settings, SettingsError } from '../settings/settings.ts'
import type { Replica } from '../store/replica.ts'
import type { Opened } from './app.ts'
import type { Closers } from './closers.ts'
import { addFigureMetrics } from './figure-metrics.ts'
import type { NodeCounts } from './node-gates.ts'

// Less than the usual pause between two scrapes, so that each reads anew and nothing asks the database more often.
const keepFiguresMs = 10_000
// Prometheus gives up after ten seconds; the other metrics are needed most while the database does not answer.
const waitForFiguresMs = 4_000

/** Serves metrics on their internal port, including those of the database. */
export async function serveMetrics(
  settings: Settings,
  metrics: Metrics,
  { app, gates, database: { pool }, replica }: Pick<Opened, 'app' | 'database' | 'gates' | 'replica'>,
  log: Log,
  closers: Closers,
): Promise<void> {
  metrics.gauges('sluice_build_info', 'Always 1; the version is in the label.', ['version'], async () => [
    { labels: { version: packaged.version }, value: 1 },
  ])
  metrics.gauge('sluice_database_connections', 'Open connections of this process.', () => pool.totalCount)
  metrics.gauge(
    'sluice_database_connections_max',
    'Connections that this process may open.',
    () => settings.databaseConnections,
  )
  metrics.gauge('sluice_database_connections_idle', 'Open connections not in use.', () => pool.idleCount)
  metrics.gauge('sluice_database_waiting', 'Callers that wait for a connection.', () => pool.waitingCount)
  if (replica !== null) addReplica(metrics, replica)
  metrics.gauge(
    'sluice_rate_max_age_seconds',
    'The age at which a rate is no longer used.',
    () => settings.config.rates.max_age_seconds,
  )
  const figures = keptReading({
    read: () => readFigures(app),
    keepMs: keepFiguresMs,
    waitMs: waitForFiguresMs,
    now: () => performance.now(),
    onError: (error) => log.warn({ err: error }, 'cannot read the figures for metrics'),
  })
  metrics.gauges(
    'sluice_database_up',
    '1 if the figures could be read from the database in time, else 0.',
    [],
    async () => [{ labels: {}, value: Number((await figures()) !== null) }],
  )
  addFigureMetrics(metrics, figures, {
    rateSources: settings.config.rates.sources,
    currencies: app.assets.map(({ code }) => code),
  })
  const counted = (name: string, help: string, read: (counts: NodeCounts) => number) =>
    metrics.counters(name, help, ['gate'], async () =>
      [...gates.nodeCounts].map(([gate, counts]) => ({ labels: { gate }, value: read(counts) })),
    )
  counted('sluice_node_requests_total', 'Requests sent to the nodes of a gate.', ({ requests }) => requests)
  counted(
    'sluice_node_calls_total',
    'Calls in these requests; some providers bill per call.',
    ({ calls }) => calls,
  )
  counted(
    'sluice_node_failures_total',
    'How often one of several nodes of a gate could not be used.',
    ({ failures }) => failures,
  )
  counted(
    'sluice_node_disagreements_total',
    'How often two nodes of a gate gave different answers about the same payment or block.',
    ({ disagreements }) => disagreements,
  )
  const server = createMetricsServer(metrics, (error) => log.error({ err: error }, 'metrics failed'))
  const { metricsHost: host, metricsPort: port } = settings
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  } catch (error) {
    if (settings.metricsRequired) {
      throw new SettingsError(
        `SLUICE_METRICS_HOST, SLUICE_METRICS_PORT: metrics cannot be served on ${host}, port ${port} (${error instanceof Error ? error.message : error}). ` +
          'Name an IP address of this machine and a free port.',
      )
    }
    log.warn({ err: error }, 'no metrics: the port is taken; set SLUICE_METRICS_PORT to another one')
    return
  }
  log.info({ port: (server.address() as AddressInfo).port }, 'metrics are served on the internal port')
  if (!isLoopbackHost(host))
    log.warn(
      { host },
      'metrics need no password: let only your Prometheus reach SLUICE_METRICS_HOST (firewall, private network)',
    )
  closers.add(() => new Promise((resolve) => server.close(resolve)))
}

function addReplica(metrics: Metrics, replica: Replica): void {
  const counted = (name: string, help: string, read: () => number) =>
    metrics.counters(name, help, [], async () => [{ labels: {}, value: read() }])
  metrics.gauge('sluice_replica_up', '1 if the replica serves lists and exports, else 0.', () =>
    Number(replica.counts.isUsable),
  )
  counted('sluice_replica_reads_total', 'Reads that the replica served.', () => replica.counts.reads)
  counted(
    'sluice_replica_fallbacks_total',
    'Reads that the database served because the replica could not.',
    () => replica.counts.fallbacks,
  )
}
