import type { Payout } from '../../domain/payouts.ts'
import { feeOf, type Work } from '../../domain/spends.ts'
import type { AccountSpending, Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { nativeAsset } from './native-asset.ts'
import { isPlainReceiver, tryMany } from './transfer-work.ts'
import type { Terms } from './try-payouts.ts'

/** Payouts that one transaction can pay, and what that takes at most, or would with fewer of them. */
export type Batch = { readonly payoutIds: readonly string[]; readonly work: Work }

// Alone it is cheaper by itself.
const fewest = 2

/**
 * Puts payouts of the network's own coin together where the operator has named a contract that pays many at once, and tries
 * each such transaction as a whole. Only what would work by itself, to receivers that are no programs, and of one merchant:
 * they share their fate. Only where that is cheaper, too: to make an account that nobody has paid before costs a contract more
 * than a transfer does. What is in no batch goes by itself. Nothing is held meanwhile.
 */
export async function tryBatches(
  app: Pick<App, 'spending'>,
  gate: Gate,
  { multisend, hotAddress }: AccountSpending,
  due: readonly Payout[],
  terms: ReadonlyMap<string, Terms>,
  { feeRate, free }: { feeRate: bigint; free: ReadonlyMap<string, bigint> },
): Promise<Batch[]> {
  if (multisend === undefined || hotAddress === null) return []
  const native = nativeAsset(gate)
  const ceiling = app.spending.maxFees.get(gate.network.id) ?? null
  const alone = new Map<string, bigint>()
  let left = free.get(native.currency) ?? 0n
  const fitting: Payout[] = []
  for (const payout of due) {
    const term = terms.get(payout.id)
    if (payout.currency !== native.currency || term === undefined || 'refused' in term || !term.isTried)
      continue
    const { destination: to, amountUnits: units } = payout
    const isPlain = await isPlainReceiver(gate, { from: hotAddress, to, asset: native, units })
    const fee = feeOf(term.work, feeRate)
    if (!isPlain || units + fee > left) continue
    left -= units + fee
    alone.set(payout.id, fee)
    fitting.push(payout)
  }
  // Whether it is worth it is a question of what is likely; whether it may be signed, of the most that it can take.
  const isAllowed = ({ payoutIds, work }: Batch, likely: Work) => {
    const apart = payoutIds.reduce((sum, id) => sum + (alone.get(id) ?? 0n), 0n)
    return feeOf(likely, feeRate) < apart && (ceiling === null || feeOf(work, feeRate) <= ceiling)
  }
  const batches: Batch[] = []
  for (const payouts of Map.groupBy(fitting, ({ merchantId }) => merchantId).values())
    for (let from = 0; payouts.length - from >= fewest; ) {
      const some = payouts.slice(from, from + multisend.maxOutputs)
      const batch = await tryBatch(gate, hotAddress, some, isAllowed)
      if (batch === null) break
      batches.push(batch)
      from += batch.payoutIds.length
    }
  return batches
}

/** As many of them, from the first on, as one transaction may pay; null when it cannot be two. */
async function tryBatch(
  gate: Gate,
  hotAddress: string,
  payouts: readonly Payout[],
  isAllowed: (batch: Batch, likely: Work) => boolean,
): Promise<Batch | null> {
  for (let count = payouts.length; count >= fewest; count = count >> 1) {
    const some = payouts.slice(0, count)
    const outputs = some.map(({ destination, amountUnits }) => ({ address: destination, units: amountUnits }))
    const tried = await tryMany(gate, hotAddress, outputs)
    if (tried === null) return null
    if ('refused' in tried) continue
    const batch = { payoutIds: some.map(({ id }) => id), work: tried.work }
    if (isAllowed(batch, tried.likely)) return batch
  }
  return null
}
