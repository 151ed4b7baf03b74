import {
  type AccountPlan,
  type CoinPlan,
  hotKey,
  maxFeeOf,
  type SolanaPlan,
  type SpendKind,
  type SpendPlan,
  splitFee,
} from '../domain/spends.ts'
import { useNamesOf } from '../domain/uses.ts'
import { fullConsent, type GateAsset, nativeOf } from '../gates/gate.ts'
import type { PayoutToSign } from '../store/spends/signing.ts'
import { solanaObjection, solanaSweepObjection } from './check-solana.ts'
import type { Wallet, WalletNetwork } from './wallet.ts'

const otherwise = 'The plan does not pay exactly the payouts of its spend.'
const notOurs = 'The plan sends our own funds to an address that is not ours.'
const wrongAsset = 'The plan uses a currency or contract that this network does not have.'
const wrongFrom = 'The plan spends from an address that does not match its key.'

/** Why a plan does not pay exactly its payouts from our own addresses, with the change back to us; null when it does. */
export function payoutPlanObjection(
  wallet: Wallet,
  walletNetwork: WalletNetwork,
  plan: SpendPlan,
  payouts: readonly PayoutToSign[],
): string | null {
  const { network, family, assets } = walletNetwork
  if (payouts.length === 0) return 'No payout belongs to this spend.'
  for (const { destination, destinationTag } of payouts) {
    // Consent saves a merchant from a mistake. An attacker who could forge it could as well name a wallet of his own.
    const parsed = family.parseDestination(destination, destinationTag, fullConsent)
    if (parsed?.address !== destination || parsed.tag !== destinationTag)
      return `${destination} is not a valid destination on ${network.name}.`
  }
  const native = nativeOf(assets)
  if (plan.kind === 'coins')
    return coinObjection(wallet, network.id, native, plan, payouts) ?? feeObjection(native, plan, payouts)
  const [payout] = payouts
  if (payout === undefined || payouts.length !== 1 || plan.payoutId !== payout.id) return otherwise
  if (
    plan.to.address !== payout.destination ||
    plan.to.tag !== payout.destinationTag ||
    plan.currency !== payout.currency ||
    plan.units !== payout.amountUnits
  )
    return otherwise
  return transferObjection(wallet, walletNetwork, 'payout', plan) ?? feeObjection(native, plan, payouts)
}

/** The same for transfers between our own addresses. `toPosition` is the destination's position according to the database. */
export function ownPlanObjection(
  wallet: Wallet,
  walletNetwork: WalletNetwork,
  kind: 'sweep' | 'gas',
  plan: SpendPlan,
  toPosition: number | null,
  feeCeilingUnits: bigint,
): string | null {
  const { network, assets, family } = walletNetwork
  // On Solana the hot wallet pays every fee, so that no deposit address needs gas.
  if (plan.kind === 'solana' && kind === 'sweep') return solanaSweepObjection(wallet, walletNetwork, plan)
  if (plan.kind !== 'account' || family.spending.kind !== 'account') return wrongAsset
  if (plan.payoutId !== null || plan.to.tag !== null || plan.units <= 0n) return notOurs
  const asset = assetObjection(assets, plan)
  if (asset !== null) return asset
  if (kind === 'sweep') {
    if (plan.to.address !== family.spending.hotAddress) return notOurs
    const isDeposit = plan.from.key.chain === 'deposit'
    return isDeposit && wallet.addressAt(network.id, plan.from.key) === plan.from.address ? null : wrongFrom
  }
  if (toPosition === null) return notOurs
  if (wallet.addressAt(network.id, { chain: 'deposit', index: toPosition }) !== plan.to.address)
    return notOurs
  if (plan.contractAddress !== null) return wrongAsset
  if (plan.units > feeCeilingUnits) return 'A deposit address would get more gas money than a sweep can cost.'
  return hotObjection(wallet, network.id, plan)
}

/** Why a plan does not just consolidate our coins at one of our own addresses; null when it does. */
export function consolidationObjection(
  wallet: Wallet,
  { network, assets }: WalletNetwork,
  plan: SpendPlan,
): string | null {
  if (plan.kind !== 'coins') return wrongAsset
  // Where there are no payouts, the only output that it accepts is the change. A plan without any output is never read.
  return coinObjection(wallet, network.id, nativeOf(assets), plan, [])
}

/** Why a plan does not just make the hot wallet's trust line for a currency that we know; null when it does. */
export function trustPlanObjection(
  wallet: Wallet,
  walletNetwork: WalletNetwork,
  plan: SpendPlan,
): string | null {
  const { assets, family } = walletNetwork
  const { spending } = family
  if (plan.kind !== 'account' || spending.kind !== 'account') return wrongAsset
  const asset = assets.find(({ currency }) => currency === plan.currency)
  const issuer = asset === undefined ? null : (spending.trustedFor?.(asset) ?? null)
  if (issuer === null) return wrongAsset
  if (plan.payoutId !== null || plan.to.tag !== null || plan.units !== 0n || plan.to.address !== issuer)
    return 'The plan does more than to trust the issuer of its currency.'
  return transferObjection(wallet, walletNetwork, 'trust', plan)
}

