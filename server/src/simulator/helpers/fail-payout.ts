import type { App } from '../../app/app.ts'
import { getPayout } from '../../app/payouts/get-payout.ts'
import { merchantNow } from '../../app/test-clock/merchant-now.ts'
import type { Caller } from '../../domain/caller.ts'
import { OutageError, ServiceError } from '../../domain/errors.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { SpendPlan } from '../../domain/spends.ts'
import { usesOf } from '../../domain/uses.ts'
import { SimulationRefusal } from '../chain/refusal.ts'
import { longestMs, settleGate, within } from './settle-gate.ts'
import { type SimulatedGate, simulatedGate } from './simulated-gate.ts'

// The database dated the approval, and this process knows the database's time only nearly.
const clocksApartMs = 1_000

/**
 * Makes the simulated network reject a payout's transaction for good, and returns the payout once it has failed. Waits for
 * a payout that is not sent yet.
 */
export async function failPayout(app: App, caller: Caller, id: string): Promise<Payout> {
  const first = await getPayout(app, caller, id)
  refuseUnlessUnderWay(first)
  if (
    first.executableAt !== null &&
    first.status === 'approved' &&
    first.executableAt.getTime() > (await merchantNow(app, caller)).getTime() + clocksApartMs
  )
    throw new ServiceError('conflict', 'This payout is still cooling off, so it cannot fail yet.')
  const gate = simulatedGate(app, caller, first.network)

  const ruledOut = new Set<string>()
  let payout = first
  const hasFailed = await within(longestMs, async () => {
    payout = await getPayout(app, caller, id)
    if (payout.status === 'failed') return true
    refuseUnlessUnderWay(payout)
    const spend = payout.spendId === null ? null : await app.store.spends.find(payout.spendId)
    for (const { signed, plan } of spend?.transactions ?? []) {
      if (signed === null || ruledOut.has(signed.hash)) continue
      await ruleOut(app, gate, signed.hash, plan)
      ruledOut.add(signed.hash)
    }
    return false
  })
  // Safe to repeat: a transaction that was ruled out stays ruled out.
  if (!hasFailed) throw new OutageError('The payout did not fail in time.')
  return payout
}

function refuseUnlessUnderWay({ status }: Payout): void {
  if (status !== 'approved' && status !== 'processing')
    throw new ServiceError(
      'conflict',
      `Only a payout that is approved or processing can fail; this one is ${status}.`,
    )
}

/** Makes it impossible for the transaction to be mined, and mines enough blocks to make that final. */
async function ruleOut(app: App, gate: SimulatedGate, hash: string, plan: SpendPlan): Promise<void> {
  try {
    await app.store.simulatedChains.ruleOut(gate.id, hash, usesOf(plan))
  } catch (error) {
    if (error instanceof SimulationRefusal)
      throw new ServiceError('conflict', 'Its transaction is already in a block, so it can no longer fail.')
    throw error
  }
  await app.store.simulatedChains.mine(gate.id, gate.network.confirmations)
  await settleGate(app, gate)
}
