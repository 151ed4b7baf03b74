import { type AssetRegistry, currencies } from '../../domain/assets.ts'
import type { Network } from '../../domain/networks.ts'
import type { BitcoinCoin } from '../bitcoin/chain-rules.ts'
import { bitcoinFamily } from '../bitcoin/family.ts'
import { evmFamily } from '../evm/family.ts'
import type { Family } from '../family.ts'
import { solanaFamily } from '../solana/family.ts'
import { xrpFamily } from '../xrp/family.ts'
import { testAssets } from './test-assets.ts'

/** All that the test environment's addresses are made from. Solana's come from the signer, one by one. */
export type TestPublicKeys = {
  /** Account keys of m/84'/1'/0' on the test chains. */
  readonly bitcoin: string
  readonly litecoin: string
  /** The account key of m/44'/60'/0', for every EVM network. */
  readonly evm: string
  /** The classic address of the one account. */
  readonly xrp: string
}

/** EIP-155 numbers of the public test networks, which the simulated ones stand in for. */
const testChainIds: Readonly<Record<string, number>> = {
  ethereum: 11_155_111, // Sepolia
  polygon: 80_002, // Amoy
  bsc: 97,
  base: 84_532,
  arbitrum: 421_614,
  optimism: 11_155_420,
}

/** The addresses and payment links of a network in the test environment. Tokens' contracts are no destinations. */
export function testFamily(
  network: Network,
  publicKeys: TestPublicKeys,
  registry: AssetRegistry = currencies,
): Family {
  const refused = testAssets(registry, network).flatMap(({ contractAddress }) => contractAddress ?? [])
  switch (network.family) {
    case 'bitcoin': {
      const coin = bitcoinCoin(network)
      return bitcoinFamily({ coin, chain: 'test', accountKey: publicKeys[coin] })
    }
    case 'evm':
      return evmFamily({ chainId: testChainId(network), accountKey: publicKeys.evm, refused })
    case 'solana':
      return solanaFamily({ refused })
    case 'xrp':
      return xrpFamily({ environment: 'test', account: publicKeys.xrp })
  }
}

function bitcoinCoin({ id }: Network): BitcoinCoin {
  if (id !== 'bitcoin' && id !== 'litecoin') throw new Error(`No rules are known for ${id} addresses.`)
  return id
}

function testChainId({ id }: Network): number {
  const chainId = testChainIds[id]
  if (chainId === undefined) throw new Error(`No test chain id is known for ${id}.`)
  return chainId
}
