import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { marksByDemand, type PoolBounds } from '../domain/address-demand.ts'
import { networksIn } from '../domain/assets.ts'
import { type Environment, environments } from '../domain/environment.ts'
import type { GateId } from '../domain/networks/network.ts'
import { relyingPartyOf } from '../domain/relying-party.ts'
import { feeCeilings, feeLimitsPerDay } from '../domain/spending-limits.ts'
import type { RelyingParty } from '../domain/webauthn.ts'
import type { Log } from '../log.ts'
import { type Config, signerDefaults } from '../settings/config-file.ts'
import { spendingLimits } from '../settings/limit-config.ts'
import type { Settings } from '../settings/settings.ts'
import type { SignerLimits } from '../signer/check-limits.ts'
import { fillAddresses } from '../signer/fill-addresses.ts'
import { openKeptWallet } from '../signer/kept-wallet.ts'
import type { GivenSettings } from '../signer/operator-settings.ts'
import {
  createSigningSession,
  type SignerSeat,
  type SigningSession,
  signerSeat,
} from '../signer/signing-session.ts'
import type { Wallet } from '../signer/wallet.ts'
import { WalletError, walletPath } from '../signer/wallet-file.ts'
import { secretsFrom } from '../signer/wallet-secret.ts'
import { startLoop } from '../worker/loop.ts'
import { type Opened, poolBounds } from './app.ts'
import type { Closers } from './closers.ts'
import { checkColdWallets, coldDestinations } from './cold-wallets.ts'
import { gateChains } from './node-gates.ts'

const seedPoolCheckMs = 1_000
const signEveryMs = 200
// Plans and requests for addresses are announced, and wake the signer. While it has nothing to do, polling covers lost
// announcements, and finds new passkeys soon enough for the people who add them.
const idleEveryMs = 1_000
const idleAfterSteps = 10
const afterFailureMs = 2_000
const walletCheckMs = 500
const hourMs = 3_600_000

/**
 * Everything that needs a seed: opens the wallets, or creates the test wallet, derives the addresses that only a seed
 * can derive, and signs. Throws a WalletError when a wallet or its journal cannot be used.
 */
export async function startSigner(
  settings: Settings,
  opened: Pick<Opened, 'app' | 'url'>,
  log: Log,
  closers: Closers,
  /** Given if only another start of this process can open a wallet that is created meanwhile. */
  startAgain?: () => never,
): Promise<void> {
  const { dataDir } = settings
  const chains = gateChains(settings.assets, settings.config.gates)
  const seat = signerSeat(dataDir)
  closers.add(async () => seat.release())
  const open = async (environment: Environment) =>
    openKeptWallet(opened.app, environment, { dataDir, secrets: await secretsFrom(settings), log, chains })
  const begin = (wallet: Wallet) => {
    startFilling(opened, wallet, poolBounds(settings), log, closers)
    return openSigning(settings, opened, wallet, seat, log, closers)
  }
  for (const environment of environments) {
    const wallet = await open(environment)
    if (wallet !== null) {
      const session = begin(wallet)
      // Report an unusable journal before the signer counts as ready.
      await session.step()
      keepSigning(session, environment, log, closers)
    } else if (!existsSync(walletPath(dataDir, environment)))
      whenMade(
        walletPath(dataDir, environment),
        startAgain ?? (() => open(environment)),
        log,
        closers,
        (made) => keepSigning(begin(made), environment, log, closers),
      )
  }
}

/** Waits for a wallet that is created or restored while the signer runs. */
function whenMade(
  path: string,
  open: () => Promise<Wallet | null>,
  log: Log,
  closers: Closers,
  start: (wallet: Wallet) => void,
): void {
  let isDone = false
  const loop = startLoop({
    everyMs: walletCheckMs,
    step: async () => {
      if (isDone || !existsSync(path)) return
      const wallet = await open()
      isDone = true
      if (wallet !== null) start(wallet)
    },
    onError: (error) => {
      // Other errors may be temporary.
      isDone ||= error instanceof WalletError
      log.error({ err: error, path }, 'NOTHING IS SIGNED: the new wallet cannot be used')
    },
  })
  closers.add(() => loop.stop())
}

