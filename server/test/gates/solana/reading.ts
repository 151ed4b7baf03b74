import type { GateAsset } from '../../../src/gates/gate.ts'
import type { NodeRpcOptions } from '../../../src/gates/json-rpc.ts'
import {
  type SolanaReading,
  type SolanaReadingOptions,
  solanaReading,
} from '../../../src/gates/solana/node-reading.ts'
import { solanaRpc } from '../../../src/gates/solana/node-rpc.ts'
import { testAssets } from '../../../src/simulator/gate/test-assets.ts'
import { currencies, networkOf } from '../../support/shop/registry.ts'

/** Solana's assets in the test environment, with USDC at another mint where one is given. */
export function solanaAssets(mint?: string): readonly GateAsset[] {
  return testAssets(currencies, networkOf('solana')).map((asset) =>
    mint !== undefined && asset.currency === 'USDC' ? { ...asset, contractAddress: mint } : asset,
  )
}

/** What a gate on these nodes reads, and a function that closes its connections. */
export function openReading(
  urls: readonly string[],
  { rpc: bounds, ...options }: Partial<SolanaReadingOptions> & { rpc?: Omit<NodeRpcOptions, 'url'> } = {},
): { reading: SolanaReading; close(): void } {
  const endpoints = urls.map((url) => ({ place: new URL(url).host, rpc: solanaRpc({ url, ...bounds }) }))
  const reading = solanaReading({
    id: 'solana-test',
    assets: solanaAssets(),
    genesis: null,
    endpoints,
    agreement: 1,
    commitment: 'finalized',
    showsUnfinal: false,
    ...options,
  })
  return {
    reading,
    close() {
      for (const { rpc } of endpoints) rpc.close()
    },
  }
}
