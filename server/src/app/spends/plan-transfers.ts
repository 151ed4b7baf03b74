import type { Payout } from '../../domain/payouts.ts'
import { type AccountPlan, claimsOf, hotKey } from '../../domain/spends.ts'
import type { AccountSpending, Gate, GateAsset } from '../../gates/gate.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { absorbHot } from './absorb-hot.ts'
import { gather } from './gather-deposits.ts'
import { claimAndInsert, type HotWallet } from './hot-wallet.ts'
import { assetOn, nativeAsset } from './native-asset.ts'
import type { NetworkCosts } from './network-cost.ts'
import { letWait, raiseReserve, submitPayout } from './submit-payout.ts'

const maxAtOnce = 50

/**
 * Plans a transfer from the hot wallet for each due payout that it can pay, inside the caller's transaction, and has
 * deposits gathered for those that it cannot. Returns how many payouts were taken up or deposits set in motion.
 */
export async function planTransfers(
  app: App,
  tx: Store,
  gate: Gate,
  spending: AccountSpending,
  chain: { feeRate: bigint; minedCount: bigint; costs: NetworkCosts },
): Promise<number> {
  if (spending.hotAddress === null) return 0
  const due = await tx.payouts.claimDue(gate.id, maxAtOnce)
  if (due.length === 0) return 0
  const native = nativeAsset(gate)
  await absorbHot(app, tx, gate, spending.hotAddress)
  const units = await tx.holdings.lockHot(gate.id, [native.currency, ...due.map(({ currency }) => currency)])
  const hot: HotWallet = { address: spending.hotAddress, units, gasPrice: chain.feeRate }
  const obstacle = await obstacleOf(tx, gate, hot.address, chain.minedCount)
  if (obstacle !== null) {
    for (const payout of due) await letWait(app, tx, payout, obstacle)
    return 0
  }

  let moved = 0
  const missing = new Map<string, { units: bigint; payouts: Payout[] }>()
  for (const payout of due) {
    const plan = draft(gate, spending, hot, payout)
    const reserved = await reserve(app, tx, payout, chain.costs)
    if (reserved === null) continue
    const short = shortage(hot, plan, native)
    if (short !== null) {
      const known = missing.get(short.currency) ?? { units: 0n, payouts: [] }
      missing.set(short.currency, { units: known.units + short.units, payouts: [...known.payouts, payout] })
      continue
    }
    await send(app, tx, gate, hot, reserved, plan)
    moved++
  }
  for (const [currency, { units: wanted, payouts }] of missing) {
    const gathered = await gather(app, tx, gate, spending, hot, assetOn(gate, currency), wanted)
    moved += gathered.started
    for (const payout of payouts) await letWait(app, tx, payout, gathered.reason)
  }
  return moved
}

/** Why nothing can leave the account at all: its numbers must be used one after another, all of them by us. */
async function obstacleOf(
  tx: Store,
  gate: Gate,
  address: string,
  /** How many of its transactions are mined, as the node says. */
  minedCount: bigint,
): Promise<string | null> {
  if (minedCount > (await tx.holdings.nextNumber(gate.id, address))) return keyUsedOutside
  const refusal = await tx.spends.refusalOf(gate.id, address)
  return refusal === null ? null : `${behindRefused} ${refusal}`
}

// What is planned behind it could not be cancelled any more, nor go on.
const behindRefused =
  'An earlier transaction of this network has to be signed first, and the signer does not sign it:'

const keyUsedOutside =
  'The hot wallet has sent transactions that this service does not know of: its key was used elsewhere. The operator has to look at it before payouts go on.'

function draft(gate: Gate, spending: AccountSpending, hot: HotWallet, payout: Payout): AccountPlan {
  const asset = assetOn(gate, payout.currency)
  return {
    kind: 'account',
    from: { address: hot.address, key: hotKey },
    nonce: 0n,
    to: { address: payout.destination, tag: payout.destinationTag },
    currency: payout.currency,
    contractAddress: asset.contractAddress,
    units: payout.amountUnits,
    gasLimit: spending.gasOf(asset),
    gasPrice: hot.gasPrice,
    payoutId: payout.id,
  }
}

function shortage(
  { units }: HotWallet,
  plan: AccountPlan,
  native: GateAsset,
): { currency: string; units: bigint } | null {
  for (const [currency, claimed] of claimsOf(plan, native.currency)) {
    const missing = claimed - (units.get(currency) ?? 0n)
    if (missing > 0n) return { currency, units: missing }
  }
  return null
}

async function send(
  app: App,
  tx: Store,
  gate: Gate,
  hot: HotWallet,
  payout: Payout,
  plan: AccountPlan,
): Promise<void> {
  const spendId = await claimAndInsert(app, tx, gate, hot, 'payout', plan)
  await submitPayout(app, tx, payout, spendId)
}

async function reserve(app: App, tx: Store, payout: Payout, costs: NetworkCosts): Promise<Payout | null> {
  const cost = costs.get(payout.currency) ?? null
  if (cost !== null) return raiseReserve(app, tx, payout, cost)
  await letWait(
    app,
    tx,
    payout,
    `There is no exchange rate at present to tell what the network's fee is in ${payout.currency}.`,
  )
  return null
}
