import type { AddressInfo } from 'node:net'
import { createMetricsServer, type Metrics } from '../http/metrics.ts'
import type { Log } from '../log.ts'
import { type Settings, SettingsError } from '../settings.ts'
import type { Database } from '../store/database.ts'
import type { Closers } from './closers.ts'

/** Serves metrics on their internal port, those of the database among them. */
export async function serveMetrics(
  settings: Settings,
  metrics: Metrics,
  { pool }: Database,
  log: Log,
  closers: Closers,
): Promise<void> {
  metrics.gauge('sluice_database_connections', 'Open connections.', () => pool.totalCount)
  metrics.gauge('sluice_database_connections_idle', 'Open connections not in use.', () => pool.idleCount)
  metrics.gauge('sluice_database_waiting', 'Work that waits for a connection.', () => pool.waitingCount)
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
    log.warn({ err: error }, 'no metrics: their port is taken; set SLUICE_METRICS_PORT to another one')
    return
  }
  log.info({ port: (server.address() as AddressInfo).port }, 'metrics are served on the internal port')
  closers.add(() => new Promise((resolve) => server.close(resolve)))
}
