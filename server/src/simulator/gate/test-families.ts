import type { AssetRegistry } from '../../domain/assets.ts'
import type { Network } from '../../domain/networks/network.ts'
import { bitcoinFamily } from '../../gates/bitcoin/family.ts'
import { evmFamily } from '../../gates/evm/family.ts'
import type { Family } from '../../gates/family.ts'
import { solanaFamily } from '../../gates/solana/family.ts'
import { keyOf, type WalletKeys } from '../../gates/wallet-keys.ts'
import { xrpFamily } from '../../gates/xrp/family.ts'
import { testAssets } from './test-assets.ts'

/** The addresses and payment links of a network in the test environment. Token contracts are refused as destinations. */
export function testFamily(network: Network, keys: WalletKeys, registry: AssetRegistry): Family {
  const assets = testAssets(registry, network)
  const refused = assets.flatMap(({ contractAddress }) => contractAddress ?? [])
  switch (network.family) {
    case 'bitcoin':
      return bitcoinFamily({ network, chain: 'test', accountKey: keyOf(keys, network) })
    case 'evm':
      return evmFamily({ chainId: network.test.chainId, accountKey: keyOf(keys, network), refused })
    case 'solana':
      // Without a hot address no payouts can leave. Deposit addresses come from the signer, one by one.
      return solanaFamily({ assets, hotAddress: keys.solana ?? null })
    case 'xrp':
      return xrpFamily({ environment: 'test', account: keyOf(keys, network), assets })
  }
}
