import type { BitcoinChain, ChainRules } from '../../domain/networks/bitcoin-rules.ts'
import { type BitcoinNetwork, bitcoinNetworks } from '../../domain/networks/network.ts'
import { shippedNetworks } from '../../domain/networks/shipped.ts'

/** What identifies a node's chain. */
export type NodeChain = {
  /** The id of its network. */
  readonly coin: string
  /** The name that its nodes use. */
  readonly name: string
  /** The hash of block 0. */
  readonly genesis: string
  /** How its addresses and account keys are written. */
  readonly written: BitcoinChain
  readonly rules: ChainRules
}

/** The network's chain with this name; null when there is none. */
export function nodeChainOf({ id, chains, rules }: BitcoinNetwork, name: string): NodeChain | null {
  const found = Object.hasOwn(chains, name) ? chains[name] : undefined
  return found === undefined ? null : { coin: id, name, ...found, rules: rules[found.written] }
}

/** The chain that starts with this block, for messages; null when we know none. */
export function nodeChainFrom(genesis: string): NodeChain | null {
  for (const network of bitcoinNetworks(shippedNetworks))
    for (const [name, chain] of Object.entries(network.chains))
      if (chain.genesis === genesis) return nodeChainOf(network, name)
  return null
}
