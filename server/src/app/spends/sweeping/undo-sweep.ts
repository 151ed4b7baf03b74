import { balanceDecimals } from '../../../domain/assets.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import { gasAgainPostings } from '../../../domain/payout-postings.ts'
import { type Fate, hotPaysFee, type Spend } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { ledgerAsset, nativeAsset } from '../hot-wallet/native-asset.ts'
import { isDeep } from '../settling/is-deep.ts'

type Mined = Extract<Fate, { kind: 'mined' }>

/**
 * Undoes the booking of a sweep when a deep reorganisation has removed its deposit and its transaction was mined again and
 * failed, deep enough. Otherwise the books would show funds that the hot wallet does not have, and payouts would be planned
 * from them. Happens once. False, with nothing changed, while it is not deep or while other spends have claimed the funds.
 */
export async function undoSweep(app: App, gate: Gate, seen: Spend, mined: Mined): Promise<boolean> {
  if (seen.kind !== 'sweep' || seen.status !== 'final' || mined.succeeded) return false
  if (!(await isDeep(app, gate, gate.network.confirmations, mined.block))) return false
  return app.transaction(async (tx) => {
    if (!(await takeFromHot(tx, gate, seen.id))) return false
    await tx.holdings.release(seen.id)
    return true
  })
}

/**
 * Undoes the booking of a native sweep while no block holds its deposit: without the deposit it cannot be mined. The sweep
 * keeps its deposit and is sent again; `bringAgain` then books it again. Changes nothing while other spends have claimed the
 * funds.
 */
export async function takeBackSweep(app: App, gate: Gate, seen: Spend): Promise<void> {
  const native = nativeAsset(gate)
  if (seen.kind !== 'sweep' || seen.status !== 'final' || seen.moved?.currency !== native.currency) return
  if ((await app.store.holdings.lostCoins(seen.id)).length === 0) return
  await app.transaction(async (tx) => {
    await tx.holdings.becomeOnlyPlanner(gate.id)
    const { feeUnits } = await tx.spends.lock(seen.id)
    if (!(await takeFromHot(tx, gate, seen.id)) || feeUnits === null || feeUnits === 0n) return
    if (hotPaysFee(seen)) await tx.holdings.changeHot(gate.id, new Map([[native.currency, feeUnits]]))
    const corrections = await tx.endedSpends.correctFee(seen.id, 0n)
    const posted = gasAgainPostings(ledgerAsset(gate, native), seen.id, -feeUnits, corrections)
    await tx.ledger.post([{ ...posted, id: uuidv7(app.now()) }], (code) => balanceDecimals(app.assets, code))
  })
}

/** Books a sweep again whose booking was undone while its deposit was away. False if that is not the case. */
export async function bringAgain(app: App, gate: Gate, seen: Spend, mined: Mined): Promise<boolean> {
  if (seen.kind !== 'sweep' || seen.status !== 'reverted' || !mined.succeeded) return false
  return app.transaction(async (tx) => {
    await tx.holdings.becomeOnlyPlanner(gate.id)
    const { id, moved } = await tx.spends.lock(seen.id)
    if (moved === null || !(await tx.unswept.redo(id))) return false
    await tx.holdings.changeHot(gate.id, new Map([[moved.currency, moved.units]]))
    return true
  })
}

/** Takes the amount of a sweep from the hot wallet's free balance; false, with nothing changed, if that is too little. */
async function takeFromHot(tx: Store, gate: Gate, spendId: string): Promise<boolean> {
  await tx.holdings.becomeOnlyPlanner(gate.id)
  const { id, status, moved } = await tx.spends.lock(spendId)
  if (status !== 'final' || moved === null) return false
  const free = (await tx.holdings.lockHot(gate.id, [moved.currency])).get(moved.currency) ?? 0n
  if (free < moved.units) return false
  await tx.holdings.changeHot(gate.id, new Map([[moved.currency, -moved.units]]))
  await tx.unswept.undo(id)
  return true
}
