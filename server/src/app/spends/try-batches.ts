import type { Payout } from '../../domain/payouts.ts'
import { feeOf, type Work } from '../../domain/spends.ts'
import type { AccountSpending, Gate, GateAsset } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { convertUnits } from '../rates/convert-units.ts'
import { nativeAsset } from './native-asset.ts'
import { isPlainReceiver, tryMany } from './transfer-work.ts'
import type { Terms } from './try-payouts.ts'

/** Payouts of one merchant and currency that one transaction can pay, and what that takes at most, or would with fewer of them. */
export type Batch = {
  readonly payoutIds: readonly string[]
  readonly asset: GateAsset
  readonly work: Work
  /** What that costs at most, in their own currency. */
  readonly costUnits: bigint
}

/** What a batch is put together from. */
type Ground = {
  readonly gate: Gate
  readonly hotAddress: string
  readonly maxOutputs: number
  readonly feeRate: bigint
  /** What the hot wallet has left, by currency; lowered as payouts are taken in. */
  readonly left: Map<string, bigint>
  /** The most that the signer allows for one transaction; null where nobody has said. */
  readonly ceiling: bigint | null
}

/** A payout that may leave with others, and what it would cost by itself. */
type Fitting = { readonly payout: Payout; readonly aloneUnits: bigint }

// Alone it is cheaper by itself.
const fewest = 2

/**
 * Puts payouts together where the operator has named a contract that pays many at once, and tries each such transaction as a
 * whole. Tokens only as far as it may take them. Only what would work by itself, to receivers that are no programs, and of one
 * merchant: they share their fate. Only where that is cheaper, too: to make an account that nobody has paid before costs a contract
 * more than a transfer does. What is in no batch goes by itself. Nothing is held meanwhile.
 */
export async function tryBatches(
  app: Pick<App, 'spending' | 'store' | 'rates'>,
  gate: Gate,
  { multisend, hotAddress }: AccountSpending,
  due: readonly Payout[],
  terms: ReadonlyMap<string, Terms>,
  { feeRate, free }: { feeRate: bigint; free: ReadonlyMap<string, bigint> },
): Promise<Batch[]> {
  if (multisend === undefined || hotAddress === null) return []
  const { address: spender, maxOutputs, allowances } = multisend
  const left = new Map(free)
  const ceiling = app.spending.maxFees.get(gate.network.id) ?? null
  const ground: Ground = { gate, hotAddress, maxOutputs, feeRate, left, ceiling }
  const batches: Batch[] = []
  for (const [currency, payouts] of Map.groupBy(due, (payout) => payout.currency)) {
    const asset = gate.assets.find((each) => each.currency === currency)
    if (asset === undefined || payouts.length < fewest) continue
    if (asset.contractAddress !== null) {
      if (!allowances.has(currency)) continue
      const { leftUnits } = await app.store.allowances.of({
        gateId: gate.id,
        from: hotAddress,
        spender,
        currency,
      })
      if (leftUnits < (left.get(currency) ?? 0n)) left.set(currency, leftUnits)
    }
    const fitting = await fittingOf(ground, asset, payouts, terms)
    for (const own of Map.groupBy(fitting, ({ payout }) => payout.merchantId).values())
      batches.push(...(await batchesOf(app, ground, asset, own)))
  }
  return batches
}

/** Those that the hot wallet has enough for, and that fail nobody else. */
async function fittingOf(
  { gate, hotAddress, feeRate, left }: Ground,
  asset: GateAsset,
  payouts: readonly Payout[],
  terms: ReadonlyMap<string, Terms>,
): Promise<Fitting[]> {
  const native = nativeAsset(gate).currency
  const fitting: Fitting[] = []
  for (const payout of payouts) {
    const term = terms.get(payout.id)
    if (term === undefined || 'refused' in term || !term.isTried) continue
    const { destination: to, amountUnits: units } = payout
    const aloneUnits = feeOf(term.work, feeRate)
    const taken = new Map([[asset.currency, units]])
    taken.set(native, (taken.get(native) ?? 0n) + aloneUnits)
    if ([...taken].some(([currency, needed]) => needed > (left.get(currency) ?? 0n))) continue
    if (!(await isPlainReceiver(gate, { from: hotAddress, to, asset, units }))) continue
    for (const [currency, needed] of taken) left.set(currency, (left.get(currency) ?? 0n) - needed)
    fitting.push({ payout, aloneUnits })
  }
  return fitting
}

async function batchesOf(
  app: Pick<App, 'rates'>,
  ground: Ground,
  asset: GateAsset,
  fitting: readonly Fitting[],
): Promise<Batch[]> {
  const batches: Batch[] = []
  for (let from = 0; fitting.length - from >= fewest; ) {
    const batch = await tryBatch(app, ground, asset, fitting.slice(from, from + ground.maxOutputs))
    if (batch === null) break
    batches.push(batch)
    from += batch.payoutIds.length
  }
  return batches
}

/** As many of them, from the first on, as one transaction may pay; null when it cannot be two. */
async function tryBatch(
  app: Pick<App, 'rates'>,
  { gate, hotAddress, feeRate, ceiling }: Ground,
  asset: GateAsset,
  fitting: readonly Fitting[],
): Promise<Batch | null> {
  for (let count = fitting.length; count >= fewest; count = count >> 1) {
    const some = fitting.slice(0, count)
    const outputs = some.map(({ payout }) => ({ address: payout.destination, units: payout.amountUnits }))
    const tried = await tryMany(gate, hotAddress, asset, outputs)
    if (tried === null) return null
    if ('refused' in tried) continue
    // Whether it is worth it is a question of what is likely; whether it may be signed, of the most that it can take.
    const apart = some.reduce((sum, { aloneUnits }) => sum + aloneUnits, 0n)
    const mostUnits = feeOf(tried.work, feeRate)
    if (feeOf(tried.likely, feeRate) >= apart || (ceiling !== null && mostUnits > ceiling)) continue
    const costUnits = await inOwnCoin(app, gate, asset, mostUnits)
    // Without a rate none of them goes on, together or alone.
    if (costUnits === null) return null
    return { payoutIds: some.map(({ payout }) => payout.id), asset, work: tried.work, costUnits }
  }
  return null
}

async function inOwnCoin(
  app: Pick<App, 'rates'>,
  gate: Gate,
  asset: GateAsset,
  feeUnits: bigint,
): Promise<bigint | null> {
  if (asset.contractAddress === null) return feeUnits
  return convertUnits(app, gate.environment, { units: feeUnits, from: nativeAsset(gate), to: asset })
}
