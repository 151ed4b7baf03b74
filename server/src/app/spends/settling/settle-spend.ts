import { isAccountRefill } from '../../../domain/account-refills.ts'
import { balanceDecimals } from '../../../domain/assets.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import type { LedgerTransaction } from '../../../domain/ledger.ts'
import {
  gasPostings,
  lostPostings,
  releasePostings,
  settlePostings,
} from '../../../domain/payout-postings.ts'
import { type Payout, payoutTransitions } from '../../../domain/payouts.ts'
import { say } from '../../../domain/reasons/reasons.ts'
import { hotPaysFee, type Spend, splitFee } from '../../../domain/spends.ts'
import { nextState } from '../../../domain/transitions.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { TotalsChange } from '../../../store/ledger/balances.ts'
import type { LostPayouts } from '../../../store/spends/spend-restore.ts'
import type { SpendEnd } from '../../../store/spends/spends.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { tellEnd } from '../../payouts/tell.ts'
import { merchantNow } from '../../test-clock/merchant-now.ts'
import { claimAndInsert } from '../hot-wallet/hot-wallet.ts'
import { assetOn, ledgerAsset, nativeAsset } from '../hot-wallet/native-asset.ts'
import { costsIn, type NetworkCosts } from '../planning/network-cost.ts'
import { isHotPlan } from '../planning/transfer-plan.ts'
import { holdSpend } from './hold-spend.ts'
import { keepAccountRefill } from './keep-account-refill.ts'
import { keepCold } from './keep-cold.ts'
import { keepRefill } from './keep-refill.ts'

/** How a spend ends, and if its payouts fail, the reason for them. */
export type Ending = SpendEnd & { readonly reason?: string }

/**
 * Books the end of a spend: completes or fails its payouts, posts to the ledger, tells the merchants, and spends or frees
 * what it had claimed; all in one transaction, once. Locks in this order: invoices of refunds, payouts, the spend, ledger.
 * `alsoDo` runs last in the same transaction.
 */
export async function settleSpend(
  app: App,
  gate: Gate,
  spendId: string,
  end: Ending,
  alsoDo?: (tx: Store, payouts: readonly Payout[]) => Promise<void>,
): Promise<void> {
  const costs = await costsIn(app, gate, costOf(end))
  await app.transaction(async (tx) => {
    const { refunds, payouts, spend } = await holdSpend(tx, spendId)
    if (spend.status !== 'open') return
    await tx.spends.end(spendId, end)
    await settleHoldings(tx, gate, spend, end)
    if (spend.kind === 'gas' && end.status === 'dead') await giveGasAgain(app, tx, gate, spend)

    const ledger: LedgerTransaction[] = []
    const totals: TotalsChange[] = []
    const settled: Payout[] = []
    const lost = await tx.spendRestore.lostOf(spendId)
    const fees = feesOf(gate, spend, payouts, lost, end, costs)
    for (const [at, payout] of payouts.entries()) {
      const networkFeeUnits = fees?.[at] ?? null
      if (networkFeeUnits === null) {
        ledger.push(releasePostings(payout, say('ledger_payout_failed')))
        settled.push(await fail(tx, payout, end))
        continue
      }
      const paidInOwn = payout.currency === nativeAsset(gate).currency ? 'this' : 'native'
      ledger.push(...settlePostings(payout, networkFeeUnits, paidInOwn))
      totals.push(totalsOf(payout, networkFeeUnits))
      settled.push(
        await complete(tx, payout, networkFeeUnits, end, await merchantNow({ ...app, store: tx }, payout)),
      )
    }
    if (spend.kind === 'cold' && end.status === 'final')
      ledger.push(await keepCold(tx, gate, spend, end.hash))
    if (isAccountRefill(spend)) ledger.push(...(await keepAccountRefill(tx, gate, spend, end)))
    else if (spend.kind === 'refill' && end.status === 'final')
      ledger.push(await keepRefill(tx, gate, spend, end.hash))
    if (lost !== null && end.status === 'final')
      ledger.push(
        lostPostings(ledgerAsset(gate, assetOn(gate, lost.currency)), spendId, lost.units, end.hash),
      )
    // The cold wallet has paid for a refill.
    const gas = isAccountRefill(spend) ? 0n : gasOf(gate, spend, payouts, lost, fees, end)
    if (gas !== 0n) ledger.push(gasPostings(ledgerAsset(gate, nativeAsset(gate)), spendId, gas))

    await tx.ledger.post(
      ledger.map((transaction) => ({ ...transaction, id: uuidv7(app.now()) })),
      (currency) => balanceDecimals(app.assets, currency),
    )
    await tx.balances.change(totals)
    for (const payout of settled) {
      const refund = refunds.get(payout.id)
      if (refund !== undefined && payout.status === 'completed')
        await tx.invoices.addRefunded(refund.invoiceId, payout.amountUnits)
      await tellEnd(app, tx, payout, refund)
    }
    await alsoDo?.(tx, settled)
    // A sweep that waited for this spend, and payouts that waited for a sweep, continue at once.
    await tx.spends.lookAtAll(gate.id)
  })
}

