import type { App } from '../app/app.ts'
import { eachInTurn } from '../app/each-in-turn.ts'
import type { ColdOutcome } from '../app/spends/cold/cold-terms.ts'
import { findRefills } from '../app/spends/cold/find-refills.ts'
import { moveToCold } from '../app/spends/cold/move-to-cold.ts'
import { fillGaps } from '../app/spends/hot-wallet/fill-gaps.ts'
import { openTrustLines } from '../app/spends/hot-wallet/open-trust-lines.ts'
import { watchFloat } from '../app/spends/hot-wallet/watch-float.ts'
import { checkCoins } from '../app/spends/planning/check-coins.ts'
import { consolidateCoins } from '../app/spends/planning/consolidate-coins.ts'
import { planPayouts } from '../app/spends/planning/plan-payouts.ts'
import { proveOthers } from '../app/spends/planning/prove-coins.ts'
import { cancelRefused } from '../app/spends/settling/cancel-refused.ts'
import { endGivenUp } from '../app/spends/settling/end-given-up.ts'
import { explainWaiting } from '../app/spends/settling/explain-waiting.ts'
import { lookAtSpends } from '../app/spends/settling/look-at-spends.ts'
import { letAllWait, noGate } from '../app/spends/settling/say-why.ts'
import { sweepDeposits } from '../app/spends/sweeping/sweep-deposits.ts'
import type { Gate } from '../gates/gate.ts'
import type { Log } from '../log.ts'
import { fillHotWallets } from '../simulator/helpers/fill-hot-wallets.ts'
import type { AgendaLoop } from './agenda.ts'
import { type Loop, onAgendaMs, startLoop } from './loop.ts'

// Payouts that are approved within this time leave in one transaction where the network allows that.
const batchMs = 50
const maxRounds = 20
// Each retry of a waiting payout calls the node, and node providers meter calls.
const waitingMs = 5_000
const floatEveryMs = 60_000
// New blocks make coins spendable and wake the loop; polling catches falling fees.
const consolidateEveryMs = 60_000
const sweepEveryMs = 30_000
// New blocks bring what may be above the cap, and wake the loop; polling follows the rates.
const coldEveryMs = 10_000
// Only a reorganisation frees a nonce, and it wakes the loop; polling finds what a process that died has left.
const fillEveryMs = 5_000
// New blocks wake the loop: only they can hold a refill that was sent elsewhere.
const refillsEveryMs = 30_000
const explainEveryMs = 10_000
// As long as one is missing; the ledger is asked for each.
const trustEveryMs = 5_000
const coinsEveryMs = 60_000

export type SpendLoops = {
  readonly loops: readonly Loop[]
  /** For when a chain has moved. */
  wakeForBlocks(): void
  /** For when blocks were replaced. */
  wakeForReplaced(): void
  /** For when the signer has signed or refused something. */
  wakeForAnswers(): void
  /** For when a payout was approved. */
  wakeForApprovals(): void
}

/**
 * Starts these loops: planning plans approved payouts; ending ends those refused for good; looking sends signed
 * transactions and books what the chain has decided; watching watches the float; sweeping sweeps deposits that are worth the
 * cost; consolidation consolidates small coins where the operator enabled it; cooling moves to the cold wallet what is
 * above a hot wallet's cap; trusting makes the trust lines that hot wallets lack; checking asks the nodes whether coins still exist; returning looks for refills that were sent
 * elsewhere or had ended; filling fills nonces that a reorganisation has freed; explaining records why each waiting payout
 * waits.
 */
