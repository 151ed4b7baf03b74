import { performance } from 'node:perf_hooks'
import { gasLimitFor } from '../../domain/gas.ts'
import type { Work } from '../../domain/spends.ts'
import type { AccountSpending, Gate, GateAsset, Rehearsal } from '../../gates/gate.ts'
import { nativeAsset } from './native-asset.ts'

// Planning goes on all the time while something waits: a node is not asked the same each time.
const maxAgeMs = 5_000
const maxKept = 10_000

type Kept = { readonly at: number; readonly answer: Promise<unknown> }
const keptOn = new WeakMap<Gate, Map<string, Kept>>()

/** A transfer that may be tried. */
export type Trial = {
  readonly from: string
  readonly to: string
  readonly asset: GateAsset
  readonly units: bigint
}

/** What a transfer takes that was tried, or why the network would refuse it. Null where nothing can be tried. */
export async function tryTransfer(gate: Gate, trial: Trial): Promise<Work | { refused: string } | null> {
  const { rehearse } = gate
  if (rehearse === undefined) return null
  const { from, to, asset, units } = trial
  const tried = await recently(gate, keyOf(trial), () => rehearse(from, to, asset, units))
  return workFor(gate, asset, tried)
}

function keyOf({ from, to, asset, units }: Trial): string {
  return `${from} ${to} ${asset.currency} ${units}`
}

async function workFor(gate: Gate, asset: GateAsset, tried: Rehearsal): Promise<Work | { refused: string }> {
  if ('refused' in tried) return tried
  const gasLimit = gasLimitFor(tried.gas, tried.mostGas)
  if (gasLimit === null) return { refused: `it takes ${tried.gas} gas, more than is paid for any transfer` }
  return { gasLimit, ...(await besides(gate, asset)) }
}

/** What a transfer takes by the family's own table, for what cannot be tried yet. */
export async function usualWork(gate: Gate, spending: AccountSpending, asset: GateAsset): Promise<Work> {
  const native = nativeAsset(gate)
  const own = await ownWork(gate, spending)
  // Where even a plain transfer takes more than usual (Arbitrum pays for Ethereum's room in gas), a call takes more too.
  const more = own.gasLimit - spending.gasOf(native)
  if (asset.contractAddress === null) return own
  return { gasLimit: spending.gasOf(asset) + callTimes * more, ...(await besides(gate, asset)) }
}

// A call of a token is about twice as long as a plain transfer.
const callTimes = 2n

/** What moving the network's own coin between addresses of ours takes. */
export async function ownWork(gate: Gate, spending: AccountSpending): Promise<Work> {
  const asset = nativeAsset(gate)
  const usual = { gasLimit: spending.gasOf(asset), ...(await besides(gate, asset)) }
  if (gate.rehearse === undefined || spending.hotAddress === null) return usual
  const hot = spending.hotAddress
  const tried = await tryTransfer(gate, { from: hot, to: hot, asset, units: 0n })
  return tried === null || 'refused' in tried || tried.gasLimit < usual.gasLimit ? usual : tried
}

async function besides(gate: Gate, asset: GateAsset): Promise<Pick<Work, 'dataFeeUnits'>> {
  const { dataFee } = gate
  if (dataFee === undefined) return {}
  return { dataFeeUnits: await recently(gate, `data ${asset.currency}`, () => dataFee(asset)) }
}

/** The answer to the same question on this gate of a moment ago; what failed is asked anew by whoever comes next. */
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