/** What the network took. A sweep on Solana gets more rent back than it costs, and then it took nothing. */
function costOf(end: Ending): bigint {
  return end.status === 'dead' || end.feeUnits < 0n ? 0n : end.feeUnits
}

/** A sweep waits for gas that can never arrive: plans the same transfer again, from the funds that have just become free. */
async function giveGasAgain(app: App, tx: Store, gate: Gate, { id, transactions }: Spend): Promise<void> {
  const plan = transactions.at(-1)?.plan
  if (plan?.kind !== 'account') throw new Error(`Spend ${id} gives no gas.`)
  const units = await tx.holdings.lockHot(gate.id, [nativeAsset(gate).currency])
  const hot = { address: plan.from.address, units, price: plan.gasPrice }
  await tx.spends.waitFor(await claimAndInsert(app, tx, gate, hot, 'gas', plan), id)
}

/** Each payout's share of the network fee, in its own currency; null when the payouts were not paid. */
function feesOf(
  gate: Gate,
  { kind }: Spend,
  payouts: readonly Payout[],
  lost: LostPayouts | null,
  end: Ending,
  costs: NetworkCosts,
): readonly bigint[] | null {
  if (end.status !== 'final' || kind !== 'payout') return null
  const count = payouts.length + (lost?.count ?? 0)
  return payouts.map(({ currency, networkFeeUnits }, at) => {
    const whole = currency === nativeAsset(gate).currency ? end.feeUnits : (costs.get(currency) ?? null)
    const cost = whole === null ? null : (splitFee(whole, count)[at] ?? 0n)
    // Never more than was reserved: the operator bears the risk of a rate that moved meanwhile.
    return cost === null || cost > networkFeeUnits ? networkFeeUnits : cost
  })
}

/** The part of the network fee that no payout pays in native currency; the operator bears it. */
function gasOf(
  gate: Gate,
  { kind }: Spend,
  payouts: readonly Payout[],
  lost: LostPayouts | null,
  fees: readonly bigint[] | null,
  end: Ending,
): bigint {
  if (end.status === 'dead') return 0n
  const native = nativeAsset(gate).currency
  const isPaid =
    kind === 'payout' && end.status === 'final' && payouts.every(({ currency }) => currency === native)
  if (!isPaid) return end.feeUnits
  // The share of payouts that were lost with a newer database.
  return lost === null ? 0n : end.feeUnits - (fees ?? []).reduce((sum, fee) => sum + fee, 0n)
}