export function startSpendLoops(app: App, agenda: AgendaLoop, log: Log): SpendLoops {
  const waits = new Set<Gate>()
  let sawDue = false
  const planning = startLoop({
    everyMs: onAgendaMs,
    step: async (signal) => {
      const due = await app.store.waiting.gatesOfDue()
      sawDue = due.length > 0
      for (const gateId of due) {
        const gate = app.gates.find(gateId)
        if (gate === null) {
          await letAllWait(app, gateId, noGate(gateId))
          continue
        }
        if (waits.has(gate)) continue
        let planned = 0
        for (let round = 0; round < maxRounds && !signal.aborted; round++) {
          const count = await planPayouts(app, gate)
          if (count === 0) break
          planned += count
        }
        if (gate.simulated === null && planned === 0) {
          waits.add(gate)
          setTimeout(() => waits.delete(gate), waitingMs).unref()
        }
        await fillHotWallets(app, gate)
      }
    },
    onError: (error) => log.error({ err: error }, 'could not plan payouts; will retry'),
  })
  const ending = startLoop({
    everyMs: onAgendaMs,
    step: async () => {
      const [cancelled, ended] = [await cancelRefused(app), await endGivenUp(app)]
      if (cancelled + ended > 0) planning.wake()
    },
    onError: (error) => log.error({ err: error }, 'could not end refused payouts; will retry'),
  })
  const looking = startLoop({
    everyMs: onAgendaMs,
    step: async (signal) => {
      if ((await lookAtSpends(app, { signal })) === 0) return
      waits.clear()
      if (sawDue) planning.wake()
    },
    onError: (error) => log.error({ err: error }, 'could not check transactions; will retry'),
  })
  const watching = startLoop({
    everyMs: floatEveryMs,
    step: () => watchFloat(app),
    onError: (error) => log.error({ err: error }, 'could not check the float; will retry'),
  })
  const sweeping = startLoop({
    everyMs: sweepEveryMs,
    step: async () => {
      await sweepDeposits(app)
    },
    onError: (error) => log.error({ err: error }, 'could not sweep deposits; will retry'),
  })
  const explaining = startLoop({
    everyMs: explainEveryMs,
    step: async () => {
      await explainWaiting(app)
    },
    onError: (error) => log.error({ err: error }, 'could not look for waiting payouts; will retry'),
  })
  const consolidation = startLoop({
    everyMs: consolidateEveryMs,
    step: async () => {
      await eachInTurn(app.spending.consolidation, async ([gateId, policy]) => {
        const gate = app.gates.find(gateId)
        if (gate !== null && (await consolidateCoins(app, gate, policy)))
          log.info({ gate: gateId }, 'consolidating small coins')
      })
    },
    onError: (error) => log.warn({ err: error }, 'could not consolidate coins; will retry'),
  })
  const told = new Map<string, string>()
  const cooling = startLoop({
    everyMs: coldEveryMs,
    step: async () => {
      await eachInTurn(app.spending.cold, async ([gateId, policy]) => {
        const gate = app.gates.find(gateId)
        if (gate === null) return
        const outcome = await moveToCold(app, gate, policy)
        const said = inWords(outcome)
        if (outcome === 'moved') log.info({ gate: gateId }, 'moving funds to the cold wallet')
        else if (said !== null && told.get(gateId) !== said) log.warn({ gate: gateId }, said)
        told.set(gateId, said ?? '')
      })
    },
    onError: (error) => log.warn({ err: error }, 'could not move funds to the cold wallet; will retry'),
  })
  const trusting = startLoop({
    everyMs: trustEveryMs,
    step: async () => {
      for (const { gate, currency, why } of await openTrustLines(app)) {
        const place = `${gate.id} ${currency}`
        if (why !== null && told.get(place) !== why)
          log.warn({ gate: gate.id, currency, reason: why }, 'the trust line cannot be made yet')
        told.set(place, why ?? '')
      }
    },
    onError: (error) => log.warn({ err: error }, 'could not make trust lines; will retry'),
  })
  const checking = startLoop({
    everyMs: coinsEveryMs,
    step: async () => {
      await eachInTurn(app.gates.list(), async (gate) => {
        if (!app.gates.isOnline(gate.id)) return
        await checkCoins(app, gate)
        await proveOthers(app, gate)
      })
    },
    onError: (error) => log.warn({ err: error }, 'could not look up coins; will retry'),
  })
  const filling = startLoop({
    everyMs: fillEveryMs,
    step: async () => {
      if ((await fillGaps(app)) > 0) planning.wake()
    },
    onError: (error) => log.error({ err: error }, 'could not look for freed nonces; will retry'),
  })
  const returning = startLoop({
    everyMs: refillsEveryMs,
    step: async () => {
      // Asked for all gates at once, since each block of any chain wakes this.
      const gates = await app.store.refills.gates()
      await eachInTurn(app.gates.list(), async (gate) => {
        if (!gates.has(gate.id) || !app.gates.isOnline(gate.id)) return
        if ((await findRefills(app, gate)) > 0) looking.wake()
      })
    },
    onError: (error) => log.warn({ err: error }, 'could not look for refills; will retry'),
  })
  agenda.when('payouts', planning.wake)
  agenda.when('spends', looking.wake)
  agenda.when('refusals', ending.wake)
  agenda.when('refills', returning.wake)
  let isBatching = false
  return {
    loops: [
      planning,
      ending,
      looking,
      watching,
      sweeping,
      consolidation,
      cooling,
      checking,
      filling,
      trusting,
      returning,
      explaining,
    ],
    wakeForBlocks() {
      // A new block may bring what a payout waits for.
      waits.clear()
      agenda.wakeForBlocks()
      consolidation.wake()
      cooling.wake()
    },
    wakeForReplaced: () => filling.wake(),
    wakeForAnswers() {
      looking.wake()
      agenda.wake()
    },
    wakeForApprovals() {
      if (isBatching) return
      isBatching = true
      setTimeout(() => {
        isBatching = false
        planning.wake()
      }, batchMs).unref()
    },
  }
}

/** Why funds above the cap stay in the hot wallet, for the log; null when nothing is wrong. */
function inWords(outcome: ColdOutcome): string | null {
  if (outcome === 'no float')
    return 'nothing goes to the cold wallet: the float does not cover the fee; send native currency to the hot wallet'
  if (typeof outcome === 'string') return null
  return 'noRate' in outcome
    ? `nothing goes to the cold wallet: there is no usable rate for ${outcome.noRate}; moves continue once there is one`
    : `nothing goes to the cold wallet: the network would refuse the transfer (${outcome.refused})`
}
