import { type AssetRegistry, currencies } from '../../domain/assets.ts'
import type { Network } from '../../domain/networks.ts'
import { bitcoinFamily } from '../bitcoin/family.ts'
import { evmFamily } from '../evm/family.ts'
import type { Family } from '../family.ts'
import { solanaFamily } from '../solana/family.ts'
import { xrpFamily } from '../xrp/family.ts'
import { testAssets } from './test-assets.ts'
import { bitcoinCoin, testChainId } from './test-networks.ts'

/** All that the test environment's addresses are made from. Solana's deposit addresses come from the signer, one by one. */
export type TestPublicKeys = {
  /** Account keys of m/84'/1'/0' on the test chains. */
  readonly bitcoin: string
  readonly litecoin: string
  /** The account key of m/44'/60'/0', for every EVM network. */
  readonly evm: string
  /** The classic address of the one account. */
  readonly xrp: string
  /** Where payouts leave from on Solana; without it none can. */
  readonly solana?: string | null
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
      return solanaFamily({ refused, hotAddress: publicKeys.solana ?? null })
    case 'xrp':
      return xrpFamily({ environment: 'test', account: publicKeys.xrp })
  }
}
