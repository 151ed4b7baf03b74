import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { App } from './app/app.ts'
import { createKeyring } from './app/keys/keyring.ts'
import { fixedRateBook, storedRateBook } from './app/rates/rate-book.ts'
import { buildProgram } from './cli/program.ts'
import type { ServiceRole } from './cli/tools.ts'
import { currencies, withConfirmations } from './domain/assets.ts'
import { defaultRatePolicy } from './domain/rates.ts'
import contract from './http/contract.generated.json' with { type: 'json' }
import type { ContractDocument } from './http/contract.ts'
import { serveDocs } from './http/docs.ts'
import { createGatekeeper, maxFailedAuthentications } from './http/gatekeeper.ts'
import { serveHealth } from './http/health.ts'
import { serveHome } from './http/home.ts'
import { createMetrics, createMetricsServer, type Metrics } from './http/metrics.ts'
import type { RateLimiter } from './http/rate-limit/rate-limiter.ts'
import { createRollingLog } from './http/rate-limit/rolling-log.ts'
import { createSharedLog } from './http/rate-limit/shared-log.ts'
import type { Handlers } from './http/reply.ts'
import { events } from './http/routes/events.ts'
import { publicData } from './http/routes/public-data.ts'
import { createServer } from './http/server.ts'
import { createLog, type Log } from './log.ts'
import { createLogLines } from './log-lines.ts'
import { binanceFeed } from './outbound/rate-feeds/binance.ts'
import { coinbaseFeed } from './outbound/rate-feeds/coinbase.ts'
import { coingeckoFeed } from './outbound/rate-feeds/coingecko.ts'
import { krakenFeed } from './outbound/rate-feeds/kraken.ts'
import { startEmbeddedPostgres } from './postgres/embedded.ts'
import { readSettings, type Settings, SettingsError } from './settings.ts'
import { apiKeyChanged } from './store/api-keys.ts'
import { type Database, openDatabase } from './store/database.ts'
import { listen } from './store/listen.ts'
import { migrate, readMigrations, schemaIsCurrent } from './store/migrate.ts'
import { storeOn } from './store/store.ts'
import { startRateLoops } from './worker/rates.ts'

const minuteMs = 60_000
const maxLimitedSubjects = 100_000
const shutdownMs = 15_000
const idleCheckMs = 50

const feeds = { kraken: krakenFeed, coinbase: coinbaseFeed, binance: binanceFeed, coingecko: coingeckoFeed }

/** What was started, to be ended in the opposite order. Each part ends even when another fails to. */
class Closers {
  readonly #closers: (() => Promise<unknown>)[] = []

  add(close: () => Promise<unknown>): void {
    this.#closers.push(close)
  }

  async close(): Promise<void> {
    const failures: unknown[] = []
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      await close().catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Some parts did not end cleanly.')
  }
}

/** The database, migrated, and the use cases' view of everything. */
async function openApp(
  settings: Settings,
  purpose: 'service' | 'command',
  log: Log,
  closers: Closers,
): Promise<{ app: App; database: Database; url: string }> {
  const url = settings.databaseUrl ?? (await startEmbedded())
  const applied = await migrate(url)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  const database = openDatabase(url, {
    maxConnections: settings.databaseConnections,
    onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
  })
  closers.add(() => database.close())
  const store = storeOn(database.db)
  const now = () => new Date()
  const assets = withConfirmations(currencies, settings.config.confirmations)
  const app: App = {
    store,
    transaction: (work) => database.transaction((tx) => work(storeOn(tx))),
    now,
    random: randomBytes,
    assets,
    rates:
      settings.config.rates.sources.length === 0
        ? fixedRateBook(
            assets.map(({ code }) => code),
            now,
          )
        : storedRateBook({
            read: () => store.rates.readRates(),
            policy: ratePolicy(settings),
            now,
            onReadFailed: (error) => log.warn({ err: error }, 'rates could not be read'),
          }),
  }
  return { app, database, url }

  async function startEmbedded(): Promise<string> {
    const postgres = await startEmbeddedPostgres({
      dataDir: settings.dataDir,
      purpose,
      log: (message) => log.info(message),
    })
    closers.add(() => postgres.stop())
    return postgres.url
  }
}

export type Service = { readonly app: App; readonly url: string | null; stop(): Promise<void> }

