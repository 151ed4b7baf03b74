import type { chainNames } from '../../domain/bitcoin-gate-config.ts'
import { type BitcoinChain, type BitcoinCoin, type ChainRules, chainRules } from './chain-rules.ts'

/** A chain by the name that its nodes give it. */
export type NodeChainName = (typeof chainNames)[BitcoinCoin][number]

/** What tells a node's chain from every other one. */
export type NodeChain = {
  readonly coin: BitcoinCoin
  readonly name: NodeChainName
  /** The hash of block 0. */
  readonly genesis: string
  /** How its addresses and account keys are written. */
  readonly written: BitcoinChain
  readonly rules: ChainRules
}

type Known = { readonly genesis: string; readonly written: BitcoinChain }

// From Bitcoin Core's and Litecoin Core's chainparams.cpp. The test chains of a coin share one way of writing.
const known: { readonly [Coin in BitcoinCoin]: Readonly<Record<(typeof chainNames)[Coin][number], Known>> } =
  {
    bitcoin: {
      main: {
        genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
        written: 'main',
      },
      test: {
        genesis: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
        written: 'test',
      },
      testnet4: {
        genesis: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
        written: 'test',
      },
      signet: {
        genesis: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
        written: 'test',
      },
      regtest: {
        genesis: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
        written: 'regtest',
      },
    },
    litecoin: {
      main: {
        genesis: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
        written: 'main',
      },
      test: {
        genesis: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
        written: 'test',
      },
      regtest: {
        genesis: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
        written: 'regtest',
      },
    },
  }

/** The chain of this name; null when the coin has none. */
export function nodeChainOf(coin: BitcoinCoin, name: string): NodeChain | null {
  const chains: Readonly<Record<string, Known>> = known[coin]
  const found = Object.hasOwn(chains, name) ? chains[name] : undefined
  if (found === undefined) return null
  return { coin, name: name as NodeChainName, ...found, rules: chainRules[coin][found.written] }
}

/** The coin's chain that begins with this block; null when it has none. */
export function nodeChainFrom(genesis: string): NodeChain | null {
  for (const coin of Object.keys(known) as BitcoinCoin[])
    for (const [name, chain] of Object.entries(known[coin]))
      if (chain.genesis === genesis) return nodeChainOf(coin, name)
  return null
}
