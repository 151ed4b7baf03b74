import { hash } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedWebcrypto } from '@scure/bip39'
import { type AssetRegistry, networkIn, networksIn } from '../domain/assets.ts'
import type { ColdWallet } from '../domain/cold-wallets.ts'
import type { Environment } from '../domain/environment.ts'
import { type GateId, gateId, type Network } from '../domain/networks/network.ts'
import type { KeyPath, SignedTransaction, SpendPlan } from '../domain/spends.ts'
import { bitcoinAccountKey, bitcoinKey } from '../gates/bitcoin/account-key.ts'
import { isOwnColdWallet, ownDestination, readColdWallet } from '../gates/cold-wallet.ts'
import { evmAccountKey, evmKey } from '../gates/evm/account-key.ts'
import { assetsOf, familyOf, type GateChain } from '../gates/families.ts'
import type { DepositAddress, Family } from '../gates/family.ts'
import type { GateAsset } from '../gates/gate.ts'
import { solanaDepositAddress } from '../gates/solana/deposit-key.ts'
import { solanaHotAddress, solanaKey } from '../gates/solana/spend-key.ts'
import { xrpAccount, xrpKey } from '../gates/xrp/deposit-account.ts'
import type { PublicKeys } from '../store/addresses/wallet-keys.ts'

const fingerprintCharacters = 16

/** A network as derived from this wallet's seed, independent of the database. */
export type WalletNetwork = {
  readonly network: Network
  readonly family: Family
  readonly assets: readonly GateAsset[]
  /** Whether it charges a data fee besides gas (OP stack). */
  readonly hasDataFee: boolean
}

/** A wallet whose seed this process holds. The seed is in a closure: printing or logging the wallet never shows it. */
export type Wallet = {
  readonly environment: Environment
  /** Identifies this seed without revealing anything about it. */
  readonly fingerprint: string
  /** The only part that the rest of the service may see. */
  readonly publicKeys: PublicKeys
  /** The deposit address at `index` on a network where only the seed can derive it; null elsewhere. */
  depositAddress(network: string, index: number): DepositAddress | null
  has(network: string): boolean
  network(id: string): WalletNetwork
  /** Our address at this path; null where there is none. */
  addressAt(network: string, path: KeyPath): string | null
  /** The operator's cold wallet at this address or extended key; or why it cannot be one of this wallet. */
  coldWallet(network: string, destination: string): ColdWallet | { readonly refused: string }
  /** Signs any plan; `signSpends` decides what may be signed. Throws when a key does not match the plan. */
  sign(network: string, plan: SpendPlan): SignedTransaction
}

/** The chains of gates that are not on the usual chain of their environment. */
export type GateChains = ReadonlyMap<GateId, GateChain>

/** The wallet of BIP-39 words, without a passphrase. */
export async function openWallet(
  words: string,
  environment: Environment,
  registry: AssetRegistry,
  chains: GateChains = new Map(),
): Promise<Wallet> {
  // PBKDF2 by the platform: the same in JavaScript takes 0.1 s of every start.
  const seed = await mnemonicToSeedWebcrypto(words)
  const { publicKey } = HDKey.fromMasterSeed(seed)
  if (publicKey === null) throw new Error('The master key has no public key.')
  const chain = environment === 'live' ? 'main' : 'test'
  const evmAccount = evmAccountKey(seed)
  const publicKeyOf = (network: Network): string => {
    switch (network.family) {
      case 'bitcoin':
        return bitcoinAccountKey(seed, network, chain)
      case 'evm':
        return evmAccount
      case 'xrp':
        return xrpAccount(seed)
      case 'solana':
        return solanaHotAddress(seed)
    }
  }
  const privateKeyOf = (network: Network, path: KeyPath): Uint8Array => {
    switch (network.family) {
      case 'bitcoin':
        return bitcoinKey(seed, network, chain, path)
      case 'evm':
        return evmKey(seed, path)
      case 'xrp':
        return xrpKey(seed, path)
      case 'solana':
        return solanaKey(seed, path)
    }
  }
  const publicKeys = Object.fromEntries(
    networksIn(registry).map((network) => [network.id, publicKeyOf(network)]),
  )
  const made = new Map<string, WalletNetwork>()
  const networkAt = (id: string): WalletNetwork => {
    const known = made.get(id)
    if (known !== undefined) return known
    const network = networkIn(registry, id)
    const chain = chains.get(gateId(id, environment))
    const opened: WalletNetwork = {
      network,
      family: familyOf(network, environment, publicKeys, registry, chain),
      assets: assetsOf(network, environment, registry, chain),
      hasDataFee: chain?.kind === 'evm' ? chain.hasDataFee : network.family === 'evm' && network.isOpStack,
    }
    made.set(id, opened)
    return opened
  }
  const coldWallets = new Map<string, ColdWallet | { readonly refused: string }>()
  const depositAddress = (network: string, index: number) =>
    networkIn(registry, network).family === 'solana' ? solanaDepositAddress(seed, index) : null

  return {
    environment,
    fingerprint: hash('sha256', publicKey, 'hex').slice(0, fingerprintCharacters),
    publicKeys,
    depositAddress,
    has: (id) => networksIn(registry).some((network) => network.id === id),
    network: networkAt,
    addressAt(id, { chain: branch, index }) {
      const { family } = networkAt(id)
      if (branch === 'deposit')
        return (family.depositAddress(index) ?? depositAddress(id, index))?.address ?? null
      if (family.spending.kind === 'coins') return family.spending.changeAddress(index)
      return index === 0 ? family.spending.hotAddress : null
    },
    coldWallet(id, destination) {
      const known = coldWallets.get(`${id} ${destination}`)
      if (known !== undefined) return known
      const chain = chains.get(gateId(id, environment))
      const read = readColdWallet(networkIn(registry, id), environment, registry, chain, destination)
      const cold = 'refused' in read || !isOwnColdWallet(networkAt(id).family, read) ? read : ownDestination
      coldWallets.set(`${id} ${destination}`, cold)
      return cold
    },
    sign(id, plan) {
      const { network, family } = networkAt(id)
      return family.sign(plan, (path) => privateKeyOf(network, path))
    },
  }
}
