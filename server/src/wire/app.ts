import { randomBytes, randomUUID } from 'node:crypto'
import type { App } from '../app/app.ts'
import { fixedRateBook, storedRateBook } from '../app/rates/rate-book.ts'
import { currencies, withConfirmations } from '../domain/assets.ts'
import { defaultRatePolicy, type RatePolicy } from '../domain/rates.ts'
import { type InvoiceViewer, invoiceViewer } from '../http/views/invoice.ts'
import type { Log } from '../log.ts'
import { startEmbeddedPostgres } from '../postgres/embedded.ts'
import type { Settings } from '../settings.ts'
import { startDatabaseClock } from '../store/clock.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { storeOn } from '../store/store.ts'
import type { Closers } from './closers.ts'
import { assembleGates, type Gates } from './gates.ts'
import { assembleWebhooks } from './webhooks.ts'

export type Opened = {
  readonly app: App
  readonly gates: Gates
  readonly view: InvoiceViewer
  readonly database: Database
  readonly url: string
  /** Where payers find the checkout, once it is known where the service listens. */
  readonly origin: { url: string }
}

/** The database, migrated, and the use cases' view of everything. */
export async function openApp(
  settings: Settings,
  purpose: 'service' | 'command',
  log: Log,
  closers: Closers,
): Promise<Opened> {
  const url = settings.databaseUrl ?? (await startEmbedded())
  const applied = await migrate(url)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  const database = openDatabase(url, {
    maxConnections: settings.databaseConnections,
    onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
  })
  closers.add(() => database.close())
  const store = storeOn(database.db)
  await store.events.beginEraIfMoved()
  const clock = await startDatabaseClock(database.db)
  closers.add(async () => clock.stop())
  const assets = withConfirmations(currencies, settings.config.confirmations)
  const gates = assembleGates({
    store,
    assets,
    random: randomBytes,
    maxDepth: settings.config.chains.max_reorganisation_depth,
    log,
  })
  const origin = { url: settings.publicUrl ?? `http://${settings.host}:${settings.port}` }
  const view = invoiceViewer({ checkoutUrl: (link) => `${origin.url}/pay/${link}`, gates: gates.book })
  const app: App = {
    store,
    transaction: (work) => database.transaction((tx) => work(storeOn(tx))),
    now: clock.now,
    random: randomBytes,
    assets,
    rates:
      settings.config.rates.sources.length === 0
        ? fixedRateBook(
            assets.map(({ code }) => code),
            clock.now,
          )
        : storedRateBook({
            read: () => store.rates.readRates(),
            policy: ratePolicy(settings),
            now: clock.now,
            onReadFailed: (error) => log.warn({ err: error }, 'rates could not be read'),
          }),
    gates: gates.book,
    addresses: gates.addresses,
    following: {
      holder: randomUUID(),
      maxDepth: settings.config.chains.max_reorganisation_depth,
      onHalt: (gate, reason) =>
        log.fatal(
          { gate: gate.id, reason },
          'THE GATE IS HALTED: nothing of this network is credited or expired until a person has looked at it',
        ),
      onWorkFailed: (kind, subject, error) =>
        log.error({ kind, subject, err: error }, 'work failed; it is tried again'),
    },
    webhooks: await assembleWebhooks(settings, log, closers),
    present: { invoice: view },
  }
  return { app, gates, view, database, url, origin }

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

export function ratePolicy(settings: Settings): RatePolicy {
  return { ...defaultRatePolicy, maxAgeMs: settings.config.rates.max_age_seconds * 1000 }
}
