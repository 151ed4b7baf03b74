import type { ConfirmationTier } from '../confirmations.ts'
import type { NativeCurrency, TokenCurrency } from '../currencies.ts'
import type { Environment } from '../environment.ts'
import type { TokenProgram } from '../solana-transaction.ts'
import type { BitcoinChain, ChainRules } from './bitcoin-rules.ts'

/** How amounts of a currency work on a network. Amounts are decimals of the currency. */
type Placed = {
  readonly decimals: number
  /** The smallest invoice or payout. */
  readonly min: string
  /**
   * A deposit below this goes to suspense and counts for no invoice, so that strangers cannot disturb one. Where the
   * network itself has no dust limit, it is a hundredth of `min`: far below any real payment, and far above what an
   * attacker would spend to annoy.
   */
  readonly dust: string
}

/** What we know about every network. A field that does not apply to a network is null. */
type Facts = {
  readonly id: string
  readonly name: string
  /** The URL of a public explorer of the live network, up to the transaction hash; null where there is none. */
  readonly explorer: string | null
  /** The confirmations a payment needs before it counts. Operators may configure another number. */
  readonly confirmations: number
  /** Operators may require more confirmations for larger payments in the native currency. */
  readonly confirmationTiers: readonly ConfirmationTier[]
  /** The highest fee of one transaction, in the native currency: only a mistake or malice would pay more. */
  readonly feeCeiling: string
  /**
   * The fee rate while the network is simulated: satoshi per virtual byte, wei per gas, millionths of a
   * lamport per compute unit, or drops per transaction.
   */
  readonly simulatedFeeRate: bigint
  /** The tag or memo of a payment; null where there is none. */
  readonly tag: {
    readonly name: string
    /** Whether a payout must have one. */
    readonly required: boolean
    /** Whether payers share one address of ours and are told apart by it. Otherwise only payouts have one. */
    readonly onDeposits: boolean
  } | null
  /** What wallets call the tokens of this network, such as ERC-20; null where we know no tokens. */
  readonly tokenStandard: string | null
  readonly native: Placed & { readonly currency: NativeCurrency }
  readonly tokens: readonly (Placed & {
    readonly currency: TokenCurrency
    /** The token's contract or mint in the live environment; on the XRP Ledger code and issuer, with a dot between them. */
    readonly contract: string
    /** On Solana, the program that keeps it; the original one when left out. */
    readonly program?: TokenProgram
  })[]
}

export type BitcoinNetwork = Facts & {
  readonly family: 'bitcoin'
  /** The scheme of its payment links (BIP-21). */
  readonly uriScheme: string
  /** Its chains, by the names that its nodes use. The live one is `main`. */
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
  /** The EIP-155 chain ids of the live network, and of the public test network that the simulated one stands in for. */
  readonly live: { readonly chainId: number }
  readonly test: { readonly chainId: number }
  /** Whether it charges an L1 data fee besides gas, as OP stack networks do. */
  readonly isOpStack: boolean
  /** Whether its blocks have exactly Ethereum's header, as its clients' sources say: then anyone can recompute their hash. */
  readonly hasEthereumHeader: boolean
  /** The most that a payout pays for a unit of gas, in gwei, unless the operator sets another ceiling. */
  readonly gasPriceCeiling: string
  /** The pause between two polls of its nodes, unless the operator sets another. */
  readonly pollSeconds: number
}

export type SolanaNetwork = Facts & {
  readonly family: 'solana'
  /** Its public clusters, by the names that its tools use, with the answer of `getGenesisHash`. The live one is `mainnet-beta`. */
  readonly clusters: Readonly<Record<string, { readonly genesis: string }>>
  /** The pause between two polls of its nodes, unless the operator sets another. */
  readonly pollSeconds: number
}

export type XrpNetwork = Facts & {
  readonly family: 'xrp'
  /** The `network_id` of `server_info`. */
  readonly live: { readonly networkId: number }
  readonly test: { readonly networkId: number }
}

/** Everything that Sluice knows about a network. */
export type Network = BitcoinNetwork | EvmNetwork | SolanaNetwork | XrpNetwork

/** The rules that a network's addresses, payment links and transactions follow. */
export type NetworkFamily = Network['family']

export function evmNetworks(networks: readonly Network[]): EvmNetwork[] {
  return networks.filter((network) => network.family === 'evm')
}

export function bitcoinNetworks(networks: readonly Network[]): BitcoinNetwork[] {
  return networks.filter((network) => network.family === 'bitcoin')
}

export function solanaNetworks(networks: readonly Network[]): SolanaNetwork[] {
  return networks.filter((network) => network.family === 'solana')
}

export function xrpNetworks(networks: readonly Network[]): XrpNetwork[] {
  return networks.filter((network) => network.family === 'xrp')
}

/** A public page about a transaction; null without a hash, in the test environment, and for networks without an explorer. */
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

export function environmentOf(id: string): Environment {
  return id.endsWith('-live') ? 'live' : 'test'
}

/**
 * The keychain of a network's deposit addresses. All EVM networks share one, so that an address given out for one of them
 * is given out for no other, and funds sent on the wrong network are recognised.
 */
export function keychainOf(network: Network, environment: Environment): string {
  return `${network.family === 'evm' ? 'evm' : network.id}-${environment}`
}
