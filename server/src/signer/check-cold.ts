import type { ColdWallet } from '../domain/cold-wallets.ts'
import { type AccountPlan, type CoinPlan, hotKey, type SolanaPlan, type SpendPlan } from '../domain/spends.ts'
import { useNamesOf } from '../domain/uses.ts'
import { solanaObjection } from './check-solana.ts'
import type { Journal } from './journal.ts'
import type { Wallet, WalletNetwork } from './wallet.ts'

const elsewhere = 'The plan does not pay the cold wallet of the signer’s own settings.'
const more = 'The plan pays more than the cold wallet and our own change.'
const wrongAsset = 'The plan uses a currency or contract that this network does not have.'
const wrongFrom = 'The plan does not spend from the hot wallet.'

// BIP-44: a wallet that looks for its coins stops after this many addresses without any.
const gapLimit = 20

/**
 * Why a plan does not move our funds to the operator's cold wallet, with the change back to us, and do nothing else; null
 * when it does. `destinations` are from all of the signer's own settings that count, and must agree. The signer derives the
 * address itself: what the database says about the cold wallet decides nothing.
 */
export function coldObjection(
  wallet: Wallet,
  walletNetwork: WalletNetwork,
  journal: Pick<Journal, 'coldUses'>,
  plan: SpendPlan,
  destinations: readonly (string | undefined)[],
): string | null {
  const { network } = walletNetwork
  const [destination, ...others] = destinations
  if (others.some((other) => other !== destination))
    return `The cold wallet on ${network.name} was changed. See when the new one counts: npx sluice signer settings`
  if (destination === undefined)
    return `The signer has no cold wallet on ${network.name}. Set one under cold in its SLUICE_CONFIG, and restart it.`
  const cold = wallet.coldWallet(network.id, destination)
  if ('refused' in cold) return `The cold wallet of the signer’s settings cannot be used: ${cold.refused}`
  return plan.kind === 'coins'
    ? coinsObjection(wallet, walletNetwork, journal, plan, cold)
    : accountObjection(wallet, walletNetwork, plan, cold)
}

function coinsObjection(
  wallet: Wallet,
  { network, family }: WalletNetwork,
  journal: Pick<Journal, 'coldUses'>,
  plan: CoinPlan,
  cold: ColdWallet,
): string | null {
  if (family.spending.kind !== 'coins' || plan.cold === undefined) return elsewhere
  const { index } = plan.cold
  const paid = plan.outputs[plan.cold.outputIndex]
  const address = cold.addressAt(index)
  if (paid === undefined || address === null || paid.address !== address || paid.units <= 0n) return elsewhere
  if (
    index !== null &&
    index > highestUse(journal.coldUses(`${network.id}-${wallet.environment}`), cold) + gapLimit
  )
    return `The plan pays address ${index} of the cold wallet, too far from those that were used: a wallet might not find it.`
  for (const [at, output] of plan.outputs.entries()) {
    if (output.payoutId !== null) return more
    if (at === plan.cold.outputIndex) continue
    if (plan.change?.outputIndex !== at) return more
    if (wallet.addressAt(network.id, { chain: 'own', index: plan.change.index }) !== output.address)
      return more
  }
  if (plan.change !== null && plan.change.outputIndex === plan.cold.outputIndex) return more
  if (new Set(useNamesOf(plan)).size !== plan.inputs.length) return 'The plan spends a coin twice.'
  const sum = (list: readonly { units: bigint }[]) => list.reduce((total, { units }) => total + units, 0n)
  const left = sum(plan.inputs) - sum(plan.outputs)
  return left === plan.feeUnits && left >= 0n ? null : 'The plan does not add up.'
}

/** The highest index of this cold wallet that was ever signed for; -1 when none was. */
function highestUse(
  uses: readonly { readonly index: number; readonly address: string }[],
  cold: ColdWallet,
): number {
  // An index of another key, from before the settings were changed, says nothing about this one.
  return uses.find(({ index, address }) => cold.addressAt(index) === address)?.index ?? -1
}

function accountObjection(
  wallet: Wallet,
  walletNetwork: WalletNetwork,
  plan: AccountPlan | SolanaPlan,
  cold: ColdWallet,
): string | null {
  const { network, assets, family } = walletNetwork
  if (family.spending.kind !== plan.kind) return wrongAsset
  const address = cold.addressAt(null)
  if (address === null || plan.to.address !== address || plan.to.tag !== null) return elsewhere
  if (plan.payoutId !== null || plan.units <= 0n) return more
  if (plan.kind === 'solana') return solanaObjection(wallet, walletNetwork, 'cold', plan)
  const asset = assets.find(({ currency }) => currency === plan.currency)
  if (asset === undefined || asset.contractAddress !== plan.contractAddress) return wrongAsset
  const { key } = plan.from
  const isHot = key.chain === hotKey.chain && key.index === hotKey.index
  return isHot && wallet.addressAt(network.id, hotKey) === plan.from.address ? null : wrongFrom
}
