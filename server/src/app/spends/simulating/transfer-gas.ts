import { performance } from 'node:perf_hooks'
import { gasLimitFor } from '../../../domain/gas.ts'
import { divide } from '../../../domain/money.ts'
import type { Budget, GasBudget } from '../../../domain/spends.ts'
import type {
  AccountSpending,
  Gate,
  GateAsset,
  HotSpending,
  TransferSimulation,
} from '../../../gates/gate.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'

// Planning repeats all the time while something waits; do not ask the node the same each time.
const maxAgeMs = 5_000
const maxKept = 10_000

type Kept = { readonly at: number; readonly answer: Promise<unknown> }
const keptOn = new WeakMap<Gate, Map<string, Kept>>()

/** A transfer to simulate. */
export type TransferCall = {
  readonly from: string
  readonly to: string
  readonly asset: GateAsset
  readonly units: bigint
  /** The memo that goes with it; none when left out. */
  readonly memo?: string | null
}

/** The budget of a simulated transfer, or why the network would refuse it. Null where the gate cannot simulate. */
export async function simulateTransfer(
  gate: Gate,
  call: TransferCall,
): Promise<Budget | { refused: string } | null> {
  const { simulateTransfer: ask } = gate
  if (ask === undefined) return null
  const { from, to, asset, units, memo = null } = call
  const simulated = await recently(gate, keyOf(call), () => ask(from, to, asset, units, memo))
  return budgetFor(gate, call, simulated)
}

function keyOf({ from, to, asset, units, memo = null }: TransferCall): string {
  return `${from} ${to} ${asset.currency} ${units} ${memo ?? ''}`
}

async function budgetFor(
  gate: Gate,
  { from, asset }: TransferCall,
  simulated: TransferSimulation,
): Promise<Budget | { refused: string }> {
  if ('refused' in simulated) return simulated
  if (gate.spending.kind === 'solana') {
    // The hot wallet always pays the fee and signs.
    const signatures = from === gate.spending.hotAddress ? 1 : 2
    const computeLimit = divide(simulated.gas * computeMargin.times, computeMargin.of, 'up')
    const rentUnits = simulated.opensAccount ? gate.spending.payoutBudget(asset).rentUnits : 0n
    return { computeLimit, rentUnits, signatures }
  }
  if (simulated.isExact) return { gasLimit: simulated.gas }
  const gasLimit = gasLimitFor(simulated.gas, simulated.mostGas)
  if (gasLimit === null)
    return { refused: `it takes ${simulated.gas} gas, more than is paid for any transfer` }
  return { gasLimit, ...(await besides(gate, asset)) }
}

// Unused compute units cost next to nothing, and a little more may be needed than when it was simulated.
const computeMargin = { times: 3n, of: 2n } as const

/** The budget of a transfer by the family's own table, for one that cannot be simulated yet. */
export async function usualBudget(
  gate: Gate,
  spending: HotSpending,
  asset: GateAsset,
  memo: string | null = null,
): Promise<Budget> {
  return spending.kind === 'solana'
    ? spending.payoutBudget(asset, memo)
    : usualGasBudget(gate, spending, asset)
}

/** The same in gas, where transactions take gas. */
export async function usualGasBudget(
  gate: Gate,
  spending: AccountSpending,
  asset: GateAsset,
): Promise<GasBudget> {
  const native = nativeAsset(gate)
  const own = await ownGasBudget(gate, spending)
  // Where even a plain transfer takes more gas than usual (on Arbitrum, gas also pays for Ethereum's data), so does a call.
  const more = own.gasLimit - spending.gasOf(native)
  if (asset.contractAddress === null) return own
  return { gasLimit: spending.gasOf(asset) + callTimes * more, ...(await besides(gate, asset)) }
}

// A token call is about twice as long as a plain transfer.
const callTimes = 2n

/** The gas budget for moving native currency between our own addresses. */
export async function ownGasBudget(gate: Gate, spending: AccountSpending): Promise<GasBudget> {
  const asset = nativeAsset(gate)
  const usual = { gasLimit: spending.gasOf(asset), ...(await besides(gate, asset)) }
  if (gate.simulateTransfer === undefined || spending.hotAddress === null) return usual
  const hot = spending.hotAddress
  const simulated = await simulateTransfer(gate, { from: hot, to: hot, asset, units: 0n })
  return simulated === null || !('gasLimit' in simulated) || simulated.gasLimit < usual.gasLimit
    ? usual
    : simulated
}

/** The budget of using up a nonce of the hot wallet. */
export async function cancelBudget(gate: Gate, spending: HotSpending): Promise<Budget> {
  return spending.kind === 'solana' ? spending.cancelBudget : ownGasBudget(gate, spending)
}

async function besides(gate: Gate, asset: GateAsset): Promise<Pick<GasBudget, 'dataFeeUnits'>> {
  const { dataFee } = gate
  if (dataFee === undefined) return {}
  return { dataFeeUnits: await recently(gate, `data ${asset.currency}`, () => dataFee(asset)) }
}

/** Reuses a recent answer to the same question on this gate; after a failure, the next call asks again. */
function recently<T>(gate: Gate, key: string, ask: () => Promise<T>): Promise<T> {
  const now = performance.now()
  const kept = keptOn.get(gate) ?? new Map<string, Kept>()
  keptOn.set(gate, kept)
  const known = kept.get(key)
  if (known !== undefined && now - known.at <= maxAgeMs) return known.answer as Promise<T>
  if (kept.size >= maxKept) kept.clear()
  const entry = { at: now, answer: ask() }
  kept.set(key, entry)
  entry.answer.catch(() => {
    if (kept.get(key) === entry) kept.delete(key)
  })
  return entry.answer
}
