import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { GateId } from '../../src/domain/networks/network.ts'
import type { Payout } from '../../src/domain/payouts.ts'
import { hotKey, type KeyPath, type SolanaPlan } from '../../src/domain/spends.ts'
import { type GateAsset, nativeOf, type SolanaSpending } from '../../src/gates/gate.ts'
import { nonceAccountRent } from '../../src/gates/solana/budgets.ts'
import type { Wallet } from '../../src/signer/wallet.ts'

export const solanaGate: GateId = 'solana-live'
const price = 1_000n
const sweptUnits = 5_000n

/** What a wallet has on Solana. */
export function solanaOf(wallet: Wallet) {
  const { family, assets } = wallet.network('solana')
  if (family.spending.kind !== 'solana') throw new Error('The network spends in its own way.')
  const spending: SolanaSpending = family.spending
  return { spending, assets, native: nativeOf(assets), hot: wallet.addressAt('solana', hotKey) ?? '' }
}

/** A value that a nonce account may have, another one for each number. */
export function nonceValue(number: number): string {
  const bytes = new Uint8Array(32).fill(1)
  new DataView(bytes.buffer).setUint32(0, number)
  return base58.encode(bytes)
}

/** An address that is not ours, another one for each number. */
export function strangerOnSolana(number: number): string {
  return base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(number)))
}

/** Plans as the service makes them, each with a nonce account of its own. */
export function solanaPlans(wallet: Wallet) {
  const { spending, assets, native, hot } = solanaOf(wallet)
  let indexes = 0
  const nextNonce = () => {
    const index = indexes++ % spending.nonceAccounts
    return { kind: 'nonce', index, value: nonceValue(index) } as const
  }
  const assetOf = (currency: string) => assets.find((asset) => asset.currency === currency) as GateAsset
  const common = {
    kind: 'solana',
    from: { address: hot, key: hotKey },
    computePrice: price,
  } as const

  return {
    payout({ id, currency, amountUnits, destination }: Payout): SolanaPlan {
      const asset = assetOf(currency)
      const { computeLimit, rentUnits } = spending.payoutBudget(asset)
      return {
        ...common,
        lifetime: nextNonce(),
        to: { address: destination, tag: null },
        currency,
        contractAddress: asset.contractAddress,
        units: amountUnits,
        payoutId: id,
        token: spending.tokenOf(asset),
        rentUnits,
        computeLimit,
      }
    },
    sweep(currency: string): SolanaPlan {
      const asset = assetOf(currency)
      const { computeLimit, rentUnits } = spending.sweepBudget(asset, 2)
      const sources = [0, 1].map((index) => {
        const key: KeyPath = { chain: 'deposit', index }
        return { address: wallet.addressAt('solana', key) ?? '', key, units: sweptUnits }
      })
      return {
        ...common,
        lifetime: nextNonce(),
        to: { address: hot, tag: null },
        currency,
        contractAddress: asset.contractAddress,
        units: 2n * sweptUnits,
        payoutId: null,
        token: spending.tokenOf(asset),
        rentUnits,
        computeLimit,
        sources,
      }
    },
    creation(): SolanaPlan {
      const index = spending.nonceAccounts - 1 - indexes++
      return {
        ...common,
        lifetime: { kind: 'creation', index, blockhash: nonceValue(1_000 + index), lastValidHeight: 200n },
        to: { address: spending.nonceAccount(index), tag: null },
        currency: native.currency,
        contractAddress: null,
        units: 0n,
        payoutId: null,
        token: null,
        rentUnits: nonceAccountRent,
        computeLimit: spending.cancelBudget.computeLimit,
      }
    },
  }
}

/** A plan that uses up the nonce of another, and pays no one. */
export function cancellingOnSolana(wallet: Wallet, { from, lifetime, computePrice }: SolanaPlan): SolanaPlan {
  const { spending, native } = solanaOf(wallet)
  return {
    kind: 'solana',
    from,
    lifetime,
    to: { address: from.address, tag: null },
    currency: native.currency,
    contractAddress: null,
    units: 0n,
    payoutId: null,
    token: null,
    rentUnits: 0n,
    computeLimit: spending.cancelBudget.computeLimit,
    computePrice: computePrice * 2n,
  }
}
