import { randomBytes, randomUUID } from 'node:crypto'
import type { App } from '../app/app.ts'
import { fixedRateBook, storedRateBook } from '../app/rates/rate-book.ts'
import { reportsTo } from '../app/reports.ts'
import type { PoolBounds } from '../domain/address-demand.ts'
import { createProver } from '../domain/address-proofs.ts'
import { networksIn, withConfirmations } from '../domain/assets.ts'
import { defaultRatePolicy, type RatePolicy } from '../domain/rates.ts'
import { feeCeilings, feeLimitsPerDay } from '../domain/spending-limits.ts'
import { type InvoiceViewer, invoiceViewer } from '../http/resources/invoices/view.ts'
import { refundView } from '../http/resources/payouts/refund-view.ts'
import { payoutView } from '../http/resources/payouts/view.ts'
import type { Log } from '../log.ts'
import type { Purpose } from '../postgres/ownership.ts'
import { hasLiveGate } from '../settings/gate-config.ts'
import { spendingLimits } from '../settings/limit-config.ts'
import type { Settings } from '../settings/settings.ts'
import { startDatabaseClock } from '../store/clock.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { openReplica, type Replica } from '../store/replica.ts'
import { storeOn } from '../store/store.ts'
import type { Tracer } from '../tracing/span.ts'
import { noTracing } from '../tracing/tracer.ts'
import type { AskedDeriver } from './ask-deriver.ts'
import type { Closers } from './closers.ts'
import { coldPolicies } from './cold-wallets.ts'
import { assembleGates, type Gates } from './gates.ts'
import type { Supplies } from './supplies.ts'
import { assembleWebhooks } from './webhooks.ts'

export type Opened = {
  readonly app: App
  readonly gates: Gates
  readonly view: InvoiceViewer
  readonly database: Database
  readonly replica: Replica | null
  readonly url: string
  /** Where payers find the checkout, once the service's own address is known. */
  readonly origin: { url: string }
}

/** What only some processes have. */
type Given = {
  readonly tracer?: Tracer
  readonly hasReplica?: boolean
  readonly deriver?: AskedDeriver
}

/** Opens the supplies, and builds the use cases' view of everything. */
export async function openApp(
  settings: Settings,
  purpose: Purpose,
  log: Log,
  closers: Closers,
  given: Given = {},
): Promise<Opened> {
  // Loaded only when used: a process that is given its supplies does not need it.
  const { openSupplies } = await import('./supplies.ts')
  return openAppWith(await openSupplies(settings, purpose, log, closers), settings, log, closers, given)
}

/** The same with supplies that another process has opened. */
export async function openAppWith(
  { databaseUrl: url, sealKey }: Supplies,
  settings: Settings,
  log: Log,
  closers: Closers,
  given: Given = {},
): Promise<Opened> {
  const { tracer = noTracing, deriver = null } = given
  const cold = coldPolicies(settings)
  const database = openDatabase(url, {
    maxConnections: settings.databaseConnections,
    waitMs: settings.databaseWaitSeconds * 1000,
    onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
    tracer,
  })
  closers.add(() => database.close())
  const store = storeOn(database.db)
  await store.events.beginEraIfMoved()
  const clock = await startDatabaseClock(database.db)
  closers.add(async () => clock.stop())
  const replica = given.hasReplica === true ? openReplicaOf(settings, database, log, closers) : null
  const transaction: App['transaction'] = (work) => database.transaction((tx) => work(storeOn(tx)))
  const { confirmations, confirmation_tiers } = settings.config
  const assets = withConfirmations(settings.assets, confirmations, confirmation_tiers)
  const maxFees = feeCeilings(networksIn(assets), settings.config.signer.max_fee)
  const prover = sealKey === null ? null : createProver(sealKey)
  const reports = reportsTo(log)
  const gates = assembleGates({
    store,
    assets,
    prover,
    reports,
    now: clock.now,
    random: randomBytes,
    configured: settings.config.gates,
    transaction,
    closers,
    maxDepth: settings.config.chains.max_reorganisation_depth,
    deriver,
    log,
  })
  const origin = { url: settings.publicUrl ?? `http://${settings.host}:${settings.port}` }
  const view = invoiceViewer({
    checkoutUrl: (link) => `${origin.url}/pay/${link}`,
    gates: gates.book,
    proofs: gates.proofs,
  })
  const app: App = {
    store,
    reading: (read) => (replica === null ? read(store) : replica.read((db) => read(storeOn(db)))),
    transaction,
    now: clock.now,
    random: randomBytes,
    assets,
    rates:
      settings.config.rates.sources.length === 0
        ? fixedRateBook(assets, clock.now)
        : storedRateBook({
            read: () => store.rates.readRates(),
            policy: ratePolicy(settings),
            now: clock.now,
            onReadFailed: (error) => log.warn({ err: error }, 'cannot read rates'),
          }),
    gates: gates.book,
    addresses: gates.addresses,
    proofs: gates.proofs,
    prover,
    reports,
    tracer,
    following: {
      holder: randomUUID(),
      maxDepth: settings.config.chains.max_reorganisation_depth,
    },
    spending: {
      bumpAfterMs: settings.config.payouts.raise_fee_after_seconds * 1000,
      cancelAfterMs: settings.config.payouts.cancel_refused_after_seconds * 1000,
      consolidation: new Map(
        settings.config.gates.flatMap((gate) =>
          gate.kind === 'bitcoin' && gate.consolidation !== null ? [[gate.id, gate.consolidation]] : [],
        ),
      ),
      cold,
      maxFees,
      maxFeesPerDay: feeLimitsPerDay(networksIn(assets), maxFees, settings.config.signer.max_fees_per_day),
      sweepMaxCostBps: settings.config.payouts.sweep_max_cost_bps,
      floatSweeps: settings.config.payouts.float_sweeps,
    },
    safeguards: {
      waived: settings.config.signer.waive,
      limits: spendingLimits(assets, settings.config.signer.limits),
    },
    weakeningDelayMs: settings.config.signer.weakening_delay_hours * 3_600_000,
    webhooks: assembleWebhooks(settings, sealKey, closers),
    people: {
      sendsMail: settings.smtpUrl !== null,
      handlesMoney: hasLiveGate(settings.config.gates),
      sealKey,
      url: () => origin.url,
    },
    present: {
      invoice: view,
      payout: (payout) => payoutView(assets, payout),
      refund: (refund) => refundView(assets, refund),
    },
  }
  return { app, gates, view, database, replica, url, origin }
}

function openReplicaOf(
  { replicaUrl, databaseConnections }: Settings,
  { db }: Database,
  log: Log,
  closers: Closers,
): Replica | null {
  if (replicaUrl === null) return null
  const replica = openReplica(replicaUrl, {
    primary: db,
    maxConnections: databaseConnections,
    onTrouble: (reason) =>
      log.warn({ reason }, 'the replica serves no lists; the database does until it can'),
    onUsable: () => log.info('the replica serves lists and exports'),
  })
  closers.add(() => replica.close())
  return replica
}

/** How many deposit addresses are kept ready. */
export function poolBounds({ config }: Settings): PoolBounds {
  const { ready, ready_at_most } = config.addresses
  return { least: ready, most: ready_at_most }
}

export function ratePolicy(settings: Settings): RatePolicy {
  return { ...defaultRatePolicy, maxAgeMs: settings.config.rates.max_age_seconds * 1000 }
}
