import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import type { App } from '../app/app.ts'
import type { RelyingParty } from '../domain/webauthn.ts'
import type { Log } from '../log.ts'
import { type SignerLease, takeSignerLease } from '../store/spends/signer-lease.ts'
import { storeOn } from '../store/store.ts'
import { type FirstSights, openFirstSights, sightsPath } from './first-sights.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { addressGranter } from './grant-addresses.ts'
import { type Journal, journalPath, openJournal } from './journal.ts'
import { findLoss } from './journal-gaps.ts'
import {
  delayAt,
  type GivenSettings,
  recordSettings,
  type SettingsRecord,
  settingsPath,
} from './operator-settings.ts'
import { takeOrders } from './order-box.ts'
import { carryOut } from './passkey-orders.ts'
import { openPins, type PasskeyPins, pinsPath } from './passkey-pins.ts'
import { passkeyPinner } from './pin-passkeys.ts'
import { forgottenKeeper } from './put-back-forgotten.ts'
import { type SigningOptions, signSpends } from './sign-spends.ts'
import { latest } from './standing.ts'
import { settingsTeller } from './tell-settings.ts'
import type { Wallet } from './wallet.ts'
import { forgetPastSights, watchCoolingOff } from './watch-cooling-off.ts'

/** The right to be the only signer of a wallet folder. Its live and test wallets share it. */
export type SignerSeat = {
  /** Takes the seat if it is free. Returns whether this process has it. */
  take(): boolean
  release(): void
}

export function signerSeat(dataDir: string): SignerSeat {
  const folder = dirname(journalPath(dataDir, 'test'))
  let lock: FolderLock | null = null
  return {
    take() {
      lock ??= lockFolder(folder)
      return lock !== null
    },
    release() {
      lock?.release()
      lock = null
    },
  }
}

/** What the signer believes of its own, from its folder. */
type Own = {
  readonly pins: PasskeyPins
  readonly follow: ReturnType<typeof passkeyPinner>
  readonly sights: FirstSights
  readonly settings: SettingsRecord
  readonly tellSettings: ReturnType<typeof settingsTeller>
}

const watchEveryMs = 1_000

export type SigningSession = {
  /** Signs what is waiting, and stores what was signed before, if this process may; returns how many. */
  step(): Promise<number>
  /** Whether the last step found nothing to do. */
  isIdle(): boolean
  /** Has this called when there may be something new to sign. */
  onPlanned(wake: () => void): void
  close(): Promise<void>
}

/**
 * Signs for a wallet while no other process does: there is one signer per wallet folder, and one per environment of the
 * database. Any other signer waits, and takes over when the current one ends.
 */
