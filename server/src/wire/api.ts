import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '../app/app.ts'
import { createKeyring } from '../app/keys/keyring.ts'
import { createUseNotes } from '../app/keys/use-notes.ts'
import { bindContract } from '../http/bind-contract.ts'
import contract from '../http/contract.generated.json' with { type: 'json' }
import { type ContractDocument, readOperations } from '../http/contract.ts'
import { serveDocs } from '../http/docs.ts'
import { createEventFeeds } from '../http/events/feeds.ts'
import { createGatekeeper, keyAdmission, maxFailedAuthentications } from '../http/gatekeeper.ts'
import { serveHealth } from '../http/health.ts'
import { serveHome } from '../http/home.ts'
import type { Metrics } from '../http/metrics.ts'
import type { RateLimiter } from '../http/rate-limit/rate-limiter.ts'
import { createRollingLog } from '../http/rate-limit/rolling-log.ts'
import type { Handlers } from '../http/reply.ts'
import { addresses } from '../http/resources/addresses/routes.ts'
import { balances } from '../http/resources/balances/routes.ts'
import { events } from '../http/resources/events/routes.ts'
import { eventView } from '../http/resources/events/view.ts'
import { invoices } from '../http/resources/invoices/routes.ts'
import type { InvoiceViewer } from '../http/resources/invoices/view.ts'
import { payouts } from '../http/resources/payouts/routes.ts'
import { publicData } from '../http/resources/public-data/routes.ts'
import { shopConnections } from '../http/resources/shops/routes.ts'
import { testHelpers } from '../http/resources/test-helpers/routes.ts'
import { webhookEndpoints } from '../http/resources/webhooks/routes.ts'
import { createServer } from '../http/server.ts'
import type { Log } from '../log.ts'
import type { Settings } from '../settings/settings.ts'
import type { Database } from '../store/database.ts'
import { checkoutChanged, followedChainMoved } from '../store/invoices/visits.ts'
import { listen } from '../store/listen.ts'
import { apiKeyChanged } from '../store/merchants/api-keys.ts'
import { readMigrations } from '../store/migrate.ts'
import { schemaStanding } from '../store/newer-schema.ts'
import { eventAppended } from '../store/webhooks/event-feed.ts'
import { startLoop } from '../worker/loop.ts'
import { assembleCheckout, builtPage } from './checkout.ts'
import type { Closers } from './closers.ts'
import { assembleDashboard } from './dashboard.ts'
import { assembleDashboardPage } from './dashboard-page.ts'
import { assembleGuides } from './guides.ts'

const minuteMs = 60_000
const maxLimitedSubjects = 100_000
const shutdownMs = 15_000
const idleCheckMs = 50
const noteUsesMs = 1_000