/**
 * The objection to a plan that should only use up a nonce of the hot wallet, for a payout, a cold spend, a trust line or a gap: such a plan
 * pays no one, and the hot wallet is both sender and receiver. Null if it does just that.
 */
export function cancellingPlanObjection(
  wallet: Wallet,
  walletNetwork: WalletNetwork,
  kind: SpendKind,
  plan: SpendPlan,
): string | null {
  if (!['payout', 'fill', 'cold', 'trust'].includes(kind))
    return `Only payouts, fills, trust lines and moves to the cold wallet end a number of the hot wallet, and this is a spend of the kind “${kind}”.`
  // Values of nonce accounts on Solana have no order in which one of them could be missing.
  if (plan.kind === 'coins' || (plan.kind === 'solana' && kind === 'fill')) return wrongAsset
  if (plan.payoutId !== null || plan.to.tag !== null || plan.units !== 0n) return notOurs
  if (plan.contractAddress !== null) return wrongAsset
  if (plan.to.address !== wallet.addressAt(walletNetwork.network.id, hotKey)) return notOurs
  return transferObjection(wallet, walletNetwork, kind, plan)
}

/** An output that pays a payout. */
type PaidOutput = { readonly address: string; readonly units: bigint; readonly payoutId: string }

/** Whether these outputs pay each of the payouts exactly once, and nothing else. */
function payEachOnce(
  outputs: readonly PaidOutput[],
  payouts: readonly PayoutToSign[],
  currency: string,
): boolean {
  const unpaid = new Map(payouts.map((payout) => [payout.id, payout]))
  for (const { address, units, payoutId } of outputs) {
    const payout = unpaid.get(payoutId)
    if (payout === undefined || payout.currency !== currency || payout.amountUnits !== units) return false
    if (payout.destination !== address || payout.destinationTag !== null) return false
    unpaid.delete(payoutId)
  }
  return unpaid.size === 0
}

function coinObjection(
  wallet: Wallet,
  network: string,
  native: GateAsset,
  plan: CoinPlan,
  payouts: readonly PayoutToSign[],
): string | null {
  const paying: PaidOutput[] = []
  for (const [at, { address, units, payoutId }] of plan.outputs.entries()) {
    if (payoutId !== null) paying.push({ address, units, payoutId })
    else if (plan.change?.outputIndex !== at) return notOurs
    else if (wallet.addressAt(network, { chain: 'own', index: plan.change.index }) !== address) return notOurs
  }
  if (!payEachOnce(paying, payouts, native.currency)) return otherwise
  if (plan.change !== null && plan.outputs[plan.change.outputIndex]?.payoutId !== null) return notOurs
  if (new Set(useNamesOf(plan)).size !== plan.inputs.length) return 'The plan spends a coin twice.'
  const sum = (list: readonly { units: bigint }[]) => list.reduce((total, { units }) => total + units, 0n)
  const left = sum(plan.inputs) - sum(plan.outputs)
  return left === plan.feeUnits && left >= 0n ? null : 'The plan does not add up.'
}

/** A payout must never cost more than its reserve. For a token, the planner has already reserved the value of the gas. */
function feeObjection(native: GateAsset, plan: SpendPlan, payouts: readonly PayoutToSign[]): string | null {
  const fee = maxFeeOf(plan)
  const share = splitFee(fee, payouts.length)[0] ?? fee
  return payouts.every(
    ({ currency, networkFeeUnits }) => currency !== native.currency || share <= networkFeeUnits,
  )
    ? null
    : 'The network fee is higher than the amount reserved for it.'
}

/** Why a plan is not a transfer from the hot wallet, in a currency of this network; null when it is. */
function transferObjection(
  wallet: Wallet,
  walletNetwork: WalletNetwork,
  kind: SpendKind,
  plan: AccountPlan | SolanaPlan,
): string | null {
  const { network, assets, family } = walletNetwork
  if (plan.kind === 'solana') return solanaObjection(wallet, walletNetwork, kind, plan)
  if (family.spending.kind !== 'account') return wrongAsset
  return assetObjection(assets, plan) ?? hotObjection(wallet, network.id, plan)
}

function assetObjection(assets: readonly GateAsset[], plan: AccountPlan): string | null {
  const asset = assets.find(({ currency }) => currency === plan.currency)
  return asset !== undefined && asset.contractAddress === plan.contractAddress ? null : wrongAsset
}

function hotObjection(wallet: Wallet, network: string, { from }: AccountPlan): string | null {
  const isHot = from.key.chain === hotKey.chain && from.key.index === hotKey.index
  return isHot && wallet.addressAt(network, hotKey) === from.address ? null : wrongFrom
}
