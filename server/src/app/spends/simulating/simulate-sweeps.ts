import type { Budget } from '../../../domain/spends.ts'
import type { Gate, GateAsset } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import type { HotAccount } from '../hot-wallet/hot-account.ts'
import { assetOn } from '../hot-wallet/native-asset.ts'
import { type Lying, lyingOn } from '../sweeping/start-sweep.ts'
import { cancelBudget, simulateTransfer, usualBudget } from './transfer-gas.ts'

/** How many addresses are swept at once. */
export const maxSweeps = 50
/** How many deposits are read to find those addresses. */
export const maxDeposits = maxSweeps * 4
const maxSimulations = 200

/** What moving deposits takes, as far as it was simulated. */
export type SweepSimulations = {
  /** For moving native currency between our own addresses. */
  readonly own: Budget
  /** For sweeping a currency from an address; null when it was not simulated. */
  of(currency: string, address: string): Budget | { readonly refused: string } | null
}

/**
 * Simulates sweeps of the largest deposits of each wanted currency until those that would succeed cover the wanted amount. A
 * token may refuse to move funds from a single address (frozen there). No transaction is open meanwhile.
 */
export async function simulateSweeps(
  app: Pick<App, 'store'>,
  gate: Gate,
  spending: HotAccount,
  wanted: ReadonlyMap<string, bigint>,
): Promise<SweepSimulations> {
  const own = await cancelBudget(gate, spending)
  const found = new Map<string, Budget | { refused: string }>()
  for (const [currency, units] of wanted) {
    const asset = assetOn(gate, currency)
    const deposits = await app.store.holdings.deposits(gate.id, gate.keychain, currency, maxDeposits)
    const canRefuse = gate.simulateTransfer !== undefined && asset.contractAddress !== null
    let missing = units
    for (const lying of lyingOn(deposits)) {
      // Where a simulation costs a call, simulate only as many as needed.
      if (canRefuse && (missing <= 0n || found.size >= maxSimulations)) break
      const budget = await budgetOf(gate, spending, asset, lying)
      found.set(`${currency} ${lying.address}`, budget)
      if (!('refused' in budget)) missing -= lying.units
    }
  }
  return { own, of: (currency, address) => found.get(`${currency} ${address}`) ?? null }
}

async function budgetOf(
  gate: Gate,
  spending: HotAccount,
  asset: GateAsset,
  { address, units }: Lying,
): Promise<Budget | { refused: string }> {
  // A native transfer between our own addresses needs no simulation.
  if (asset.contractAddress === null)
    return spending.kind === 'solana' ? spending.sweepBudget(asset, 1) : usualBudget(gate, spending, asset)
  const call = { from: address, to: spending.hotAddress, asset, units }
  const simulated = await simulateTransfer(gate, call)
  if (simulated !== null && 'refused' in simulated) return simulated
  // A sweep also closes the token account, which the simulation of a transfer does not.
  if (spending.kind === 'solana') return spending.sweepBudget(asset, 1)
  return simulated ?? usualBudget(gate, spending, asset)
}
