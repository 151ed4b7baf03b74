import type { GateId } from '../../src/domain/networks/network.ts'
import type { SpendPlan } from '../../src/domain/spends.ts'
import type { SignerLimits } from '../../src/signer/check-limits.ts'
import { type Random, randomOf } from '../simulation/random.ts'
import { asSuperuser, onDatabase, query } from '../support/database/database.ts'
import { homePage } from '../support/people/approving-passkey.ts'
import { openPasskeyDesk } from '../support/people/passkey-desk.ts'
import { openAdversary } from './adversary.ts'
import { coldWallets, honestWork } from './honest.ts'
import { createJudge } from './judge.ts'

const stepsPerSeed = 8

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

/** A live signer at work, on a database that an attacker changes between any two steps. */
export async function openSiege(limits: SignerLimits) {
  const desk = await openPasskeyDesk()
  await query(
    desk.url,
    `insert into followed_chains (gate_id, chain, height, hash) values ('ethereum-live', 'simulated', 100, 'tip')`,
  )
  const judge = createJudge(desk.wallet, limits, coldWallets)
  const cold = new Map<GateId, string>([
    ['bitcoin-live', coldWallets.bitcoin],
    ['ethereum-live', coldWallets.ethereum],
  ])
  const honest = honestWork(desk, judge, await desk.holder())
  const adversary = await openAdversary(onDatabase(asSuperuser(desk.url), databaseOf(desk.url)), desk)
  const recording = {
    ...desk.wallet,
    sign(network: string, plan: SpendPlan) {
      const signed = desk.wallet.sign(network, plan)
      judge.take(network, plan, signed)
      return signed
    },
  }
  const relyingParty = { id: homePage.rpId, origins: [homePage.origin] }
  const trust = { pins: desk.pins, relyingParty, requireAll: true }
  const failures: string[] = []

  async function sign(): Promise<void> {
    try {
      await desk.follow({ requireAll: true })
      await desk.sign({ limits, trust, cold }, recording)
    } catch (error) {
      // The signer says so and tries again; nothing is signed meanwhile.
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }

  async function step(random: Random): Promise<string | null> {
    // The service fails on rows that it does not understand. That costs payouts, not money.
    if (random.bool(0.4)) await honest.act(random).catch(() => {})
    const done = random.bool(0.9) ? await adversary.act(random) : null
    if (random.bool(0.5)) await sign()
    return done
  }

  return {
    judge,
    adversary,
    /** Errors that kept the signer from signing anything. */
    failures,
    /** Runs one seed. Returns what the attacker did. */
    async run(seed: number): Promise<string[]> {
      const random = randomOf(seed)
      const done: string[] = []
      for (let n = 0; n < stepsPerSeed; n++) done.push(...[(await step(random)) ?? []].flat())
      await sign()
      return done
    },
    async close() {
      await adversary.close()
      await desk.close()
    },
  }
}
