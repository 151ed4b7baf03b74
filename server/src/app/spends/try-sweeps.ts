import type { Work } from '../../domain/spends.ts'
import type { AccountSpending, Gate, GateAsset } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { assetOn } from './native-asset.ts'
import { type Lying, lyingOn } from './start-sweep.ts'
import { ownWork, tryTransfer, usualWork } from './transfer-work.ts'

/** Of how many addresses so much is gathered at once. */
export const maxSweeps = 50
/** Of how many deposits those are found. */
export const maxDeposits = maxSweeps * 4
const maxTrials = 200

/** What moving deposits takes, as far as it was tried. */
export type SweepTrials = {
  /** Of a move of the network's own coin between addresses of ours. */
  readonly own: Work
  /** What sweeping an address of a currency takes; null when it was not tried. */
  of(currency: string, address: string): Work | { readonly refused: string } | null
}

/**
 * Tries sweeps of the largest deposits of each wanted currency until those that would work bring what is wanted. A token may
 * refuse to move what lies on one address (it was frozen there) and no other. Nothing is held meanwhile.
 */
export async function trySweeps(
  app: Pick<App, 'store'>,
  gate: Gate,
  spending: AccountSpending,
  wanted: ReadonlyMap<string, bigint>,
): Promise<SweepTrials> {
  const own = await ownWork(gate, spending)
  const found = new Map<string, Work | { refused: string }>()
  for (const [currency, units] of wanted) {
    const asset = assetOn(gate, currency)
    const deposits = await app.store.holdings.deposits(gate.id, gate.keychain, currency, maxDeposits)
    const canRefuse = gate.rehearse !== undefined && asset.contractAddress !== null
    let missing = units
    for (const lying of lyingOn(deposits)) {
      // What costs a call is asked for as many as are needed.
      if (canRefuse && (missing <= 0n || found.size >= maxTrials)) break
      const work = await workOf(gate, spending, asset, lying)
      found.set(`${currency} ${lying.address}`, work)
      if (!('refused' in work)) missing -= lying.units
    }
  }
  return { own, of: (currency, address) => found.get(`${currency} ${address}`) ?? null }
}

async function workOf(
  gate: Gate,
  spending: AccountSpending,
  asset: GateAsset,
  { address, units }: Lying,
): Promise<Work | { refused: string }> {
  // The coin itself moves between our own addresses as it does anywhere.
  if (asset.contractAddress === null || spending.hotAddress === null) return usualWork(gate, spending, asset)
  const trial = { from: address, to: spending.hotAddress, asset, units }
  return (await tryTransfer(gate, trial)) ?? usualWork(gate, spending, asset)
}