/** Starts listening and returns the origin. */
export async function startApi(
  settings: Settings,
  parts: {
    app: App
    view: InvoiceViewer
    database: Database
    url: string
    metrics: Metrics
    log: Log
    closers: Closers
    origin: { readonly url: string }
    /** Aborted when stopping is urgent: nothing is waited for any more. */
    hurry: AbortSignal
    /** The payment page's folder, if it is not the built one. */
    page?: URL
  },
): Promise<string> {
  const { app, view, database, metrics, log, closers, hurry } = parts
  let isEnding = false
  const uses = createUseNotes({ save: (noted) => app.store.apiKeys.noteUses(noted), now: app.now })
  const noting = startLoop({
    everyMs: noteUsesMs,
    step: () => uses.flush(),
    onError: (error) => log.warn({ err: error }, 'cannot record when keys were last used'),
  })
  closers.add(() => noting.stop())
  const keyring = createKeyring({
    findByHash: (hash) => app.store.apiKeys.findByHash(hash),
    now: () => performance.now(),
    time: () => app.now().getTime(),
    onUse: (keyId) => uses.note(keyId),
  })
  const server = createServer({
    log,
    observer: metrics.requestObserver,
    trustedProxies: settings.trustedProxies,
    isEnding: () => isEnding,
    tracer: app.tracer,
  })
  const operations = readOperations(contract as unknown as ContractDocument)
  const feeds = createEventFeeds({
    read: (caller, wanted) => app.store.eventFeed.read(caller, wanted),
    view: eventView,
    onReadFailed: (error) => log.warn({ err: error }, 'cannot read events for open streams'),
  })
  closers.add(async () => feeds.close())
  metrics.gauge('sluice_event_streams', 'Open event streams of the API.', () => feeds.size)
  const handlers: Handlers = {
    ...publicData(app),
    ...events(app, { feeds, findCaller: (key, ip) => keyring.find(key, ip) }),
    ...invoices(app, view),
    ...addresses(app, view),
    ...payouts(app),
    ...balances(app),
    ...testHelpers(app, view),
    ...webhookEndpoints(app),
    ...shopConnections(app),
  }
  bindContract(server, {
    operations,
    prefix: '/api',
    handlers,
    admissionTo: keyAdmission(
      createGatekeeper({
        findCaller: (key, ip) => keyring.find(key, ip),
        keyLimiter: await limiter('key', settings.config.limits.key_per_minute),
        ipLimiter: await limiter('ip', settings.config.limits.ip_per_minute),
        failures: localLog(maxFailedAuthentications + 1),
      }),
    ),
    observer: metrics.requestObserver,
  })
  const newest = (await readMigrations()).length
  serveHealth(server, async () => {
    if (isEnding) return 'The service is shutting down.'
    const standing = await schemaStanding(database.pool, newest).catch(() => null)
    if (standing === null) return 'The database does not answer.'
    const serves = standing.kind === 'current' || standing.kind === 'served'
    return serves ? null : 'The database schema does not match this version.'
  })
  serveHome(server)
  await serveDocs(server, contract as unknown as ContractDocument, parts.origin)
  const page = parts.page ?? builtPage
  const hub = await assembleCheckout(server, settings, { app, metrics, log, limiter, localLog, page })
  closers.add(async () => hub.close())
  const forKeys = { operations, handlers }
  await assembleDashboard(server, { app, metrics, log, limiter, localLog, forKeys, origin: parts.origin })
  await assembleGuides(server, metrics.requestObserver)
  await assembleDashboardPage(server, { observer: metrics.requestObserver, log })
  const listener = listen(parts.url, [apiKeyChanged, eventAppended, checkoutChanged, followedChainMoved], {
    onNotification(channel, payload) {
      if (channel === apiKeyChanged) {
        keyring.forget(payload)
        feeds.checkKeys()
      } else if (channel === eventAppended) feeds.appended(payload.split(','))
      else if (channel === checkoutChanged) hub.changed(payload.split(','))
      else hub.chainMoved(payload)
    },
    onConnected() {
      keyring.forgetAll()
      hub.resync()
      feeds.wakeAll()
      feeds.checkKeys()
    },
    onLost: (error) =>
      log.warn(
        { err: error },
        'lost change notifications; keys, open pages and event streams are polled every few seconds until they are back',
      ),
  })
  closers.add(() => listener.close())
  await server.listen({ host: settings.host, port: settings.port })
  closers.add(async () => {
    isEnding = true
    // Until the balancer has seen that this process is no longer ready, it sends requests here.
    if (settings.drainSeconds > 0) {
      log.info({ seconds: settings.drainSeconds }, 'no longer ready; serving until the balancer has noticed')
      await delay(settings.drainSeconds * 1000, null, { signal: hurry }).catch(() => {})
    }
    // A stream ends only when it is closed.
    hub.close()
    feeds.close()
    const cutOff = () => server.server.closeAllConnections()
    // Requests in flight may finish; those that take longer are cut off.
    const late = setTimeout(cutOff, shutdownMs)
    // A connection with a request in flight becomes idle only after it.
    const letGo = setInterval(() => server.server.closeIdleConnections(), idleCheckMs)
    const closed = server.close()
    if (hurry.aborted) cutOff()
    hurry.addEventListener('abort', cutOff)
    await closed
    hurry.removeEventListener('abort', cutOff)
    clearTimeout(late)
    clearInterval(letGo)
  })
  return originOf(settings.host, server.server)

  async function limiter(prefix: string, limit: number): Promise<RateLimiter> {
    const local = localLog(limit)
    if (settings.redisUrl === null) return local
    // Loaded only if there is a Redis: its client takes long to load.
    const { createSharedLog } = await import('../http/rate-limit/shared-log.ts')
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

function originOf(host: string, server: Server): string {
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
