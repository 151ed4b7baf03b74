import type { ConfirmationTier } from '../confirmations.ts'
import type { NativeCurrency, TokenCurrency } from '../currencies.ts'
import type { Environment } from '../environment.ts'
import type { BitcoinChain, ChainRules } from './bitcoin-rules.ts'

/** What an amount of a currency means on a network. Amounts are decimals of the currency. */
type Placed = {
  readonly decimals: number
  /** The smallest invoice or payout. */
  readonly min: string
  /**
   * A deposit below this is nobody's payment: it goes to suspense, so that strangers cannot disturb an invoice. Where the network
   * has no such limit itself it is a hundredth of `min`: far below what anyone would pay, far above what it costs to annoy.
   */
  readonly dust: string
}

/** What every network has. A thing that a network does not have is null. */
type Facts = {
  readonly id: string
  readonly name: string
  /** A public explorer of the live network, up to where the transaction's hash stands; null where there is none. */
  readonly explorer: string | null
  /** How deep a payment must be before it counts. Operators may configure another depth. */
  readonly confirmations: number
  /** Larger payments of its own coin may have to be deeper, as operators configure it. */
  readonly confirmationTiers: readonly ConfirmationTier[]
  /** The most that the network may get for one transaction, in its own coin: nobody pays more, unless by mistake or malice. */
  readonly feeCeiling: string
  /** What a unit of size or work costs while it is simulated: satoshi a virtual byte, wei a unit of gas, lamports and drops a transaction. */
  readonly simulatedFeeRate: bigint
  readonly tag: { readonly name: string; readonly required: boolean } | null
  /** What wallets call tokens of this network; null where we know none. */
  readonly tokenStandard: string | null
  readonly native: Placed & { readonly currency: NativeCurrency }
  /** `contract` is that of the live environment: a contract or mint. */
  readonly tokens: readonly (Placed & { readonly currency: TokenCurrency; readonly contract: string })[]
}

export type BitcoinNetwork = Facts & {
  readonly family: 'bitcoin'
  /** What its payment links begin with (BIP-21). */
  readonly uriScheme: string
  /** Its chains by the name that their nodes give them. The live one is `main`. */
  readonly chains: Readonly<
    Record<
      string,
      {
        /** The hash of block 0. */
        readonly genesis: string
        /** How its addresses and account keys are written. */
        readonly written: BitcoinChain
      }
    >
  >
  readonly rules: Readonly<Record<BitcoinChain, ChainRules>>
}

export type EvmNetwork = Facts & {
  readonly family: 'evm'
  /** EIP-155 numbers of the live network, and of the public test network that the simulated one stands in for. */
  readonly live: { readonly chainId: number }
  readonly test: { readonly chainId: number }
  /** Whether it takes a fee for Ethereum's room besides that for gas, as networks of the OP stack do. */
  readonly isOpStack: boolean
  /** How long its nodes are left alone between two looks, unless the operator says otherwise. */
  readonly pollSeconds: number
}

export type SolanaNetwork = Facts & {
  readonly family: 'solana'
  /** What `getGenesisHash` answers. */
  readonly live: { readonly genesis: string }
  readonly test: { readonly genesis: string }
}

export type XrpNetwork = Facts & {
  readonly family: 'xrp'
  /** What `server_info` calls `network_id`. */
  readonly live: { readonly networkId: number }
  readonly test: { readonly networkId: number }
}

/** Everything the service knows about a network. */
export type Network = BitcoinNetwork | EvmNetwork | SolanaNetwork | XrpNetwork

/** Which rules a network's addresses, payment links and transactions follow. */
export type NetworkFamily = Network['family']

export function evmNetworks(networks: readonly Network[]): EvmNetwork[] {
  return networks.filter((network) => network.family === 'evm')
}

export function bitcoinNetworks(networks: readonly Network[]): BitcoinNetwork[] {
  return networks.filter((network) => network.family === 'bitcoin')
}

/** Where anybody can look at a transaction; null without one, in the test environment, and for networks without an explorer. */
export function explorerUrl(
  { explorer }: Pick<Network, 'explorer'>,
  environment: Environment,
  txHash: string | null,
): string | null {
  if (environment !== 'live' || explorer === null || txHash === null) return null
  return `${explorer}${encodeURIComponent(txHash)}`
}

/** A gate is one network in one environment: `bitcoin-test`. */
export type GateId = `${string}-${Environment}`

export function gateId(network: string, environment: Environment): GateId {
  return `${network}-${environment}`
}

/** The id of a gate's network. */
export function networkIdOf(id: GateId): string {
  return id.replace(/-(live|test)$/, '')
}

/**
 * Whose keys make a network's deposit addresses. All EVM networks share one keychain, so that an address given out for
 * one of them is given out for no other, and coins sent on the wrong one are recognised.
 */
export function keychainOf(network: Network, environment: Environment): string {
  return `${network.family === 'evm' ? 'evm' : network.id}-${environment}`
}
