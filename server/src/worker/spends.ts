import type { App } from '../app/app.ts'
import { fillHotWallets } from '../app/sandbox/fill-hot-wallets.ts'
import { cancelRefused } from '../app/spends/cancel-refused.ts'
import { checkCoins } from '../app/spends/check-coins.ts'
import { consolidateCoins } from '../app/spends/consolidate-coins.ts'
import { endGivenUp } from '../app/spends/end-given-up.ts'
import { explainWaiting } from '../app/spends/explain-waiting.ts'
import { fillGaps } from '../app/spends/fill-gaps.ts'
import { lookAtSpends } from '../app/spends/look-at-spends.ts'
import { planPayouts } from '../app/spends/plan-payouts.ts'
import { letAllWait, noGate } from '../app/spends/say-why.ts'
import { sweepDeposits } from '../app/spends/sweep-deposits.ts'
import { watchFloat } from '../app/spends/watch-float.ts'
import type { Gate } from '../gates/gate.ts'
import type { Log } from '../log.ts'
import { type Loop, startLoop } from './loop.ts'

// Approved payouts and signed transactions are found by looking: both queries are answered by an index that is nearly
// always empty.
const everyMs = 200
const maxRounds = 20
// What has to wait asks its node each time whether it still must: providers count that.
const waitingMs = 5_000
const floatEveryMs = 60_000
// A block wakes it, which is what makes coins spendable; this is for fees that fall meanwhile.
const consolidateEveryMs = 60_000
const sweepEveryMs = 30_000
// A block wakes it, since only a reorganisation leaves a number free.
const fillEveryMs = 5_000
const explainEveryMs = 10_000
const coinsEveryMs = 60_000

/**
 * One loop plans what was approved and ends what is refused for good, one sends what was signed and books what the chain
 * has decided, one watches the float, one gathers deposits that are worth it, one joins small coins where the operator
 * wants that, one asks whether coins are still there, one uses up numbers that a reorganisation has left free,
 * and one sees to it that no payout waits without a reason.
 */
export function startSpendLoops(app: App, log: Log): { readonly loops: readonly Loop[]; wake(): void } {
  const waits = new Set<Gate>()
  const planning = startLoop({
    everyMs,
    step: async (signal) => {
      for (const gateId of await app.store.waiting.gatesOfDue()) {
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
      await cancelRefused(app)
      await endGivenUp(app)
    },
    onError: (error) => log.error({ err: error }, 'payouts could not be planned; it is tried again'),
  })
  const looking = startLoop({
    everyMs,
    step: async (signal) => {
      if ((await lookAtSpends(app, { signal })) === 0) return
      waits.clear()
      planning.wake()
    },
    onError: (error) => log.error({ err: error }, 'transactions could not be looked at; it is tried again'),
  })
  const watching = startLoop({
    everyMs: floatEveryMs,
    step: () => watchFloat(app),
    onError: (error) => log.error({ err: error }, 'the float could not be looked at; it is tried again'),
  })
  const sweeping = startLoop({
    everyMs: sweepEveryMs,
    step: async () => {
      await sweepDeposits(app)
    },
    onError: (error) => log.error({ err: error }, 'deposits could not be gathered; it is tried again'),
  })
  const explaining = startLoop({
    everyMs: explainEveryMs,
    step: async () => {
      await explainWaiting(app)
    },
    onError: (error) =>
      log.error({ err: error }, 'payouts that wait could not be looked for; it is tried again'),
  })
  const consolidation = startLoop({
    everyMs: consolidateEveryMs,
    step: async () => {
      for (const [gateId, policy] of app.spending.consolidation) {
        const gate = app.gates.find(gateId)
        if (gate !== null && (await consolidateCoins(app, gate, policy)))
          log.info({ gate: gateId }, 'small coins are being joined')
      }
    },
    onError: (error) => log.warn({ err: error }, 'coins could not be joined; it is tried again'),
  })
  const checking = startLoop({
    everyMs: coinsEveryMs,
    step: async () => {
      for (const gate of app.gates.list()) if (app.gates.isOnline(gate.id)) await checkCoins(app, gate)
    },
    onError: (error) => log.warn({ err: error }, 'coins could not be looked up; it is tried again'),
  })
  const filling = startLoop({
    everyMs: fillEveryMs,
    step: async () => {
      if ((await fillGaps(app)) > 0) planning.wake()
    },
    onError: (error) =>
      log.error({ err: error }, 'numbers that are free again could not be looked for; it is tried again'),
  })
  return {
    loops: [planning, looking, watching, sweeping, consolidation, checking, filling, explaining],
    wake() {
      // A block may bring what a payout waits for.
      waits.clear()
      looking.wake()
      filling.wake()
      consolidation.wake()
    },
  }
}
