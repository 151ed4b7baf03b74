import type { BlockRef } from '../../domain/chain.ts'
import { nonceAccountName, type PlacedUses, placedUses } from '../../domain/simulated-nonces.ts'
import type { Fate } from '../../domain/spends.ts'
import { type Uses, useNames } from '../../domain/uses.ts'
import { type Db, sql } from '../../store/sql.ts'
import { atomically, lockChain } from './branch.ts'
import { readFate } from './fate.ts'
import { admit, announceArrival, end, insertTransaction, revive, stateOf } from './mempool.ts'
import { SimulationRefusal } from './refusal.ts'
import {
  accountProblem,
  balanceOf,
  type Coin,
  coinProblem,
  deepNonceOf,
  nextNonceOf,
  type PaidCoin,
  readPaid,
  type SimulatedExecution,
  shortOf,
  spendsEnded,
  sumByCurrency,
} from './rules.ts'
import { refuseRuledOut, ruleOut } from './ruling-out.ts'

/** Signed transactions on the simulated networks. What they use must exist, and can be used once. */
export function simulatedSpendsOn(db: Db) {
  return {
    /** What outputs of waiting or mined transactions pay, by coin name, whether or not they are spent. */
    async paid(gateId: string, coins: readonly Coin[]): Promise<Map<string, PaidCoin>> {
      return readPaid(db, gateId, coins)
    },

    /**
     * Adds a signed transaction to the mempool. Null when it is there now or was already known; otherwise why it was
     * refused. It replaces waiting transactions that use some of the same coins or the same nonce at a lower fee rate.
     */
    async execute(gateId: string, execution: SimulatedExecution): Promise<SimulationRefusal | null> {
      return atomically(db, async (tx) => {
        await lockChain(tx, gateId)
        const { hash, feeRate } = execution
        const uses = await placed(tx, gateId, execution.uses)
        const state = await stateOf(tx, gateId, hash)
        if (state === 'waiting' || state === 'mined') return null
        const problem =
          (await refuseRuledOut(tx, gateId, { hash, uses })) ??
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
        else await insertTransaction(tx, gateId, written(execution, uses))
        await announceArrival(tx, gateId, admission.first)
        return null
      })
    },

    /** What has become of transactions that all use the same coins or nonce, on the current branch. */
    async fate(
      gateId: string,
      candidates: readonly { readonly hash: string; readonly uses: Uses }[],
    ): Promise<Fate> {
      const ours = []
      for (const { hash, uses } of candidates) ours.push({ hash, uses: await placed(db, gateId, uses) })
      return readFate(db, gateId, ours)
    },

    /** How many of the account's transactions are mined, which is its next nonce. */
    async nextNonce(gateId: string, address: string): Promise<bigint> {
      return nextNonceOf(db, gateId, address)
    },

    /** The same by transactions with at least this many confirmations only. */
    async deepNonce(gateId: string, address: string, confirmations: number): Promise<bigint> {
      return deepNonceOf(db, gateId, address, confirmations)
    },

    /** The mined transaction that used a nonce of an account, with its bytes where it has any; null while none has. */
    async nonceUse(
      gateId: string,
      address: string,
      nonce: bigint,
    ): Promise<{ hash: string; block: BlockRef; bytes: Uint8Array | null } | null> {
      // One statement, so that the transaction and its block are of the same branch.
      const row = await sql<{ hash: string; height: bigint; blockHash: string; bytes: Buffer | null }>`
        select t.hash, t.height, b.hash as "blockHash", t.bytes from simulated_transactions t
        join simulated_blocks b on b.gate_id = t.gate_id and b.height = t.height
        where t.gate_id = ${gateId} and t.sender = ${address} and t.nonce = ${nonce.toString()}
          and t.state = 'mined'`.maybeOne(db)
      if (row === null) return null
      const { hash, height, blockHash, bytes } = row
      return { hash, bytes, block: { height, hash: blockHash } }
    },

    /** An account's balance of a currency in mined blocks. */
    async balance(gateId: string, address: string, currency: string): Promise<bigint> {
      return balanceOf(db, gateId, address, currency)
    },

    /**
     * Makes sure that a transaction, waiting or not known yet, is never mined; throws if it is mined already. Its coins
     * become free for others. An account's nonce is used up by a transaction that does nothing, as soon as it is its turn.
     * For a transaction that is not known yet, this takes `uses`, or happens when the transaction is sent.
     */
    async ruleOut(gateId: string, hash: string, uses?: Uses): Promise<void> {
      await atomically(db, async (tx) => ruleOut(tx, gateId, hash, uses && (await placed(tx, gateId, uses))))
    },
  }
}

async function placed(db: Db, gateId: string, uses: Uses): Promise<PlacedUses> {
  if (uses.kind !== 'nonce_account') return uses
  const next = await nextNonceOf(db, gateId, nonceAccountName(uses.holder, uses.index))
  return placedUses(uses, () => next)
}

const written = ({ debits, ...execution }: SimulatedExecution, uses: PlacedUses) => ({
  ...execution,
  uses: useNames(uses),
  executed: { account: uses.kind === 'account' ? uses : null, debits: debitsOf(debits) },
})

/** One debit by address and currency. */
function debitsOf(debits: SimulatedExecution['debits']): SimulatedExecution['debits'] {
  return [...Map.groupBy(debits, ({ address }) => address)].flatMap(([address, charged]) =>
    [...sumByCurrency(charged, [])].map(([currency, units]) => ({
      ...(address !== undefined && { address }),
      currency,
      units,
    })),
  )
}
