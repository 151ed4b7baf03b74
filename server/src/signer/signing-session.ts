import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import type { App } from '../app/app.ts'
import type { Log } from '../log.ts'
import { type SignerLease, takeSignerLease } from '../store/spends/signer-lease.ts'
import { storeOn } from '../store/store.ts'
import type { SignerLimits } from './check-limits.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { addressGranter } from './grant-addresses.ts'
import { type Journal, journalPath, openJournal } from './journal.ts'
import { findLoss } from './journal-gaps.ts'
import { openPins, type PasskeyPins, pinsPath } from './passkey-pins.ts'
import type { PasskeySettings } from './passkey-trust.ts'
import { passkeyPinner } from './pin-passkeys.ts'
import { forgottenKeeper } from './put-back-forgotten.ts'
import { type SigningOptions, signSpends } from './sign-spends.ts'
import type { Wallet } from './wallet.ts'

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

type KnownPasskeys = { readonly pins: PasskeyPins; readonly follow: ReturnType<typeof passkeyPinner> }

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
  readonly limits: SignerLimits
  /** Without it, passkeys are recorded, but nothing that needs one is signed. */
  readonly passkeys?: PasskeySettings
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly onJournaled?: SigningOptions['onJournaled']
  /** Whether the database stops together with the signer, so that it never gives out addresses without the signer. */
  readonly endsWithDatabase?: boolean
}): SigningSession {
  const { app, url, dataDir, wallet, seat, limits, log, onJournaled } = options
  const passkeys = options.passkeys ?? { relyingParty: null, requireAll: false }
  const { environment, fingerprint } = wallet
  const addresses = addressGranter(wallet, { makeStamp: randomUUID, log, now: () => performance.now() })
  const forgotten = forgottenKeeper({ log, now: () => performance.now() })
  let journal: Journal | null = null
  let known: KnownPasskeys | null = null
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
    await known?.pins.close()
    known = null
  }

  async function openPasskeys(): Promise<KnownPasskeys> {
    const pins = await openPins(pinsPath(dataDir, environment), environment)
    return { pins, follow: passkeyPinner(pins, { ...passkeys, environment, log }) }
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
        known ??= await openPasskeys()
        const pinned = await known.follow(fenced, new Date())
        if (waits !== null) log.info({ environment }, 'this signer is working now')
        waits = null
        const signed = await signSpends(fenced, wallet, journal, {
          limits,
          trust: { ...passkeys, pins: known.pins },
          log,
          stopped,
          ...(onJournaled && { onJournaled }),
        })
        done = putBack + granted + pinned + signed
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
