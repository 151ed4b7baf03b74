import type { SpendPlan } from '../../src/domain/spends.ts'
import { createLog } from '../../src/log.ts'
import type { SignerLimits } from '../../src/signer/check-limits.ts'
import { delayAt } from '../../src/signer/operator-settings.ts'
import { passkeyPinner } from '../../src/signer/pin-passkeys.ts'
import { signSpends } from '../../src/signer/sign-spends.ts'
import { latest } from '../../src/signer/standing.ts'
import type { Wallet } from '../../src/signer/wallet.ts'
import { watchCoolingOff } from '../../src/signer/watch-cooling-off.ts'
import { type Random, randomOf } from '../simulation/random.ts'
import { homePage } from '../support/people/approving-passkey.ts'
import { liveWallet, openPasskeyDesk, type PasskeyDesk } from '../support/people/passkey-desk.ts'
import { deskWords } from '../support/signer/signer-desk.ts'
import { createAdversary, tables } from './adversary.ts'
import { createBelief } from './belief.ts'
import { liveThief, type Thief } from './forgeries.ts'
import { honestWork } from './honest.ts'
import { createJudge } from './judge.ts'
import { ownRecords, settingsFrom } from './own-records.ts'
import {
  followChains,
  type Ground,
  keepTables,
  type Prepared,
  prepareRules,
  prepareSpends,
  simulatedGround,
} from './prepared.ts'
import { quickWallet } from './quick-wallet.ts'
import { openRows, type Role } from './rows.ts'

const stepsPerSeed = 6
const hourMs = 3_600_000
const relyingParty = { id: homePage.rpId, origins: [homePage.origin] }

/** A signature, and the plan that it was made for. */
export type Signed = { readonly network: string; readonly plan: SpendPlan; readonly bytes: Uint8Array }

export type SiegeOptions = {
  readonly limits: SignerLimits
  /** Whose rights the attacker has. */
  readonly role: Role
  readonly wallet?: Wallet
  readonly thief?: Thief
  readonly groundOf?: (desk: PasskeyDesk) => Ground | Promise<Ground>
}

/** What one seed has shown. */
export type Outcome = {
  readonly problems: readonly string[]
  /** What the attacker did, and the others. */
  readonly done: readonly string[]
  /** Everything that was signed. */
  readonly signed: readonly Signed[]
  /** The amounts of the payouts that people approved. */
  readonly approved: readonly bigint[]
  /** How many signatures could be mined. */
  readonly mineable: number
  /** Errors that kept the signer from signing anything. */
  readonly failures: readonly string[]
}

const simulated = quickWallet(liveWallet, deskWords)