function startFilling(
  { app }: Pick<Opened, 'app'>,
  wallet: Wallet,
  bounds: PoolBounds,
  log: Log,
  closers: Closers,
): void {
  const marks = marksByDemand(bounds, () => performance.now())
  const filler = randomUUID()
  const loop = startLoop({
    everyMs: seedPoolCheckMs,
    step: async (signal) => {
      const added = await fillAddresses(app, wallet, marks, { signal, filler })
      if (added > 0) log.debug({ added }, 'deposit addresses derived from the seed')
    },
    onError: (error) => log.warn({ err: error }, 'cannot derive deposit addresses from the seed'),
  })
  closers.add(() => loop.stop())
}

function openSigning(
  settings: Settings,
  { app, url }: Pick<Opened, 'app' | 'url'>,
  wallet: Wallet,
  seat: SignerSeat,
  log: Log,
  closers: Closers,
): SigningSession {
  const given = givenSettings(settings)
  checkColdWallets(settings, wallet)
  if (wallet.environment === 'live') warnOfLive(settings, given.read(given.section).limits, log)
  const { dataDir } = settings
  const endsWithDatabase = settings.databaseUrl === null
  const waitMs = settings.databaseWaitSeconds * 1000
  const session = createSigningSession({
    app,
    url,
    dataDir,
    waitMs,
    wallet,
    seat,
    settings: given,
    relyingParty: passkeyPages(settings),
    log,
    endsWithDatabase,
  })
  closers.add(() => session.close())
  return session
}

function warnOfLive({ config }: Settings, { areRequired, spending }: SignerLimits, log: Log): void {
  for (const safeguard of config.signer.waive)
    log.warn({ safeguard }, 'A SAFEGUARD OF LIVE PAYOUTS IS WAIVED: see signer.waive in SLUICE_CONFIG')
  if (areRequired && spending.length === 0)
    log.warn('no live payout is signed until the signer has limits: set signer.limits in SLUICE_CONFIG')
}

function keepSigning(session: SigningSession, environment: Environment, log: Log, closers: Closers): void {
  let idleSteps = 0
  const loop = startLoop({
    everyMs: () => (idleSteps < idleAfterSteps ? signEveryMs : idleEveryMs),
    step: async (signal) => {
      try {
        await session.step()
        idleSteps = session.isIdle() ? idleSteps + 1 : 0
      } catch (error) {
        log.error({ err: error, environment }, 'NOTHING IS SIGNED: the signer fails and retries')
        await delay(afterFailureMs, undefined, { signal }).catch(() => {})
      }
    },
    onError: (error) => log.error({ err: error }, 'signing failed'),
  })
  session.onPlanned(loop.wake)
  closers.add(() => loop.stop())
}

/** The operator's settings for the signer, and how to read those that it has recorded. */
export function givenSettings({ assets, config }: Pick<Settings, 'assets' | 'config'>): GivenSettings {
  const networks = networksIn(assets)
  const cold = coldDestinations({ assets, config })
  return {
    section: Object.keys(cold).length === 0 ? config.signer : { ...config.signer, cold },
    read(section) {
      // What an earlier version recorded may lack a setting that this one has.
      const { limits, max_fee, max_fees_per_day, waive, weakening_delay_hours, cold } = {
        ...signerDefaults,
        cold: {},
        ...section,
      } as Config['signer'] & { cold: Record<GateId, string> }
      const maxFees = feeCeilings(networks, max_fee)
      return {
        limits: {
          spending: spendingLimits(assets, limits),
          areRequired: !waive.includes('limits'),
          maxFees,
          maxFeesPerDay: feeLimitsPerDay(networks, maxFees, max_fees_per_day),
        },
        cold: new Map(Object.entries(cold) as [GateId, string][]),
        requireAll: !waive.includes('passkeys'),
        weakeningDelayMs: weakening_delay_hours * hourMs,
      }
    },
  }
}

/** The pages on which passkeys are used. On a free port, only a public URL tells where users reach the service. */
function passkeyPages({ publicUrl, port }: Settings): RelyingParty | null {
  const url = publicUrl ?? (port === 0 ? null : `http://localhost:${port}`)
  return url === null ? null : relyingPartyOf(url)
}