export function createSigningSession(options: {
  readonly app: Pick<App, 'now' | 'present' | 'assets'>
  readonly url: string
  readonly dataDir: string
  /** How long opening a database session may take. */
  readonly waitMs?: number
  readonly wallet: Wallet
  readonly seat: SignerSeat
  readonly settings: GivenSettings
  /** Whose pages may request passkeys. Without it, they are recorded, but nothing that needs one is signed. */
  readonly relyingParty?: RelyingParty | null
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly onJournaled?: SigningOptions['onJournaled']
  /** Whether the database stops together with the signer, so that it never gives out addresses without the signer. */
  readonly endsWithDatabase?: boolean
}): SigningSession {
  const { app, url, dataDir, wallet, seat, log, onJournaled, relyingParty = null } = options
  const { environment, fingerprint } = wallet
  const addresses = addressGranter(wallet, { makeStamp: randomUUID, log, now: () => performance.now() })
  const forgotten = forgottenKeeper({ log, now: () => performance.now() })
  let journal: Journal | null = null
  let own: Own | null = null
  let watchedMs = Number.NEGATIVE_INFINITY
  let lease: SignerLease | null = null
  let stopped: string | null = null
  let waits: string | null = null
  let wake = () => {}
  let done = 0

  function waitFor(reason: string): 0 {
    if (waits !== reason) log.warn({ environment }, reason)
    waits = reason
    return 0
  }

  async function letGo(): Promise<void> {
    await lease?.close()
    lease = null
    // Only what is on disk counts, so it is read again next time.
    await journal?.close()
    journal = null
    await own?.pins.close()
    await own?.sights.close()
    own = null
  }

  async function openOwn(kept: Journal): Promise<Own> {
    const path = settingsPath(dataDir, environment)
    const time = latest(new Date(), kept.newestMs())
    const settings = await recordSettings(path, environment, options.settings, time)
    const pins = await openPins(pinsPath(dataDir, environment), environment)
    try {
      const sights = await openFirstSights(sightsPath(dataDir, environment), environment)
      const follow = passkeyPinner(pins, { relyingParty, environment, log })
      const tellSettings = settingsTeller(settings, { environment, assets: app.assets, log })
      return { pins, sights, settings, follow, tellSettings }
    } catch (error) {
      await pins.close()
      throw error
    }
  }

  /** Follows what people and the operator have said, and notes which payouts they have approved. Returns what counts now. */
  async function followPeople(fenced: Pick<App, 'store'>, kept: Journal, known: Own) {
    const { pins, sights, settings } = known
    const ordered = await takeOrders(dataDir, environment, log, async (order) => {
      const at = latest(new Date(), kept.newestMs(), pins.newestMs(), settings.newestMs())
      const from = carryOut(pins, order, at, delayAt(settings, environment, at))
      await pins.save()
      return from
    })
    const now = latest(new Date(), kept.newestMs(), pins.newestMs(), settings.newestMs())
    const standing = settings.standing(now)
    const requireAll = standing.some((each) => each.requireAll)
    const trust = { pins, relyingParty, requireAll }
    const heard = await known.follow(fenced, now, {
      requireAll,
      delayMs: delayAt(settings, environment, now),
    })
    if (performance.now() - watchedMs >= watchEveryMs) {
      await known.tellSettings(fenced, now)
      await watchCoolingOff(fenced, environment, sights, { ...trust, ownNow: now })
      if (sights.isLong()) await forgetPastSights(fenced, kept, sights)
      watchedMs = performance.now()
    }
    return {
      heard: heard + ordered,
      trust,
      sights,
      limits: standing.map(({ limits, from }) => ({ ...limits, from })),
      cold: standing.map((each) => each.cold),
    }
  }

  return {
    isIdle: () => done === 0,
    async step() {
      done = 0
      if (!seat.take())
        return waitFor('another signer is using this wallet folder: this one waits until it ends')
      try {
        if (lease === null || !lease.isHeld()) {
          await letGo()
          lease = await takeSignerLease(url, environment, {
            waitMs: options.waitMs,
            onPlanned: () => wake(),
          })
          if (lease === null)
            return waitFor(
              'another signer is serving this environment of the database: this one waits until it ends',
            )
        }
        const { db } = lease
        const fenced = { store: storeOn(db), now: app.now }
        if (journal === null) {
          journal = await openJournal(journalPath(dataDir, environment), { environment, wallet: fingerprint })
          stopped = await findLoss(fenced, journal)
          if (stopped !== null) log.error({ environment, reason: stopped }, 'NOTHING IS SIGNED')
          forgotten.begin()
        }
        // Before addresses are granted, which lets workers plan: used nonces must be known by then.
        const transaction: App['transaction'] = (work) => db.transaction((tx) => work(storeOn(tx)))
        const putBack =
          stopped === null
            ? await forgotten.step(
                { ...fenced, assets: app.assets, present: app.present, transaction },
                journal,
              )
            : 0
        const granted = await addresses.grant(fenced.store, journal)
        if (own === null) {
          own = await openOwn(journal)
          await forgetPastSights(fenced, journal, own.sights)
        }
        const { heard, ...believed } = await followPeople(fenced, journal, own)
        if (waits !== null) log.info({ environment }, 'this signer is working now')
        waits = null
        const signed = await signSpends(fenced, wallet, journal, {
          ...believed,
          log,
          stopped,
          ...(onJournaled && { onJournaled }),
        })
        done = putBack + granted + heard + signed
        return signed + putBack
      } catch (error) {
        await letGo()
        throw error
      }
    },
    onPlanned(listener) {
      wake = listener
    },
    async close() {
      try {
        if (options.endsWithDatabase && lease?.isHeld() && journal !== null)
          await addresses.withdraw(storeOn(lease.db), journal)
      } catch (error) {
        log.warn({ err: error, environment }, 'some deposit addresses will be skipped at the next start')
      }
      await letGo()
    },
  }
}
