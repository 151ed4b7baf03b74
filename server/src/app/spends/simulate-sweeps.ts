import type { GasBudget } from '../../domain/spends.ts'
import type { AccountSpending, Gate, GateAsset } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { assetOn } from './native-asset.ts'
import { type Lying, lyingOn } from './start-sweep.ts'
import { ownGasBudget, simulateTransfer, usualGasBudget } from './transfer-gas.ts'

/** Of how many addresses so much is gathered at once. */
export const maxSweeps = 50
/** Of how many deposits those are found. */
export const maxDeposits = maxSweeps * 4
const maxTrials = 200

/** What moving deposits takes, as far as it was simulated. */
export type SweepSimulations = {
  /** Of a move of the network's own coin between addresses of ours. */
  readonly own: GasBudget
  /** What sweeping an address of a currency takes; null when it was not simulated. */
  of(currency: string, address: string): GasBudget | { readonly refused: string } | null
}

/**
 * Tries sweeps of the largest deposits of each wanted currency until those that would work bring what is wanted. A token may
 * refuse to move what lies on one address (it was frozen there) and no other. Nothing is held meanwhile.
 */
export async function simulateSweeps(
  app: Pick<App, 'store'>,
  gate: Gate,
  spending: AccountSpending,
  wanted: ReadonlyMap<string, bigint>,
): Promise<SweepSimulations> {
  const own = await ownGasBudget(gate, spending)
  const found = new Map<string, GasBudget | { refused: string }>()
  for (const [currency, units] of wanted) {
    const asset = assetOn(gate, currency)
    const deposits = await app.store.holdings.deposits(gate.id, gate.keychain, currency, maxDeposits)
    const canRefuse = gate.simulateTransfer !== undefined && asset.contractAddress !== null
    let missing = units
    for (const lying of lyingOn(deposits)) {
      // What costs a call is asked for as many as are needed.
      if (canRefuse && (missing <= 0n || found.size >= maxTrials)) break
      const budget = await budgetOf(gate, spending, asset, lying)
      found.set(`${currency} ${lying.address}`, budget)
      if (!('refused' in budget)) missing -= lying.units
    }
  }
  return { own, of: (currency, address) => found.get(`${currency} ${address}`) ?? null }
}

async function budgetOf(
  gate: Gate,
  spending: AccountSpending,
  asset: GateAsset,
  { address, units }: Lying,
): Promise<GasBudget | { refused: string }> {
  // The coin itself moves between our own addresses as it does anywhere.
  if (asset.contractAddress === null || spending.hotAddress === null)
    return usualGasBudget(gate, spending, asset)
  const call = { from: address, to: spending.hotAddress, asset, units }
  return (await simulateTransfer(gate, call)) ?? usualGasBudget(gate, spending, asset)
}
