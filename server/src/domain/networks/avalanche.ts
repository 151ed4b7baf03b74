import { tether, usdCoin } from '../currencies.ts'
import type { EvmNetwork } from './network.ts'

export const avalanche: EvmNetwork = {
  id: 'avalanche',
  name: 'Avalanche C-Chain',
  family: 'evm',
  live: { chainId: 43_114 },
  test: { chainId: 43_113 }, // Fuji
  isOpStack: false,
  hasEthereumHeader: false,
  gasPriceCeiling: '500',
  pollSeconds: 2,
  explorer: 'https://snowtrace.io/tx/',
  confirmations: 12,
  confirmationTiers: [],
  feeCeiling: '2',
  simulatedFeeRate: 2_000_000_000n,
  tag: null,
  tokenStandard: 'ERC-20',
  native: {
    currency: {
      code: 'AVAX',
      name: 'Avalanche',
      kind: 'native',
      defaultNetwork: 'avalanche',
      sandboxPrice: '20',
      sourceNames: {
        kraken: ['AVAXUSD', 'AVAXEUR'],
        coinbase: 'AVAX',
        binance: 'AVAX',
        coingecko: 'avalanche-2',
      },
    },
    decimals: 18,
    min: '0.005',
    dust: '0.00005',
  },
  tokens: [
    {
      currency: usdCoin,
      decimals: 6,
      min: '0.1',
      dust: '0.001',
      contract: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
    },
    {
      currency: tether,
      decimals: 6,
      min: '0.1',
      dust: '0.001',
      contract: '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7',
    },
  ],
}
