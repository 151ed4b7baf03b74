import { balanceDecimals } from '../../../domain/assets.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import type { LedgerTransaction } from '../../../domain/ledger.ts'
import { gasAgainPostings, lostUndonePostings, undoPostings } from '../../../domain/payout-postings.ts'
import { type Payout, payoutTransitions } from '../../../domain/payouts.ts'
import { say, sayAll } from '../../../domain/reasons/reasons.ts'
import type { Spend } from '../../../domain/spends.ts'
import { nextState } from '../../../domain/transitions.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { TotalsChange } from '../../../store/ledger/balances.ts'
import type { SpendUndone } from '../../../store/spends/ended-spends.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { tellEnd } from '../../payouts/tell.ts'
import { assetOn, ledgerAsset, nativeAsset } from '../hot-wallet/native-asset.ts'
import { holdSpend } from './hold-spend.ts'
import { takeBackCold } from './keep-cold.ts'
import { takeBackRefill } from './keep-refill.ts'
import { totalsOf } from './settle-spend.ts'

/** The spend's actual fate, and the reason for the payouts that fail. */
export type Undoing = SpendUndone & { readonly reason: string }

/**
 * Undoes the end of a spend that was booked as done and that a reorganisation has removed for good: fails its payouts,
 * corrects the ledger with new postings, tells the merchants, and frees what it had spent; all in one transaction, once.
 * Throws while another spend uses its change: that one must be ended first. `alsoDo` runs last in the same transaction.
 */
export async function undoSpend(
  app: App,
  gate: Gate,
  spendId: string,
  end: Undoing,
  alsoDo: (tx: Store, payouts: readonly Payout[]) => Promise<void>,
): Promise<void> {
  await app.transaction(async (tx) => {
    await tx.holdings.becomeOnlyPlanner(gate.id)
    const { refunds, payouts, spend } = await holdSpend(tx, spendId)
    if (spend.status !== 'final' || spend.mined === null || spend.feeUnits === null)
      throw new ServiceError('conflict', `Spend ${spendId} was ended by someone else meanwhile.`)
    await freeHoldings(tx, gate, spend, end)

    const native = nativeAsset(gate)
    const paidInOwn = payouts.filter(({ currency }) => currency === native.currency)
    const ledger: LedgerTransaction[] = payouts.flatMap((payout) =>
      undoPostings(payout, payout.currency === native.currency ? 'this' : 'native'),
    )
    if (spend.kind === 'cold') ledger.push(await takeBackCold(tx, gate, spend, spend.mined.hash))
    if (spend.kind === 'refill') ledger.push(await takeBackRefill(tx, gate, spend, spend.mined.hash))
    const lost = await tx.spendRestore.lostOf(spendId)
    if (lost !== null)
      ledger.push(
        lostUndonePostings(
          ledgerAsset(gate, assetOn(gate, lost.currency)),
          spendId,
          lost.units,
          spend.mined.hash,
        ),
      )
    // The operator was charged the part of the fee that no payout paid, and now bears what the network takes.
    const bookedGas =
      spend.feeUnits - paidInOwn.reduce((sum, { networkFeeUnits }) => sum + networkFeeUnits, 0n)
    const moreGas = (end.status === 'dead' ? 0n : end.feeUnits) - bookedGas
    const corrections = await tx.endedSpends.correctFee(spendId, spend.feeUnits)
    if (moreGas !== 0n)
      ledger.push(gasAgainPostings(ledgerAsset(gate, native), spendId, moreGas, corrections))
    await tx.endedSpends.undo(spendId, end)
    await tx.ledger.post(
      ledger.map((transaction) => ({ ...transaction, id: uuidv7(app.now()) })),
      (currency) => balanceDecimals(app.assets, currency),
    )
    await tx.balances.change(payouts.map(takenBack))

    const failed: Payout[] = []
    for (const payout of payouts) {
      const refund = refunds.get(payout.id)
      if (refund !== undefined) await tx.invoices.addRefunded(refund.invoiceId, -payout.amountUnits)
      const now = await fail(tx, payout, end.reason)
      await tellEnd(app, tx, now, refund)
      failed.push(now)
    }
    await tx.spends.lookAtAll(gate.id)
    await alsoDo(tx, failed)
  })
}

/** Frees what the spend had used, as far as it is on the chain, and removes its change. */
async function freeHoldings(
  tx: Store,
  gate: Gate,
  { id, moved, feeUnits }: Spend,
  end: Undoing,
): Promise<void> {
  if (moved === null) {
    const claimedBy = await tx.holdings.removeChange(id)
    if (claimedBy !== null) throw new ServiceError('conflict', await endFirst(tx, claimedBy))
    return tx.holdings.release(id)
  }
  const tookUnits = end.status === 'dead' ? 0n : end.feeUnits
  const back = new Map([[nativeAsset(gate).currency, (feeUnits ?? 0n) - tookUnits]])
  back.set(moved.currency, (back.get(moved.currency) ?? 0n) + moved.units)
  await tx.holdings.changeHot(gate.id, back)
}

async function endFirst(tx: Store, spendId: string): Promise<string> {
  const payouts = await tx.payouts.lockOfSpend(spendId)
  const commands =
    payouts[0] === undefined
      ? `npx sluice wallet give-up ${spendId}`
      : `npx sluice payout give-up ${payouts[0].id}`
  return `The change of its transaction was spent by another transaction, which can never be mined either. End that one first: ${commands}`
}

async function fail(tx: Store, payout: Payout, reason: string): Promise<Payout> {
  const status = nextState(payoutTransitions, payout.status, 'undo')
  if (status === null) throw new Error(`A ${payout.status} payout is not undone.`)
  return tx.payouts.change(payout.status, {
    id: payout.id,
    status,
    completedAt: null,
    failureReason: sayAll(say('undone'), reason),
  })
}

function takenBack(payout: Payout): TotalsChange {
  const { feeUnits, paidOutUnits = 0n, ...totals } = totalsOf(payout, payout.networkFeeUnits)
  return { ...totals, feeUnits: -feeUnits, paidOutUnits: -paidOutUnits }
}
