import { uuidv7 } from '../../../domain/ids.ts'
import { type Budget, feeOf, hotKey, maxFeeOf } from '../../../domain/spends.ts'
import type { Gate, GateAsset } from '../../../gates/gate.ts'
import type { UnspentDeposit } from '../../../store/spends/holdings.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { claimAndInsert, type HotWallet } from '../hot-wallet/hot-wallet.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { type HotPlan, transferPlan } from '../planning/transfer-plan.ts'

/** An address is not swept until its deposits are worth more than this many times the gas. */
export const worth = 2n

/** The deposits of one currency on one address. */
export type Lying = {
  readonly address: string
  readonly position: number
  readonly paymentIds: readonly string[]
  readonly units: bigint
}

/** A sweep, and the transfer of gas to its address that must come first; null where the address has enough. */
export type SweepDraft = { readonly sweep: HotPlan; readonly gas: HotPlan | null }

/** Groups deposits by address, in the order in which the addresses first appear. */
export function lyingOn(deposits: readonly UnspentDeposit[]): Lying[] {
  return [...Map.groupBy(deposits, ({ address }) => address)].map(([address, found]) => ({
    address,
    position: found[0]?.position ?? 0,
    paymentIds: found.map(({ paymentId }) => paymentId),
    units: found.reduce((sum, { units }) => sum + units, 0n),
  }))
}

/** Plans a sweep of all deposits on an address into the hot wallet; null when the gas would cost all of it. */
export function draftSweep(
  gate: Gate,
  hot: Pick<HotWallet, 'address' | 'price'>,
  asset: GateAsset,
  { address, position, units }: Lying,
  { budget, ownGasBudget, leftUnits }: { budget: Budget; ownGasBudget: Budget; leftUnits: bigint },
): SweepDraft | null {
  const { price } = hot
  const fee = feeOf(budget, price)
  const isNative = asset.contractAddress === null
  if (isNative && units <= fee) return null
  const sweep = transferPlan(gate, {
    from: { address, key: { chain: 'deposit', index: position } },
    to: { address: hot.address, tag: null },
    asset,
    units: isNative ? units - fee : units,
    budget,
    price,
    payoutId: null,
  })
  const missing = isNative ? 0n : fee - (leftUnits > 0n ? leftUnits : 0n)
  if (missing <= 0n) return { sweep, gas: null }
  const gas = transferPlan(gate, {
    from: { address: hot.address, key: hotKey },
    to: { address, tag: null },
    asset: nativeAsset(gate),
    units: missing,
    budget: ownGasBudget,
    price,
    payoutId: null,
  })
  return { sweep, gas }
}

/** The highest fee of a sweep, including its gas transfer, in native currency. */
export function costOf({ sweep, gas }: SweepDraft): bigint {
  return maxFeeOf(sweep) + (gas === null ? 0n : maxFeeOf(gas))
}

/** The native currency that the hot wallet needs for a sweep: for its gas transfer, or for its fee. */
export function gasToBring({ sweep, gas }: SweepDraft): bigint {
  if (sweep.kind === 'solana') return maxFeeOf(sweep)
  return gas === null ? 0n : gas.units + maxFeeOf(gas)
}

/** Inserts a sweep and its gas transfer, and pins its deposits to it. The hot wallet must have the gas. */
export async function startSweep(
  app: Pick<App, 'now'>,
  tx: Store,
  gate: Gate,
  hot: HotWallet,
  { sweep, gas }: SweepDraft,
  { address, paymentIds }: Pick<Lying, 'address' | 'paymentIds'>,
): Promise<void> {
  const id =
    sweep.kind === 'solana'
      ? await claimAndInsert(app, tx, gate, hot, 'sweep', sweep)
      : await insertSweep(app, tx, gate, hot, { sweep, gas }, address)
  if (!(await tx.holdings.pinPayments(paymentIds, id)))
    throw new Error('A deposit was pinned by another spend although this process plans alone.')
}

async function insertSweep(
  app: Pick<App, 'now'>,
  tx: Store,
  gate: Gate,
  hot: HotWallet,
  { sweep, gas }: SweepDraft,
  address: string,
): Promise<string> {
  const afterSpendId = gas === null ? null : await claimAndInsert(app, tx, gate, hot, 'gas', gas)
  const id = uuidv7(app.now())
  const nonce = await tx.holdings.takeCount(gate.id, address)
  const feeCurrency = nativeAsset(gate).currency
  const plan = sweep.kind === 'account' ? { ...sweep, nonce } : sweep
  await tx.spends.insert({ id, gateId: gate.id, kind: 'sweep', plan, feeCurrency, afterSpendId })
  return id
}
