import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { mnemonicToSeedSync } from '@scure/bip39'
import { hotKey, type KeyPath, type SolanaPlan, type SolanaSource } from '../../src/domain/spends.ts'
import type { GateAsset, SolanaSpending } from '../../src/gates/gate.ts'
import { solanaKey } from '../../src/gates/solana/spend-key.ts'
import { openWallet } from '../../src/signer/wallet.ts'
import { currencies } from '../support/shop/registry.ts'

const words = `${'abandon '.repeat(11)}about`
const seed = mnemonicToSeedSync(words)
export const wallet = await openWallet(words, 'test', currencies)
export const solanaNetwork = wallet.network('solana')
export const keyOf = (path: KeyPath): Uint8Array => solanaKey(seed, path)

export const spending = ((): SolanaSpending => {
  const { spending } = solanaNetwork.family
  if (spending.kind !== 'solana') throw new Error('The network spends in its own way.')
  return spending
})()
export const hotAddress = spending.hotAddress ?? ''

function assetWhere(isWanted: (asset: GateAsset) => boolean): GateAsset {
  const asset = solanaNetwork.assets.find(isWanted)
  if (asset === undefined) throw new Error('The network has no such asset.')
  return asset
}
export const sol = assetWhere(({ contractAddress }) => contractAddress === null)
export const token = assetWhere(({ currency }) => currency === 'USDC')

/** The same 32 bytes, different ones for each number, as a hash or a value of a nonce account. */
export const hashOf = (number: number): string => base58.encode(new Uint8Array(32).fill(number))
/** An address that is not ours. */
export const stranger = (number: number): string =>
  base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(number)))

export function sourceAt(index: number, units: bigint): SolanaSource {
  const key: KeyPath = { chain: 'deposit', index }
  return { address: wallet.addressAt('solana', key) ?? '', key, units }
}

export const payoutId = '01890000-0000-7000-8000-000000000001'
export const rent = spending.payoutBudget(token).rentUnits
export const nonceRent = 1_447_680n

const base = {
  kind: 'solana',
  from: { address: hotAddress, key: hotKey },
  lifetime: { kind: 'nonce', index: 0, value: hashOf(7) },
  rentUnits: 0n,
  computeLimit: 100_000n,
  computePrice: 1_000n,
} as const

/** A payout of five units to a stranger, who has a token account already. */
export function payoutOf(asset: GateAsset): SolanaPlan {
  return {
    ...base,
    to: { address: stranger(1), tag: null },
    currency: asset.currency,
    contractAddress: asset.contractAddress,
    units: 5n,
    payoutId,
    token: spending.tokenOf(asset),
  }
}

/** A sweep of two deposit addresses. */
export function sweepOf(asset: GateAsset): SolanaPlan {
  const sources = [sourceAt(0, 3n), sourceAt(4, 2n)]
  return { ...payoutOf(asset), to: { address: hotAddress, tag: null }, payoutId: null, sources }
}

export const cancelling: SolanaPlan = {
  ...payoutOf(sol),
  to: { address: hotAddress, tag: null },
  units: 0n,
  payoutId: null,
}

/** Creates the nonce account with index 3. */
export const creation: SolanaPlan = {
  ...payoutOf(sol),
  lifetime: { kind: 'creation', index: 3, blockhash: hashOf(8), lastValidHeight: 200n },
  to: { address: spending.nonceAccount(3), tag: null },
  units: 0n,
  payoutId: null,
  rentUnits: nonceRent,
}
