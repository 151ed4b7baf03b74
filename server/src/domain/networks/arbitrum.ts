import { ether, usdCoin } from '../currencies.ts'
import type { EvmNetwork } from './network.ts'

export const arbitrum: EvmNetwork = {
  id: 'arbitrum',
  name: 'Arbitrum One',
  family: 'evm',
  live: { chainId: 42_161 },
  test: { chainId: 421_614 }, // Arbitrum Sepolia
  isOpStack: false,
  hasEthereumHeader: false,
  gasPriceCeiling: '500',
  pollSeconds: 2,
  explorer: 'https://arbiscan.io/tx/',
  confirmations: 30,
  confirmationTiers: [],
  feeCeiling: '0.05',
  simulatedFeeRate: 2_000_000_000n,
  tag: null,
  tokenStandard: 'ERC-20',
  native: { currency: ether, decimals: 18, min: '0.00001', dust: '0.0000001' },
  tokens: [
    {
      currency: usdCoin,
      decimals: 6,
      min: '0.1',
      dust: '0.001',
      contract: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    },
  ],
}
