import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ColdDestinations } from '../../src/domain/cold-wallets.ts'
import { gateId } from '../../src/domain/networks/network.ts'
import { noPolicy, type PayoutPolicy } from '../../src/domain/payout-policy.ts'
import type { SignerLimits } from '../../src/signer/check-limits.ts'
import { openFirstSights } from '../../src/signer/first-sights.ts'
import { openJournal } from '../../src/signer/journal.ts'
import {
  type GivenSettings,
  type OperatorSettings,
  recordSettings,
} from '../../src/signer/operator-settings.ts'
import { openPins, pinsPath } from '../../src/signer/passkey-pins.ts'
import type { Place } from '../../src/signer/pin-book.ts'
import type { Random } from '../simulation/random.ts'
import type { PasskeyDesk } from '../support/people/passkey-desk.ts'
import type { Beginning } from './belief.ts'
import { coolingOffSeconds, type People } from './people.ts'
import type { Ground } from './prepared.ts'

const hourMs = 3_600_000

/** Settings under the name by which the signer records them. */
export type Named = { readonly name: string; readonly settings: OperatorSettings }

/** The operator's settings at the start of every seed, and the others that may follow. */
export function settingsFrom(limits: SignerLimits, { coinNetwork, cold, unlisted }: Ground) {
  const coldOf = (coins: string, account: string): ColdDestinations =>
    new Map([
      [gateId(coinNetwork, 'live'), coins],
      [gateId('ethereum', 'live'), account],
    ])
  const first: OperatorSettings = {
    limits,
    cold: coldOf(cold.coins, cold.account),
    requireAll: true,
    weakeningDelayMs: 24 * hourMs,
  }
  const all: Readonly<Record<string, OperatorSettings>> = {
    first,
    higher: { ...first, limits: scaled(limits, 20n, 1n) },
    lower: { ...first, limits: scaled(limits, 1n, 2n) },
    elsewhere: { ...first, cold: coldOf(unlisted.coins, unlisted.account) },
    sooner: { ...first, weakeningDelayMs: hourMs },
    later: { ...first, weakeningDelayMs: 48 * hourMs },
  }
  const named = (name: string): Named => ({ name, settings: all[name] ?? first })
  return {
    first: named('first'),
    other: (random: Random) =>
      named(random.weighted({ higher: 3, elsewhere: 3, first: 1, lower: 1, sooner: 1, later: 1 })),
    given: ({ name }: Named): GivenSettings => ({
      section: { name },
      read: (section) => named(`${section.name}`).settings,
    }),
  }
}

export type SettingsChoice = ReturnType<typeof settingsFrom>

function scaled(limits: SignerLimits, times: bigint, per: bigint): SignerLimits {
  const scale = (units: bigint) => (units * times) / per
  const each = (ceilings: ReadonlyMap<string, bigint>) =>
    new Map([...ceilings].map(([network, units]) => [network, scale(units)]))
  return {
    ...limits,
    spending: limits.spending.map((limit) => ({
      ...limit,
      perDayUnits: limit.perDayUnits === null ? null : scale(limit.perDayUnits),
    })),
    maxFees: each(limits.maxFees),
    maxFeesPerDay: each(limits.maxFeesPerDay),
  }
}

/** What the signer has recorded on its own disk when a seed begins. It has signed nothing yet, and trusts two passkeys. */
export async function ownRecords(
  desk: PasskeyDesk,
  {
    seed,
    random,
    people,
    listed,
    settings,
    startMs,
  }: {
    readonly seed: number
    readonly random: Random
    readonly people: People
    readonly listed: readonly Place[]
    readonly settings: SettingsChoice
    readonly startMs: number
  },
) {
  const { environment, fingerprint } = desk.wallet
  const folder = join(desk.folder.path, `${seed}`)
  await mkdir(folder)
  const path = join(folder, 'passkeys')
  await copyFile(pinsPath(desk.folder.path, environment), path)
  const pins = await openPins(path, environment)
  const journal = await openJournal(join(folder, 'journal'), { environment, wallet: fingerprint })
  const sights = await openFirstSights(join(folder, 'sights'), environment)
  const insider = random.bool(0.3) ? people.bob : null
  const policy = beginningWith(random, insider !== null)
  const { merchantId } = desk
  const start = new Date(startMs)
  const times = { at: start, from: start, statedAt: start }
  pins.setPolicy({ merchantId, policy, baseCurrency: 'USD', how: 'operator', ...times })
  for (const place of listed) pins.setDestination({ merchantId, ...place, isAllowed: true, ...times })
  const record = (given: Named, at: Date) =>
    recordSettings(join(folder, 'settings'), environment, settings.given(given), at)
  let recorded = await record(settings.first, start)
  let newest = settings.first.name
  const beginning: Beginning = {
    startMs,
    trusted: [people.ann, people.bob],
    insider,
    policy,
    listed,
    settings: settings.first.settings,
  }
  return {
    beginning,
    pins,
    journal,
    sights,
    settings: () => recorded,
    /** The signer is started with these settings. Returns whether they are others than before. */
    async configure(given: Named, at: Date): Promise<boolean> {
      const isOther = given.name !== newest
      recorded = await record(given, at)
      newest = given.name
      return isOther
    },
    close: () => Promise.all([pins.close(), journal.close(), sights.close()]),
  }
}

/** Against an attacker with one trusted passkey, two people must approve. */
function beginningWith(random: Random, hasInsider: boolean): PayoutPolicy {
  return {
    ...noPolicy,
    approval: 'passkey',
    approvalsRequired: hasInsider || random.bool(0.3) ? 2 : 1,
    coolingOffSeconds: random.bool(0.4) ? coolingOffSeconds : 0,
    onlyKnownDestinations: random.bool(0.5),
  }
}
