import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ColdDestinations } from '../../src/domain/cold-wallets.ts'
import type { SpendPlan } from '../../src/domain/spends.ts'
import { createLog } from '../../src/log.ts'
import type { SignerLimits } from '../../src/signer/check-limits.ts'
import { openFirstSights } from '../../src/signer/first-sights.ts'
import { openJournal } from '../../src/signer/journal.ts'
import { openPins, pinsPath } from '../../src/signer/passkey-pins.ts'
import { passkeyPinner } from '../../src/signer/pin-passkeys.ts'
import { signSpends } from '../../src/signer/sign-spends.ts'
import type { Wallet } from '../../src/signer/wallet.ts'
import { type Random, randomOf } from '../simulation/random.ts'
import { homePage } from '../support/people/approving-passkey.ts'
import { liveWallet, openPasskeyDesk, type PasskeyDesk } from '../support/people/passkey-desk.ts'
import { deskWords } from '../support/signer/signer-desk.ts'
import { createAdversary, tables } from './adversary.ts'
import { liveThief, type Thief } from './forgeries.ts'
import { honestWork } from './honest.ts'
import { createJudge } from './judge.ts'
import {
  followChains,
  type Ground,
  keepTables,
  type Prepared,
  prepareSpends,
  simulatedGround,
} from './prepared.ts'
import { quickWallet } from './quick-wallet.ts'
import { openRows, type Role } from './rows.ts'

const stepsPerSeed = 6
const relyingParty = { id: homePage.rpId, origins: [homePage.origin] }
const passkeys = { relyingParty, requireAll: true }

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
  /** What the attacker did. */
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
  const approver = await desk.holder()
  const ground = (await options.groundOf?.(desk)) ?? simulatedGround(desk)
  const prepared = await prepareSpends(desk, ground, approver)
  const coldGates: ColdDestinations = new Map([
    ['bitcoin-live', ground.cold.bitcoin],
    ['ethereum-live', ground.cold.ethereum],
  ])
  const kept = await keepTables(desk.url, Object.keys(tables))
  const rows = await openRows(desk.test, role)
  const { environment, fingerprint } = wallet
  const log = createLog('fatal', { write: () => {} })

  /** The files of a signer that has signed nothing yet, and trusts one passkey. */
  async function openFiles(seed: number) {
    const folder = join(desk.folder.path, `${seed}`)
    await mkdir(folder)
    const path = join(folder, 'passkeys')
    await copyFile(pinsPath(desk.folder.path, environment), path)
    const pins = await openPins(path, environment)
    const journal = await openJournal(join(folder, 'journal'), { environment, wallet: fingerprint })
    const sights = await openFirstSights(join(folder, 'sights'), environment)
    const close = () => Promise.all([pins.close(), journal.close(), sights.close()])
    return { pins, journal, sights, close }
  }

  async function run(seed: number): Promise<Outcome> {
    const random = randomOf(seed)
    const chosen = someOf(random, prepared.spends)
    const judge = createJudge(wallet, limits, ground.cold)
    for (const { coins } of prepared.spends) for (const coin of coins) judge.exists(coin)
    const honest = honestWork(desk, kept, judge, chosen)
    await honest.begin(random)
    const files = await openFiles(seed)
    const adversary = createAdversary({
      rows,
      desk,
      limits,
      thief: options.thief ?? liveThief,
      spends: () => chosen,
    })
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
    const follow = passkeyPinner(files.pins, { ...passkeys, environment, log })
    const trust = { ...passkeys, pins: files.pins }

    async function sign(): Promise<void> {
      try {
        await follow(desk.app, new Date(), { requireAll: true, delayMs: 0 })
        await signSpends(desk.app, recording, files.journal, {
          limits: [{ ...limits, from: new Date(0) }],
          cold: [coldGates],
          trust,
          sights: files.sights,
          log,
        })
      } catch (error) {
        // The signer says so and tries again; nothing is signed meanwhile.
        failures.push(error instanceof Error ? error.message : String(error))
      }
    }

    try {
      for (let n = 0; n < stepsPerSeed; n++) {
        if (random.bool(0.3)) await honest.act(random)
        if (random.bool(0.9)) done.push(await adversary.act(random))
        if (random.bool(0.3)) await sign()
      }
      await sign()
      const [approved, mineable] = [judge.approved(), judge.count()]
      return { problems: judge.conclude(), done, signed, approved, mineable, failures }
    } finally {
      await files.close()
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
