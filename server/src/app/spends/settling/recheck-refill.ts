import { refillPlanOf } from '../../../domain/account-refills.ts'
import { balanceDecimals } from '../../../domain/assets.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import type { Fate, Spend } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { adopt, findNonceUse, type RefillUse } from '../cold/find-nonce-use.ts'
import { isDeep } from './is-deep.ts'
import { takeBackAccountRefill } from './keep-account-refill.ts'

/**
 * Rechecks a refill from an account that has ended and whose block a reorganisation has replaced, or that was given up. If
 * the chain has decided otherwise than the books say and that is deep, its booking is reversed and it is open again: what
 * follows is as for any other. So one that was given up and mined after all is booked too.
 */
export async function recheckRefill(app: App, gate: Gate, spend: Spend): Promise<void> {
  const use = await findNonceUse(app, gate, spend)
  if (use === null) return isInNoBlock(app, gate, spend)
  const { own, block } = use
  if (own === null && spend.status === 'dead') return app.store.endedSpends.place(spend.id, block)
  // A later refill with the same nonce may have done the same.
  const owner = own === null ? null : await app.store.accountRefills.withHash(own.hash)
  if (owner !== null && owner !== spend.id) return app.store.endedSpends.place(spend.id, block)
  const fate = own === null ? null : await gate.fate([{ hash: own.hash, plan: refillPlanOf(spend) }])
  if (fate?.kind === 'mined' && isAsBooked(spend, fate))
    return app.store.endedSpends.place(spend.id, fate.block)
  if (!(await isDeep(app, gate, gate.network.confirmations, block))) return displace(app, spend)
  await reopen(app, gate, spend, use)
}

async function isInNoBlock(app: App, gate: Gate, spend: Spend): Promise<void> {
  const booked = spend.transactions.find(({ signed }) => signed !== null && signed.hash === spend.mined?.hash)
  if (spend.status !== 'dead' && booked?.signed != null) {
    const refusal = await gate.broadcast(booked.signed)
    if (refusal !== null) app.reports.rejected(gate, spend.id, refusal)
  }
  await displace(app, spend)
}

/** Keeps rechecking it, however long it takes. */
async function displace(app: App, spend: Spend): Promise<void> {
  if (spend.status === 'dead') await app.store.endedSpends.place(spend.id, null)
  else await app.store.endedSpends.displace(spend, null)
}

function isAsBooked({ status, mined, feeUnits }: Spend, fate: Extract<Fate, { kind: 'mined' }>): boolean {
  const isSameEnd = status === (fate.succeeded ? 'final' : 'reverted')
  return isSameEnd && mined?.hash === fate.hash && feeUnits === fate.feeUnits
}

async function reopen(app: App, gate: Gate, seen: Spend, { own }: RefillUse): Promise<void> {
  await app.transaction(async (tx) => {
    await tx.holdings.becomeOnlyPlanner(gate.id)
    const spend = await tx.spends.lock(seen.id)
    if (spend.status !== seen.status || spend.mined?.hash !== seen.mined?.hash) return
    const { from, nonce } = refillPlanOf(spend)
    // The next recheck finds whether that one ends, or has the same transaction.
    if (await tx.nonces.isTaken(gate.id, from.address, nonce, spend.id)) return
    const reversal = await takeBackAccountRefill(tx, gate, spend)
    await tx.accountRefills.reopen(spend.id)
    if (own !== null) await adopt(tx, gate, spend, own)
    await tx.ledger.post(
      reversal.map((transaction) => ({ ...transaction, id: uuidv7(app.now()) })),
      (currency) => balanceDecimals(app.assets, currency),
    )
  })
}
