import type { BitcoinChain, ChainRules } from '../../domain/networks/bitcoin-rules.ts'
import { type BitcoinNetwork, bitcoinNetworks } from '../../domain/networks/network.ts'
import { shippedNetworks } from '../../domain/networks/shipped.ts'

/** What tells a node's chain from every other one. */
export type NodeChain = {
  /** The id of its network. */
  readonly coin: string
  /** As its nodes call it. */
  readonly name: string
  /** The hash of block 0. */
  readonly genesis: string
  /** How its addresses and account keys are written. */
  readonly written: BitcoinChain
  readonly rules: ChainRules
}

/** The chain of this name; null when the network has none. */
export function nodeChainOf({ id, chains, rules }: BitcoinNetwork, name: string): NodeChain | null {
  const found = Object.hasOwn(chains, name) ? chains[name] : undefined
  return found === undefined ? null : { coin: id, name, ...found, rules: rules[found.written] }
}

/** The chain that begins with this block, to be named to a person; null when we know none. */
export function nodeChainFrom(genesis: string): NodeChain | null {
  for (const network of bitcoinNetworks(shippedNetworks))
    for (const [name, chain] of Object.entries(network.chains))
      if (chain.genesis === genesis) return nodeChainOf(network, name)
  return null
}
