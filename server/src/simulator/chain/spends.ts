import type { Fate } from '../../domain/spends.ts'
import { type Uses, useNames } from '../../domain/uses.ts'
import type { Db } from '../../store/sql.ts'
import { atomically, lockChain } from './branch.ts'
import { readFate } from './fate.ts'
import { admit, announceArrival, end, insertTransaction, revive, stateOf } from './mempool.ts'
import { SimulationRefusal } from './refusal.ts'
import {
  accountProblem,
  balanceOf,
  type Coin,
  coinProblem,
  nextNonceOf,
  type PaidCoin,
  readPaid,
  type SimulatedExecution,
  shortOf,
  spendsEnded,
  sumByCurrency,
} from './rules.ts'
import { refuseRuledOut, ruleOut } from './ruling-out.ts'

/** Signed transactions on the simulated networks: what they use and pay is there, once. */
export function simulatedSpendsOn(db: Db) {
  return {
    /** What outputs pay, by their name, of transactions that wait or are mined, whether they are spent or not. */
    async paid(gateId: string, coins: readonly Coin[]): Promise<Map<string, PaidCoin>> {
      return readPaid(db, gateId, coins)
    },

    /**
     * Takes a signed transaction into the mempool. Null when it waits there now, or was known already; otherwise why
     * not. It replaces waiting ones that use some of the same for a lower rate.
     */
    async execute(gateId: string, execution: SimulatedExecution): Promise<SimulationRefusal | null> {
      return atomically(db, async (tx) => {
        await lockChain(tx, gateId)
        const { hash, uses, feeRate } = execution
        const state = await stateOf(tx, gateId, hash)
        if (state === 'waiting' || state === 'mined') return null
        const problem =
          (await refuseRuledOut(tx, gateId, execution)) ??
          (uses.kind === 'coins'
            ? await coinProblem(tx, gateId, execution, uses.coins)
            : await accountProblem(tx, gateId, execution, uses))
        if (problem !== null) return problem
        const admission = await admit(tx, gateId, useNames(uses), feeRate)
        if (admission instanceof SimulationRefusal) return admission
        const late =
          uses.kind === 'coins'
            ? spendsEnded(uses.coins, admission.ends)
            : await shortOf(tx, gateId, execution, uses, admission.ends)
        if (late !== null) return late
        await end(tx, gateId, admission.ends)
        if (state === 'gone') await revive(tx, gateId, hash)
        else await insertTransaction(tx, gateId, written(execution))
        await announceArrival(tx, gateId, admission.first)
        return null
      })
    },

    /** What has become of transactions that all use the same, on the present branch. */
    async fate(
      gateId: string,
      candidates: readonly { readonly hash: string; readonly uses: Uses }[],
    ): Promise<Fate> {
      return readFate(db, gateId, candidates)
    },

    /** How many of the account's transactions are mined: the number its next one must have. */
    async nextNonce(gateId: string, address: string): Promise<bigint> {
      return nextNonceOf(db, gateId, address)
    },

    /** What an account has of a currency, by what is mined. */
    async balance(gateId: string, address: string, currency: string): Promise<bigint> {
      return balanceOf(db, gateId, address, currency)
    },

    /**
     * Sees to it that a transaction, waiting or not known yet, is never mined; refuses one that is. Its coins are free
     * for others. An account's number is taken by a transaction that does nothing, as soon as it is its turn: for one
     * that is not known yet that needs `uses`, or waits until it is sent.
     */
    async ruleOut(gateId: string, hash: string, uses?: Uses): Promise<void> {
      await atomically(db, (tx) => ruleOut(tx, gateId, hash, uses))
    },
  }
}

const written = ({ uses, debits, ...execution }: SimulatedExecution) => ({
  ...execution,
  uses: useNames(uses),
  executed: {
    account: uses.kind === 'account' ? uses : null,
    debits: [...sumByCurrency(debits, [])].map(([currency, units]) => ({ currency, units })),
  },
})
