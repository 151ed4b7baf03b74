import { isDeepStrictEqual } from 'node:util'
import { hotKey, type SolanaPlan, type SpendKind } from '../domain/spends.ts'
import type { GateAsset, SolanaSpending } from '../gates/gate.ts'
import type { Wallet, WalletNetwork } from './wallet.ts'

const wrongAsset = 'The plan uses a currency or contract that this network does not have.'
const wrongToken = 'The plan uses another program or other decimals than its token has.'
const wrongFrom = 'The plan spends from an address that does not match its key.'
const wrongRent = 'The plan deposits rent that the accounts it opens do not take.'
const wrongSources = 'Only a sweep empties deposit addresses.'
const notOurs = 'The plan sends our own funds to an address that is not ours.'

// 0.01 SOL. A token account takes 0.002 and a nonce account 0.0015.
const maxRentUnits = 10_000_000n

/**
 * Why no plan of this kind may be signed on Solana, for any receiver: the hot wallet carries it out with one of its own
 * nonce accounts, in a currency that we know, and deposits no more rent than it says. Null when it may.
 */
export function solanaObjection(
  wallet: Wallet,
  { network, family, assets }: WalletNetwork,
  kind: SpendKind,
  plan: SolanaPlan,
): string | null {
  const { spending } = family
  const asset = assets.find(({ currency }) => currency === plan.currency)
  if (spending.kind !== 'solana' || asset === undefined || asset.contractAddress !== plan.contractAddress)
    return wrongAsset
  if (!isDeepStrictEqual(plan.token, spending.tokenOf(asset))) return wrongToken
  const { from, to, lifetime } = plan
  const isHot = from.key.chain === hotKey.chain && from.key.index === hotKey.index
  if (!isHot || wallet.addressAt(network.id, hotKey) !== from.address) return wrongFrom
  // Whether it is the payout's own is checked with the payout.
  if (to.tag !== null && (kind !== 'payout' || plan.payoutId === null)) return 'Only a payout has a memo.'
  if (!(lifetime.index >= 0 && lifetime.index < spending.nonceAccounts))
    return `The plan uses nonce account ${lifetime.index}, and the hot wallet has ${spending.nonceAccounts}.`
  // It may be signed again with a newer block's hash, so only what cannot take effect twice may depend on one.
  if ((lifetime.kind === 'creation') !== (kind === 'nonce'))
    return 'Only the creation of a nonce account, and nothing else, does without a nonce.'
  if ((plan.sources !== undefined) !== (kind === 'sweep')) return wrongSources
  return isRent(spending, asset, kind, plan.rentUnits) ? null : wrongRent
}

/**
 * Whether the plan may state this rent. What a token account takes is not in the bytes: a plan that states less would
 * spend more than the limits count.
 */
function isRent(spending: SolanaSpending, asset: GateAsset, kind: SpendKind, units: bigint): boolean {
  if (kind === 'nonce') return units > 0n && units <= maxRentUnits
  if (units === 0n) return true
  return (
    asset.contractAddress !== null && units >= spending.payoutBudget(asset).rentUnits && units <= maxRentUnits
  )
}

/** Why a plan does not just bring what lies on our deposit addresses to the hot wallet; null when it does. */
export function solanaSweepObjection(
  wallet: Wallet,
  walletNetwork: WalletNetwork,
  plan: SolanaPlan,
): string | null {
  const { network, family, assets } = walletNetwork
  const objection = solanaObjection(wallet, walletNetwork, 'sweep', plan)
  const asset = assets.find(({ currency }) => currency === plan.currency)
  const { sources, units, to } = plan
  const { spending } = family
  if (objection !== null || sources === undefined || asset === undefined || spending.kind !== 'solana')
    return objection ?? wrongSources
  if (plan.payoutId !== null || units <= 0n || to.address !== wallet.addressAt(network.id, hotKey))
    return notOurs
  if (sources.length === 0 || sources.length > spending.maxSources(asset))
    return `The plan empties ${sources.length} addresses, and at most ${spending.maxSources(asset)} are allowed.`
  if (new Set(sources.map(({ address }) => address)).size !== sources.length)
    return 'The plan empties an address twice.'
  for (const { address, key, units: each } of sources) {
    if (key.chain !== 'deposit' || wallet.addressAt(network.id, key) !== address) return wrongFrom
    if (each <= 0n) return 'The plan does not add up.'
  }
  return sources.reduce((sum, source) => sum + source.units, 0n) === units
    ? null
    : 'The plan does not add up.'
}

/** Why a plan does not just create a nonce account of the hot wallet; null when it does. */
export function noncePlanObjection(
  wallet: Wallet,
  walletNetwork: WalletNetwork,
  plan: SolanaPlan,
): string | null {
  const objection = solanaObjection(wallet, walletNetwork, 'nonce', plan)
  const { spending } = walletNetwork.family
  if (objection !== null || spending.kind !== 'solana') return objection ?? wrongAsset
  if (plan.contractAddress !== null) return wrongAsset
  return plan.payoutId === null &&
    plan.units === 0n &&
    plan.to.address === spending.nonceAccount(plan.lifetime.index)
    ? null
    : notOurs
}
