import type { ConfirmationTier } from './confirmations.ts'
import type { Environment } from './environment.ts'

/** Which rules a network's addresses, payment links and transactions follow. */
export type NetworkFamily = 'bitcoin' | 'evm' | 'solana' | 'xrp'

export type Network = {
  readonly id: string
  readonly name: string
  readonly family: NetworkFamily
  /** How deep a payment must be before it counts. Operators may configure another depth. */
  readonly confirmations: number
  /** Larger payments of its own coin may have to be deeper, as operators configure it. */
  readonly confirmationTiers: readonly ConfirmationTier[]
  readonly tag: { readonly name: string; readonly required: boolean } | null
  /** What wallets call tokens of this network; null where we know none. */
  readonly tokenStandard: string | null
}

const evm = (id: string, name: string, confirmations: number, tokenStandard = 'ERC-20') => ({
  id,
  name,
  family: 'evm' as const,
  confirmations,
  tag: null,
  tokenStandard,
})

const known: readonly Omit<Network, 'confirmationTiers'>[] = [
  { id: 'bitcoin', name: 'Bitcoin', family: 'bitcoin', confirmations: 2, tag: null, tokenStandard: null },
  { id: 'litecoin', name: 'Litecoin', family: 'bitcoin', confirmations: 6, tag: null, tokenStandard: null },
  { id: 'solana', name: 'Solana', family: 'solana', confirmations: 32, tag: null, tokenStandard: 'SPL' },
  {
    id: 'xrp',
    name: 'XRP Ledger',
    family: 'xrp',
    confirmations: 1,
    tag: { name: 'Destination tag', required: true },
    tokenStandard: null,
  },
  evm('ethereum', 'Ethereum', 12),
  evm('polygon', 'Polygon', 30),
  evm('bsc', 'BNB Smart Chain', 15, 'BEP-20'),
  evm('base', 'Base', 30),
  evm('arbitrum', 'Arbitrum One', 30),
  evm('optimism', 'OP Mainnet', 30),
  evm('avalanche', 'Avalanche C-Chain', 12),
]

export const networks: readonly Network[] = known.map((network) => ({ ...network, confirmationTiers: [] }))
/** EIP-155 numbers of the live networks with Ethereum's rules. */
export const liveChainIds: Readonly<Record<string, number>> = {
  ethereum: 1,
  polygon: 137,
  bsc: 56,
  base: 8453,
  arbitrum: 42_161,
  optimism: 10,
  avalanche: 43_114,
}

/** Public explorers of the live networks, up to where the transaction's hash stands. */
const explorers: Readonly<Record<string, string>> = {
  bitcoin: 'https://mempool.space/tx/',
  litecoin: 'https://litecoinspace.org/tx/',
  solana: 'https://solscan.io/tx/',
  xrp: 'https://livenet.xrpl.org/transactions/',
  ethereum: 'https://etherscan.io/tx/',
  polygon: 'https://polygonscan.com/tx/',
  bsc: 'https://bscscan.com/tx/',
  base: 'https://basescan.org/tx/',
  arbitrum: 'https://arbiscan.io/tx/',
  optimism: 'https://optimistic.etherscan.io/tx/',
  avalanche: 'https://snowtrace.io/tx/',
}

/** Where anybody can look at a transaction; null in the test environment, and for networks without an explorer. */
export function explorerUrl(network: string, environment: Environment, txHash: string): string | null {
  const explorer = environment === 'live' ? explorers[network] : undefined
  return explorer === undefined ? null : `${explorer}${encodeURIComponent(txHash)}`
}

export function networkOf(id: string): Network {
  const network = networks.find((each) => each.id === id)
  if (network === undefined) throw new Error(`There is no network ${id}.`)
  return network
}

/** A gate is one network in one environment: `bitcoin-test`. */
export type GateId = `${string}-${Environment}`

export function gateId(network: string, environment: Environment): GateId {
  return `${network}-${environment}`
}

/** The network of a gate. */
export function networkOfGate(id: GateId): Network {
  return networkOf(id.replace(/-(live|test)$/, ''))
}

/**
 * Whose keys make a network's deposit addresses. All EVM networks share one keychain, so that an address given out for
 * one of them is given out for no other, and coins sent on the wrong one are recognised.
 */
export function keychainOf(network: Network, environment: Environment): string {
  return `${network.family === 'evm' ? 'evm' : network.id}-${environment}`
}
