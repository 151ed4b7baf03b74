import type { AssetRegistry } from '../../domain/assets.ts'
import type { Network } from '../../domain/networks/network.ts'
import { nativeOf } from '../../gates/gate.ts'
import { nonceAccountsOfWallet } from '../../gates/solana/family.ts'
import { bitcoinReader } from './read-bitcoin.ts'
import { evmReader } from './read-evm.ts'
import { solanaReader } from './read-solana.ts'
import { xrpReader } from './read-xrp.ts'
import type { SignedBytesReader } from './signed-bytes.ts'
import { testAssets } from './test-assets.ts'

/** The reader for signed bytes of a network in the test environment, signed by us or by others. */
export function testReader(network: Network, registry: AssetRegistry): SignedBytesReader {
  const assets = testAssets(registry, network)
  switch (network.family) {
    case 'bitcoin':
      return bitcoinReader(network.rules.test, nativeOf(assets).currency)
    case 'evm':
      return evmReader(network.test.chainId, assets)
    case 'solana':
      return solanaReader(assets, nonceAccountsOfWallet)
    case 'xrp':
      return xrpReader(assets)
  }
}