/** A live signer at work, on a database that an attacker changes between any two steps. Seeds do not affect each other. */
export async function openSiege({ limits, role, ...options }: SiegeOptions) {
  const wallet = options.wallet ?? simulated
  const desk = await openPasskeyDesk({ wallet })
  await followChains(desk.url)
  const ann = await desk.holder()
  const bob = await desk.holder({ voucher: ann })
  const carol = await desk.member()
  await desk.offer(carol)
  const people = { ann, bob, carol }
  const ground = (await options.groundOf?.(desk)) ?? simulatedGround(desk)
  const spends = await prepareSpends(desk, ground, Object.values(people))
  const places = placesOf(ground)
  await prepareRules(desk, places.listed)
  const kept = await keepTables(desk.url, Object.keys(tables))
  const rows = await openRows(desk.test, role)
  const settings = settingsFrom(limits, ground)
  const { environment } = wallet
  const log = createLog('fatal', { write: () => {} })
  const startMs = Date.now()

  async function run(seed: number): Promise<Outcome> {
    const random = randomOf(seed)
    const chosen = someOf(random, spends)
    let nowMs = startMs
    const now = () => new Date(nowMs)
    const own = await ownRecords(desk, { seed, random, people, listed: places.listed, settings, startMs })
    const belief = createBelief(own.beginning)
    const judge = createJudge(wallet, belief, () => nowMs)
    for (const { coins } of spends) for (const coin of coins) judge.exists(coin)
    const app = { ...desk.app, now }
    const [done, failures, signed]: [string[], string[], Signed[]] = [[], [], []]
    const recording: Wallet = {
      ...wallet,
      sign(network, plan) {
        const made = wallet.sign(network, plan)
        judge.take(network, plan, made)
        signed.push({ network, plan, bytes: made.bytes })
        return made
      },
    }
    const newPinner = () => passkeyPinner(own.pins, { relyingParty, environment, log })
    let follow = newPinner()

    /** What the signer does before it signs. Returns what it holds to. */
    async function listen() {
      const ownNow = latest(nowMs, own.journal.newestMs(), own.pins.newestMs(), own.settings().newestMs())
      const standing = own.settings().standing(ownNow)
      const requireAll = standing.some((each) => each.requireAll)
      belief.listen(ownNow.getTime())
      await follow(app, ownNow, { requireAll, delayMs: delayAt(own.settings(), environment, ownNow) })
      const trust = { pins: own.pins, relyingParty, requireAll }
      await watchCoolingOff(app, environment, own.sights, { ...trust, ownNow })
      return {
        trust,
        sights: own.sights,
        limits: standing.map(({ limits: each, from }) => ({ ...each, from })),
        cold: standing.map(({ cold }) => cold),
      }
    }

    /** The signer says what went wrong and tries again; nothing is signed meanwhile. */
    async function unlessFailing(work: () => Promise<unknown>): Promise<boolean> {
      try {
        await work()
        return true
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error))
        return false
      }
    }

    const sign = () =>
      unlessFailing(async () => {
        const believed = await listen()
        await signSpends(app, recording, own.journal, { ...believed, ownNow: now, log })
      })

    const honest = honestWork({
      desk,
      people,
      belief,
      places: [...places.listed, ...places.unlisted],
      now: () => nowMs,
      hear: () => {
        follow = newPinner()
        return unlessFailing(listen)
      },
      kept,
      judge,
      spends: chosen,
      async configure(chance) {
        const other = settings.other(chance)
        if (await own.configure(other, now())) belief.configure(other.settings, nowMs)
        follow = newPinner()
      },
    })
    await honest.begin(random)
    const adversary = createAdversary({
      rows,
      desk,
      limits,
      coinNetwork: ground.coinNetwork,
      thief: options.thief ?? liveThief,
      people,
      insider: belief.insider,
      now,
      spends: () => chosen,
    })

    try {
      for (let n = 0; n < stepsPerSeed; n++) {
        nowMs += random.between(1, 600) * 1_000
        if (random.bool(0.35)) nowMs += random.pick([1, 3, 13, 25]) * hourMs
        if (random.bool(0.5)) {
          const what = await honest.act(random)
          done.push(`(${what})`)
          // What weakens would count before its time.
          if (['state', 'configure'].includes(what) && random.bool(0.4)) await sign()
        }
        if (random.bool(0.9)) done.push(await adversary.act(random))
        if (random.bool(0.3)) await sign()
      }
      await sign()
      const [approved, mineable] = [judge.approved(), judge.count()]
      return { problems: judge.conclude(), done, signed, approved, mineable, failures }
    } finally {
      await own.close()
    }
  }

  return {
    run,
    /** What the attacker has changed, and what its role was denied. */
    counts: rows.counts,
    async close() {
      await rows.close()
      await kept.close()
      await desk.close()
    },
  }
}

/** A few of the spends. */
function someOf(random: Random, spends: readonly Prepared[]): Prepared[] {
  const left = [...spends]
  const count = random.between(3, 5)
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(random.below(left.length), 1),
  ).flat()
}

function placesOf({ coinNetwork, listed, unlisted }: Ground) {
  const places = ({ coins, account, solana }: Ground['listed']) =>
    [
      { network: coinNetwork, address: coins, tag: null },
      { network: 'ethereum', address: account, tag: null },
      { network: 'solana', address: solana, tag: null },
    ].filter(({ address, network }) => address !== '' || network !== 'solana')
  return { listed: places(listed), unlisted: places(unlisted) }
}