async function complete(
  tx: Store,
  payout: Payout,
  networkFeeUnits: bigint,
  end: Ending,
  now: Date,
): Promise<Payout> {
  if (end.status === 'dead') throw new Error('A dead spend completes nothing.')
  const status = nextState(payoutTransitions, payout.status, 'confirm')
  if (status === null) throw new Error(`A ${payout.status} payout is not completed.`)
  return tx.payouts.change(payout.status, {
    id: payout.id,
    status,
    networkFeeUnits,
    txHash: end.hash,
    completedAt: now,
    waitingReason: null,
  })
}

async function fail(tx: Store, payout: Payout, end: Ending): Promise<Payout> {
  const status = nextState(payoutTransitions, payout.status, 'fail')
  if (status === null) throw new Error(`A ${payout.status} payout does not fail.`)
  const failureReason = end.reason ?? say(end.status === 'reverted' ? 'network_failed' : 'never_included')
  return tx.payouts.change(payout.status, { id: payout.id, status, failureReason, waitingReason: null })
}

/** What a completed payout adds to its merchant's totals. */
export function totalsOf(payout: Payout, networkFeeUnits: bigint): TotalsChange {
  const { merchantId, environment, currency, network, decimals } = payout
  return {
    merchantId,
    environment,
    currency,
    network,
    decimals,
    pendingUnits: 0n,
    receivedUnits: 0n,
    feeUnits: payout.feeUnits + networkFeeUnits,
    paidOutUnits: payout.amountUnits,
  }
}

/** Updates our holdings: what was claimed is spent, came back as change, or is free again. */
async function settleHoldings(tx: Store, gate: Gate, spend: Spend, end: Ending): Promise<void> {
  // The books hold the fee that the last attempt has claimed.
  const claimed = spend.transactions.at(-1)
  if (claimed === undefined) throw new Error(`Spend ${spend.id} has no transaction.`)
  const { moved } = spend
  if (moved === null)
    return end.status === 'dead' ? tx.holdings.release(spend.id) : keepChange(tx, spend, end.hash)
  // What a refill brings is a payment to the hot wallet, and is absorbed like any other.
  if (isAccountRefill(spend)) return
  if (spend.kind === 'sweep')
    await (end.status === 'final' ? keepSwept(tx, gate, spend, end.hash) : tx.holdings.release(spend.id))
  if (!hotPaysFee(spend)) return

  const native = nativeAsset(gate)
  const feeUnits = end.status === 'dead' ? 0n : end.feeUnits
  const back = new Map([[native.currency, claimed.maxFeeUnits - feeUnits]])
  // A transaction that failed on chain or was cancelled moved nothing but the fee.
  if (end.status !== 'final' && spend.kind !== 'sweep')
    back.set(moved.currency, (back.get(moved.currency) ?? 0n) + moved.units)
  return tx.holdings.changeHot(gate.id, back)
}

/** Books the amount of the mined attempt: attempts at a higher fee deliver less. */
async function keepSwept(tx: Store, gate: Gate, { id, transactions }: Spend, hash: string): Promise<void> {
  const plan = transactions.find(({ signed }) => signed?.hash === hash)?.plan
  if (plan === undefined || !isHotPlan(plan)) throw new Error(`Spend ${id} has no transaction ${hash}.`)
  await tx.spends.noteMoved(id, plan.units)
  await tx.holdings.changeHot(gate.id, new Map([[plan.currency, plan.units]]))
}

/** Adds the change of a mined transaction to our coins. */
export async function keepChange(tx: Store, spend: Spend, hash: string): Promise<void> {
  const plan = spend.transactions.find(({ signed }) => signed?.hash === hash)?.plan
  if (plan?.kind !== 'coins') throw new Error(`Spend ${spend.id} has no transaction ${hash}.`)
  if (plan.change === null) return
  const { outputIndex, index } = plan.change
  const output = plan.outputs[outputIndex]
  if (output === undefined) throw new Error('The change is not an output of its plan.')
  await tx.holdings.addChange({
    gateId: spend.gateId,
    txHash: hash,
    outputIndex,
    changeIndex: index,
    units: output.units,
    madeBy: spend.id,
  })
}
