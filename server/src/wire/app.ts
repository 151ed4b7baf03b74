import { randomBytes, randomUUID } from 'node:crypto'
import type { App } from '../app/app.ts'
import { fixedRateBook, storedRateBook } from '../app/rates/rate-book.ts'
import { networksIn, withConfirmations } from '../domain/assets.ts'
import { defaultRatePolicy, type RatePolicy } from '../domain/rates.ts'
import { feeCeilings } from '../domain/spending-limits.ts'
import { type InvoiceViewer, invoiceViewer } from '../http/views/invoice.ts'
import { payoutView } from '../http/views/payout.ts'
import { refundView } from '../http/views/refund.ts'
import type { Log } from '../log.ts'
import type { Purpose } from '../postgres/ownership.ts'
import type { Settings } from '../settings.ts'
import { startDatabaseClock } from '../store/clock.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { storeOn } from '../store/store.ts'
import type { Closers } from './closers.ts'
import { assembleGates, type Gates } from './gates.ts'
import type { Supplies } from './supplies.ts'
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

/** The database, migrated, and the use cases' view of everything, with what this process gathers by itself. */
export async function openApp(
  settings: Settings,
  purpose: Purpose,
  log: Log,
  closers: Closers,
): Promise<Opened> {
  // Loaded only where it is used: a process that is given its supplies does without.
  const { openSupplies } = await import('./supplies.ts')
  return openAppWith(await openSupplies(settings, purpose, log, closers), settings, log, closers)
}

/** The same with supplies that another process has gathered. */
export async function openAppWith(
  { databaseUrl: url, sealKey }: Supplies,
  settings: Settings,
  log: Log,
  closers: Closers,
): Promise<Opened> {
  const applied = await migrate(url)
  if (applied.length > 0)
    log.info({ migrations: applied.length, newest: applied.at(-1) }, 'database brought up to date')
  const database = openDatabase(url, {
    maxConnections: settings.databaseConnections,
    waitMs: settings.databaseWaitSeconds * 1000,
    onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
  })
  closers.add(() => database.close())
  const store = storeOn(database.db)
  await store.events.beginEraIfMoved()
  const clock = await startDatabaseClock(database.db)
  closers.add(async () => clock.stop())
  const transaction: App['transaction'] = (work) => database.transaction((tx) => work(storeOn(tx)))
  const { confirmations, confirmation_tiers } = settings.config
  const assets = withConfirmations(settings.assets, confirmations, confirmation_tiers)
  const gates = assembleGates({
    store,
    assets,
    random: randomBytes,
    configured: settings.config.gates,
    transaction,
    closers,
    maxDepth: settings.config.chains.max_reorganisation_depth,
    log,
  })
  const origin = { url: settings.publicUrl ?? `http://${settings.host}:${settings.port}` }
  const view = invoiceViewer({ checkoutUrl: (link) => `${origin.url}/pay/${link}`, gates: gates.book })
  const app: App = {
    store,
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
      onShortfall: (gate, { address, expectedUnits, foundUnits }) =>
        log.error(
          { gate: gate.id, address, expected_units: `${expectedUnits}`, found_units: `${foundUnits}` },
          'AN ADDRESS HAS LESS ON CHAIN THAN THE BOOKS SAY: nothing is booked by it; look at what has left it',
        ),
      onBalancesUnknown: (gate, { height }) =>
        log.warn(
          { gate: gate.id, height: `${height}` },
          'the node does not have the state of this block, so coins that arrive inside contracts are looked for at the next one',
        ),
      onJobFailed: (kind, subject, error) =>
        log.error({ kind, subject, err: error }, 'work failed; it is tried again'),
    },
    spending: {
      bumpAfterMs: settings.config.payouts.raise_fee_after_seconds * 1000,
      cancelAfterMs: settings.config.payouts.cancel_refused_after_seconds * 1000,
      consolidation: new Map(
        settings.config.gates.flatMap((gate) =>
          gate.kind === 'bitcoin' && gate.consolidation !== null ? [[gate.id, gate.consolidation]] : [],
        ),
      ),
      onLookFailed: (spend, error) =>
        log.warn({ spend: spend.id, gate: spend.gateId, err: error }, 'a transaction could not be looked at'),
      onWaits: (payout, reason) =>
        log.warn({ payout: payout.id, gate: payout.gateId, reason }, 'an approved payout has to wait'),
      onRefused: (gate, spend, reason) =>
        log.warn(
          { gate: gate.id, spend, reason },
          'the network does not take a transaction; it is sent again',
        ),
      maxFees: feeCeilings(networksIn(assets), settings.config.signer.max_fee),
      onRaiseWaits: (gate, spend, reason) =>
        log.warn(
          { gate: gate.id, spend, reason },
          'a sweep waits for a block and is not sent at the higher fee that the network asks for; it is looked at again',
        ),
      sweepMaxCostBps: settings.config.payouts.sweep_max_cost_bps,
      floatSweeps: settings.config.payouts.float_sweeps,
      onFloatLow: (gate, { float, needed, hotAddress }) =>
        log.warn(
          { gate: gate.id, float, needed, hot_wallet: hotAddress },
          'the operator’s float is low: send the network’s own coin to the hot wallet before sweeps and payouts of tokens have to wait',
        ),
      onFloatEnough: (gate) => log.info({ gate: gate.id }, 'the operator’s float is enough again'),
      onWaitsAgain: (gate, spend, hash) =>
        log.info(
          { gate: gate.id, spend, hash },
          'a transaction that was booked as done waits again: its block was replaced; nothing has to be done',
        ),
      onCoinMissing: (gate, { txHash, outputIndex }) =>
        log.error(
          { gate: gate.id, tx_hash: txHash, output_index: outputIndex },
          'A COIN OF THE BOOKS IS NOT ON THE CHAIN, or was spent without this service: it is not used; after a restore, run: npx sluice wallet reconcile',
        ),
      onFilled: (gate, number) =>
        log.warn(
          { gate: gate.id, number: `${number}` },
          'a number of the hot wallet is free again after a reorganisation: it is used up, so that what is behind it can be mined',
        ),
      onReturned: (gate, spend, hash, isBooked) =>
        log.fatal(
          { gate: gate.id, spend, hash, booked: isBooked },
          'A TRANSACTION WAS MINED AFTER ALL THAT HAD BEEN GIVEN UP AS RULED OUT: what it moved has left. A payout that it paid was told to have failed: settle it with the merchant',
        ),
      onUndone: (gate, spend, reason) =>
        log.fatal(
          { gate: gate.id, spend, reason },
          'A TRANSACTION THAT WAS BOOKED AS DONE CAN NEVER BE MINED ANY MORE: end its payouts as failed, npx sluice payout give-up',
        ),
    },
    webhooks: assembleWebhooks(settings, sealKey, closers),
    people: { sendsMail: settings.smtpUrl !== null, sealKey, url: () => origin.url },
    present: {
      invoice: view,
      payout: (payout) => payoutView(assets, payout),
      refund: (refund) => refundView(assets, refund),
    },
  }
  return { app, gates, view, database, url, origin }
}

export function ratePolicy(settings: Settings): RatePolicy {
  return { ...defaultRatePolicy, maxAgeMs: settings.config.rates.max_age_seconds * 1000 }
}
