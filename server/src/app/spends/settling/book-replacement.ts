import { balanceDecimals } from '../../../domain/assets.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import { gasAgainPostings } from '../../../domain/payout-postings.ts'
import { type Fate, isCancelling, type Spend, type SpendPlan } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { ledgerAsset, nativeAsset } from '../hot-wallet/native-asset.ts'
import { payFromHot } from '../planning/place-again.ts'
import { holdSpend } from './hold-spend.ts'
import { isDeep } from './is-deep.ts'
import { exchangeColdCoin } from './keep-cold.ts'
import { keepChange } from './settle-spend.ts'

type Mined = Extract<Fate, { kind: 'mined' }>

/** Whether the network has successfully run a different attempt than the booked one, which makes the same payments. */
export function isReplacement(seen: Spend, mined: Mined): boolean {
  if (seen.status !== 'final' || !mined.succeeded || mined.hash === seen.mined?.hash) return false
  return pays(planOf(seen, mined.hash)) && pays(planOf(seen, seen.mined?.hash))
}

/**
 * Books the attempt that a reorganisation has put in place of the booked one. It pays the same recipients the same amounts;
 * only the hash, the fee and the change differ. Merchants keep the fee they were told; the operator bears the difference.
 * Happens once. Changes nothing, and is retried at the next block, while the attempt is not deep, while another spend has
 * claimed the change or the cold wallet's coin that is gone, or while the hot wallet has too little free.
 */
export async function bookReplacement(app: App, gate: Gate, seen: Spend, mined: Mined): Promise<boolean> {
  if (!(await isDeep(app, gate, gate.network.confirmations, mined.block))) return false
  return app.transaction(async (tx) => {
    await tx.holdings.becomeOnlyPlanner(gate.id)
    const { payouts, spend } = await holdSpend(tx, seen.id)
    if (spend.status !== 'final' || spend.feeUnits === null || spend.mined?.hash !== seen.mined?.hash)
      return false
    const moreUnits = mined.feeUnits - spend.feeUnits
    if (!(await exchangeHoldings(tx, gate, spend, mined.hash, moreUnits))) return false
    const corrections = await tx.endedSpends.replace(spend.id, mined)
    if (moreUnits !== 0n) {
      const posted = gasAgainPostings(ledgerAsset(gate, nativeAsset(gate)), spend.id, moreUnits, corrections)
      await tx.ledger.post([{ ...posted, id: uuidv7(app.now()) }], (code) =>
        balanceDecimals(app.assets, code),
      )
    }
    for (const { id, status } of payouts) await tx.payouts.change(status, { id, status, txHash: mined.hash })
    return true
  })
}

/** Replaces what the booked attempt left us with what the new one does. False, with nothing changed, while it is in use. */
async function exchangeHoldings(
  tx: Store,
  gate: Gate,
  spend: Spend,
  hash: string,
  moreUnits: bigint,
): Promise<boolean> {
  if (spend.moved === null) {
    // A refill that uses the coin which is gone can never be mined; its end makes the way free.
    if ((await tx.coldMoves.refillOf(spend.id)) !== null) return false
    if ((await tx.holdings.removeChange(spend.id)) !== null) return false
    await keepChange(tx, spend, hash)
    if (spend.kind === 'cold') await exchangeColdCoin(tx, spend, hash)
    return true
  }
  if (spend.kind !== 'sweep') return payFromHot(tx, gate, spend, moreUnits)
  const { currency, units } = spend.moved
  const plan = planOf(spend, hash)
  if (plan?.kind !== 'account') return false
  const free = (await tx.holdings.lockHot(gate.id, [currency])).get(currency) ?? 0n
  if (free + plan.units < units) return false
  await tx.holdings.changeHot(gate.id, new Map([[currency, plan.units - units]]))
  await tx.spends.noteMoved(spend.id, plan.units)
  return true
}

function planOf({ transactions }: Spend, hash: string | undefined): SpendPlan | undefined {
  return transactions.find(({ signed }) => signed?.hash === hash)?.plan
}

function pays(plan: SpendPlan | undefined): boolean {
  return plan !== undefined && !isCancelling(plan)
}
