import { registryOf } from '../../../src/domain/assets.ts'
import { tether } from '../../../src/domain/currencies.ts'
import type { EvmNetwork, Network } from '../../../src/domain/networks/network.ts'
import { shippedNetworks } from '../../../src/domain/networks/shipped.ts'

/** An unknown EVM chain with a native currency of its own: such a record is all that a new chain needs. */
export const orbit: EvmNetwork = {
  id: 'orbit',
  name: 'Orbit',
  family: 'evm',
  live: { chainId: 777_001 },
  test: { chainId: 777_002 },
  isOpStack: false,
  hasEthereumHeader: false,
  gasPriceCeiling: '300',
  pollSeconds: 1,
  explorer: 'https://orbit.example/tx/',
  confirmations: 4,
  confirmationTiers: [],
  feeCeiling: '0.01',
  simulatedFeeRate: 2_000_000_000n,
  tag: null,
  tokenStandard: 'ERC-20',
  native: {
    currency: {
      code: 'ORB',
      name: 'Orb',
      kind: 'native',
      defaultNetwork: 'orbit',
      sandboxPrice: '5',
      sourceNames: { kraken: null, coinbase: 'ORB', binance: 'ORB', coingecko: 'orbit' },
    },
    decimals: 18,
    min: '0.01',
    dust: '0.0001',
  },
  tokens: [
    {
      currency: tether,
      decimals: 6,
      min: '0.1',
      dust: '0.001',
      contract: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    },
  ],
}

export const networksWithOrbit: readonly Network[] = [...shippedNetworks, orbit]
export const currenciesWithOrbit = registryOf(networksWithOrbit)
