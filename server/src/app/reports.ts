import type { BlockRef } from '../domain/chain.ts'
import type { Payout } from '../domain/payouts.ts'
import type { Spend } from '../domain/spends.ts'
import type { Gate } from '../gates/gate.ts'
import type { Shortfall } from '../store/chains/native-balances.ts'
import type { JobKind } from '../store/jobs.ts'
import type { StoredAddress } from './addresses/address-proofs.ts'

type Level = 'info' | 'warn' | 'error' | 'fatal'
type OperatorLog = Readonly<Record<Level, (fields: object, text: string) => void>>

/** What use cases report to the operator's log, and in which words. */
export function reportsTo(log: OperatorLog) {
  return {
    halted(gate: Gate, reason: string): void {
      log.fatal(
        { gate: gate.id, reason },
        'THE GATE IS HALTED: nothing on this network is credited or expires until an operator resolves it',
      )
    },

    /** The database has a deposit address that this service did not derive. */
    addressRefused({ keychain, position, address }: StoredAddress, verdict: 'foreign' | 'unproved'): void {
      const fields = { keychain, position: `${position}`, address }
      if (verdict === 'foreign')
        log.fatal(
          fields,
          'A DEPOSIT ADDRESS IN THE DATABASE IS NOT OURS: it is not used, and its network accepts no new business; find out how it came there',
        )
      else
        log.error(
          fields,
          'a deposit address has no valid proof and only the signer can derive it: it is not used; see SLUICE_SECRET_KEY if the key was changed',
        )
    },

    /** An address holds less on chain than expected. This is only reported, not booked. */
    shortfall(gate: Gate, { address, expectedUnits, foundUnits }: Shortfall): void {
      log.error(
        { gate: gate.id, address, expected_units: `${expectedUnits}`, found_units: `${foundUnits}` },
        'AN ADDRESS HAS LESS ON CHAIN THAN THE BOOKS SAY: nothing is booked for it; find out what was sent from it',
      )
    },

    /** Balances could not be read at a block; they are read again at the next one. */
    balancesUnknown(gate: Gate, { height }: BlockRef): void {
      log.warn(
        { gate: gate.id, height: `${height}` },
        'the node does not have the state of this block; deposits made inside contracts are looked for at the next block',
      )
    },

    jobFailed(kind: JobKind, subject: string, error: unknown): void {
      log.error({ kind, subject, err: error }, 'a job failed; it is retried')
    },

    checkFailed(spend: Spend, error: unknown): void {
      log.warn({ spend: spend.id, gate: spend.gateId, err: error }, 'cannot check a transaction')
    },

    /** A payout cannot continue at present. */
    payoutWaits(payout: Payout, reason: string): void {
      log.warn({ payout: payout.id, gate: payout.gateId, reason }, 'an approved payout is waiting')
    },

    /** The network does not accept a transaction at present. */
    rejected(gate: Gate, spend: string, reason: string): void {
      log.warn({ gate: gate.id, spend, reason }, 'the network rejects a transaction; it is sent again')
    },

    /** A transaction is not raised to a higher fee, because that would cost too much. */
    raiseWaits(gate: Gate, spend: string, reason: string): void {
      log.warn(
        { gate: gate.id, spend, reason },
        'a sweep waits for a block; its fee is not raised to what the network asks for now; it is checked again later',
      )
    },

    /** The float no longer covers that; amounts are formatted with their currency. */
    floatLow(
      gate: Gate,
      {
        float,
        needed,
        hotAddress,
      }: { readonly float: string; readonly needed: string; readonly hotAddress: string },
    ): void {
      log.warn(
        { gate: gate.id, float, needed, hot_wallet: hotAddress },
        'the operator’s float is low: send native currency to the hot wallet before sweeps and token payouts have to wait',
      )
    },

    /** The float covers it again. */
    floatEnough(gate: Gate): void {
      log.info({ gate: gate.id }, 'the operator’s float is sufficient again')
    },

    /** A reorganisation replaced the block of a transaction that was booked as done; it waits for another block. */
    pendingAgain(gate: Gate, spend: string, hash: string): void {
      log.info(
        { gate: gate.id, spend, hash },
        'a completed transaction is pending again because its block was replaced; no action is needed',
      )
    },

    /** A coin in the books is not spendable on the node's chain; it is set aside until it is. */
    coinMissing(
      gate: Gate,
      { txHash, outputIndex }: { readonly txHash: string; readonly outputIndex: number },
    ): void {
      log.error(
        { gate: gate.id, tx_hash: txHash, output_index: outputIndex },
        'A COIN IN THE BOOKS IS NOT ON THE CHAIN, or was spent outside Sluice: it is not used; after a restore, run: npx sluice wallet reconcile',
      )
    },

    /** The node cannot show the transaction that made a coin, so the coin is set aside until it can. */
    coinUnproven(gate: Gate, txHash: string, reason: string): void {
      log.error(
        { gate: gate.id, tx_hash: txHash, reason },
        'A COIN CANNOT BE PROVED, so it is not used: let the gate use a node that still has its block; it is asked again by itself',
      )
    },

    /** A nonce that is free again although its spend has ended is being filled. */
    filled(gate: Gate, nonce: bigint): void {
      log.warn(
        { gate: gate.id, nonce: `${nonce}` },
        'a reorganisation freed a nonce of the hot wallet: a fill uses it up, so that later transactions can be mined',
      )
    },

    /**
     * A transaction was mined after all although its spend had ended as ruled out. `isBooked`: the amount it took is booked to
     * the operator's float.
     */
    minedAfterAll(gate: Gate, spend: string, hash: string, isBooked: boolean): void {
      log.fatal(
        { gate: gate.id, spend, hash, booked: isBooked },
        'A TRANSACTION THAT WAS GIVEN UP AS RULED OUT WAS MINED AFTER ALL: its amount has been sent. Its payout was reported as failed: settle it with the merchant',
      )
    },

    /** The chain has a refill that was given up or ruled out; it is booked as a new one. */
    refillReturned(gate: Gate, { dead, again, hash }: { dead: string; again: string; hash: string }): void {
      log.warn(
        { gate: gate.id, refill: dead, booked_as: again, hash },
        'a refill that had ended was mined after all; it is booked once it is deep enough; no action is needed',
      )
    },

    /** The chain has a refill that was not handed in, but the node does not show its transaction as it must be. */
    refillUnshown(gate: Gate, refill: string, hash: string, reason: string): void {
      log.error(
        { gate: gate.id, refill, hash, reason },
        'A REFILL WAS MINED BUT CANNOT BE BOOKED YET: hand its signed file in with npx sluice wallet refill --submit, or let the gate use a node that still has its block',
      )
    },

    /** A transaction that was booked as done cannot come back by itself. */
    undone(gate: Gate, spend: string, reason: string): void {
      log.fatal(
        { gate: gate.id, spend, reason },
        'A COMPLETED TRANSACTION CAN NEVER BE MINED AGAIN: fail its payouts with npx sluice payout give-up',
      )
    },
  }
}

export type Reports = ReturnType<typeof reportsTo>
