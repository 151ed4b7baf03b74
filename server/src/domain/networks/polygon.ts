import { tether, usdCoin } from '../currencies.ts'
import type { EvmNetwork } from './network.ts'

export const polygon: EvmNetwork = {
  id: 'polygon',
  name: 'Polygon',
  family: 'evm',
  live: { chainId: 137 },
  test: { chainId: 80_002 }, // Amoy
  isOpStack: false,
  hasEthereumHeader: false,
  gasPriceCeiling: '500', // It has needed a few hundred on its worst days.
  pollSeconds: 2,
  explorer: 'https://polygonscan.com/tx/',
  confirmations: 30,
  confirmationTiers: [],
  feeCeiling: '50',
  simulatedFeeRate: 2_000_000_000n,
  tag: null,
  tokenStandard: 'ERC-20',
  native: {
    currency: {
      code: 'POL',
      name: 'Polygon',
      kind: 'native',
      defaultNetwork: 'polygon',
      sandboxPrice: '0.25',
      sourceNames: {
        kraken: ['POLUSD', 'POLEUR'],
        coinbase: 'POL',
        binance: 'POL',
        coingecko: 'polygon-ecosystem-token',
      },
    },
    decimals: 18,
    min: '0.1',
    dust: '0.001',
  },
  tokens: [
    {
      currency: usdCoin,
      decimals: 6,
      min: '0.1',
      dust: '0.001',
      contract: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    },
    {
      currency: tether,
      decimals: 6,
      min: '0.1',
      dust: '0.001',
      contract: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
    },
  ],
}
