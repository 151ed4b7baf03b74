import { uuidv7 } from '../../domain/ids.ts'
import { type AccountPlan, feeOf, type GasBudget, hotKey, maxFeeOf } from '../../domain/spends.ts'
import type { Gate, GateAsset } from '../../gates/gate.ts'
import type { UnspentDeposit } from '../../store/holdings.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { claimAndInsert, type HotWallet } from './hot-wallet.ts'
import { nativeAsset } from './native-asset.ts'

/** An address is left alone until what lies there is worth so many times its gas. */
export const worth = 2n

/** Deposits of one currency that lie on one address. */
export type Lying = {
  readonly address: string
  readonly position: number
  readonly paymentIds: readonly string[]
  readonly units: bigint
}

/** A sweep, and the gas that has to be brought to its address before; null where what is there will do. */
export type SweepDraft = { readonly sweep: AccountPlan; readonly gas: AccountPlan | null }

/** Deposits by the address they lie on, in the order in which their addresses come. */
export function lyingOn(deposits: readonly UnspentDeposit[]): Lying[] {
  return [...Map.groupBy(deposits, ({ address }) => address)].map(([address, found]) => ({
    address,
    position: found[0]?.position ?? 0,
    paymentIds: found.map(({ paymentId }) => paymentId),
    units: found.reduce((sum, { units }) => sum + units, 0n),
  }))
}

/** Plans everything that lies on an address into the hot wallet; null when moving it costs all there is. */
export function draftSweep(
  gate: Gate,
  hot: Pick<HotWallet, 'address' | 'gasPrice'>,
  asset: GateAsset,
  { address, position, units }: Lying,
  { budget, ownGasBudget, leftUnits }: { budget: GasBudget; ownGasBudget: GasBudget; leftUnits: bigint },
): SweepDraft | null {
  const { gasPrice } = hot
  const fee = feeOf(budget, gasPrice)
  const isNative = asset.contractAddress === null
  if (isNative && units <= fee) return null
  const sweep: AccountPlan = {
    kind: 'account',
    from: { address, key: { chain: 'deposit', index: position } },
    nonce: 0n,
    to: { address: hot.address, tag: null },
    currency: asset.currency,
    contractAddress: asset.contractAddress,
    units: isNative ? units - fee : units,
    ...budget,
    gasPrice,
    payoutId: null,
  }
  const missing = isNative ? 0n : fee - (leftUnits > 0n ? leftUnits : 0n)
  if (missing <= 0n) return { sweep, gas: null }
  const gas: AccountPlan = {
    kind: 'account',
    from: { address: hot.address, key: hotKey },
    nonce: 0n,
    to: { address, tag: null },
    currency: nativeAsset(gate).currency,
    contractAddress: null,
    units: missing,
    ...ownGasBudget,
    gasPrice,
    payoutId: null,
  }
  return { sweep, gas }
}

/** The most that the network takes for a sweep, with bringing its gas, in its own coin. */
export function costOf({ sweep, gas }: SweepDraft): bigint {
  return maxFeeOf(sweep) + (gas === null ? 0n : maxFeeOf(gas))
}

/** What the hot wallet must have of the network's own coin to bring a sweep its gas. */
export function gasToBring({ gas }: SweepDraft): bigint {
  return gas === null ? 0n : gas.units + maxFeeOf(gas)
}

/** Writes a sweep, the gas before it, and pins what it moves to it. The hot wallet has the gas. */
export async function startSweep(
  app: Pick<App, 'now'>,
  tx: Store,
  gate: Gate,
  hot: HotWallet,
  { sweep, gas }: SweepDraft,
  { address, paymentIds }: Lying,
): Promise<void> {
  const afterSpendId = gas === null ? null : await claimAndInsert(app, tx, gate, hot, 'gas', gas)
  const id = uuidv7(app.now())
  const nonce = await tx.holdings.takeCount(gate.id, address)
  const feeCurrency = nativeAsset(gate).currency
  await tx.spends.insert({
    id,
    gateId: gate.id,
    kind: 'sweep',
    plan: { ...sweep, nonce },
    feeCurrency,
    afterSpendId,
  })
  if (!(await tx.holdings.pinPayments(paymentIds, id)))
    throw new Error('A deposit was claimed by another although nobody else plans.')
}