/** Starts the roles asked for and returns when they are ready. */
export async function startService(settings: Settings, role: ServiceRole, log: Log): Promise<Service> {
  const closers = new Closers()
  try {
    const { app, database, url } = await openApp(settings, 'service', log, closers)
    const metrics = createMetrics()
    metrics.gauge('sluice_database_connections', 'Open connections.', () => database.pool.totalCount)
    metrics.gauge(
      'sluice_database_connections_idle',
      'Open connections not in use.',
      () => database.pool.idleCount,
    )
    metrics.gauge(
      'sluice_database_waiting',
      'Work that waits for a connection.',
      () => database.pool.waitingCount,
    )
    await startMetrics(settings, metrics, log, closers)
    if (role === 'all' || role === 'worker') startWorker(settings, app, log, closers)
    const listening =
      role === 'all' || role === 'api'
        ? await startApi(settings, { app, database, url, metrics, log, closers })
        : null
    return { app, url: listening, stop: () => closers.close() }
  } catch (error) {
    await closers.close().catch((failure: unknown) => log.error({ err: failure }, 'shutdown failed'))
    throw error
  }
}

function startWorker(settings: Settings, app: App, log: Log, closers: Closers): void {
  const { sources, base_urls, refresh_seconds } = settings.config.rates
  const loops = startRateLoops(
    app,
    sources.map((source) =>
      feeds[source](base_urls[source] === undefined ? {} : { baseUrl: base_urls[source] }),
    ),
    { policy: ratePolicy(settings), everyMs: refresh_seconds * 1000, log },
  )
  closers.add(() => Promise.all(loops.map((loop) => loop.stop())))
}

async function startApi(
  settings: Settings,
  parts: { app: App; database: Database; url: string; metrics: Metrics; log: Log; closers: Closers },
): Promise<string> {
  const { app, database, metrics, log, closers } = parts
  const keyring = createKeyring({
    findByHash: (hash) => app.store.apiKeys.findByHash(hash),
    now: () => performance.now(),
  })
  const listener = listen(parts.url, [apiKeyChanged], {
    onNotification: (_channel, keyId) => keyring.forget(keyId),
    onConnected: () => keyring.forgetAll(),
    onLost: (error) =>
      log.warn({ err: error }, 'not told of key changes for now; keys are looked up every few seconds'),
  })
  closers.add(() => listener.close())

  const server = createServer({
    contract: contract as unknown as ContractDocument,
    handlers: { ...publicData(app), ...events(app) } satisfies Handlers,
    gatekeeper: createGatekeeper({
      findCaller: (key) => keyring.find(key),
      keyLimiter: await limiter('key', settings.config.limits.key_per_minute),
      ipLimiter: await limiter('ip', settings.config.limits.ip_per_minute),
      failures: localLog(maxFailedAuthentications + 1),
    }),
    log,
    observer: metrics.requestObserver,
    trustedProxies: settings.trustedProxies,
  })
  const newest = (await readMigrations()).length
  let ending = false
  serveHealth(server, async () => {
    if (ending) return 'The service is shutting down.'
    const current = await schemaIsCurrent(database.pool, newest).catch(() => null)
    if (current === null) return 'The database does not answer.'
    return current ? null : 'The database has another schema than this version expects.'
  })
  serveHome(server)
  await serveDocs(server, contract as unknown as ContractDocument)
  await server.listen({ host: settings.host, port: settings.port })
  closers.add(async () => {
    ending = true
    // Requests in flight are finished; whoever takes longer than that is cut off.
    const cutOff = setTimeout(() => server.server.closeAllConnections(), shutdownMs)
    // A connection whose last request was in flight becomes idle only later.
    const letGo = setInterval(() => server.server.closeIdleConnections(), idleCheckMs)
    await server.close()
    clearTimeout(cutOff)
    clearInterval(letGo)
  })
  return originOf(settings.host, server.server)

  async function limiter(prefix: string, limit: number): Promise<RateLimiter> {
    const local = localLog(limit)
    if (settings.redisUrl === null) return local
    const shared = await createSharedLog({
      redisUrl: settings.redisUrl,
      prefix: `sluice:rate:${prefix}`,
      limit,
      windowMs: minuteMs,
      local,
      log: { warn: (message) => log.warn(message), info: (message) => log.info(message) },
    })
    closers.add(() => shared.close())
    return shared
  }

  function localLog(limit: number) {
    return createRollingLog({
      limit,
      windowMs: minuteMs,
      maxSubjects: maxLimitedSubjects,
      now: () => performance.now(),
    })
  }
}

async function startMetrics(settings: Settings, metrics: Metrics, log: Log, closers: Closers): Promise<void> {
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

function ratePolicy(settings: Settings) {
  return { ...defaultRatePolicy, maxAgeMs: settings.config.rates.max_age_seconds * 1000 }
}

function originOf(host: string, server: Server): string {
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The command line: what `npx sluice` runs. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = buildProgram({
    readSettings: () => readSettings(process.env),
    // Standard output belongs to what the command answers.
    createLog: (level) => createLog(level, createLogLines(process.stderr.fd)),
    startService,
    async withApp(settings, log, work) {
      const closers = new Closers()
      try {
        const { app } = await openApp(settings, 'command', log, closers)
        return await work(app)
      } finally {
        await closers.close()
      }
    },
  })
  await program.parseAsync(argv)
}
