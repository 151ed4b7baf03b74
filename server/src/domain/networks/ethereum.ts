import { ether, tether, usdCoin } from '../currencies.ts'
import type { EvmNetwork } from './network.ts'

export const ethereum: EvmNetwork = {
  id: 'ethereum',
  name: 'Ethereum',
  family: 'evm',
  live: { chainId: 1 },
  test: { chainId: 11_155_111 }, // Sepolia
  isOpStack: false,
  hasEthereumHeader: true,
  gasPriceCeiling: '500',
  pollSeconds: 3,
  explorer: 'https://etherscan.io/tx/',
  confirmations: 12,
  confirmationTiers: [],
  feeCeiling: '0.2',
  simulatedFeeRate: 2_000_000_000n,
  tag: null,
  tokenStandard: 'ERC-20',
  native: { currency: ether, decimals: 18, min: '0.0001', dust: '0.000001' },
  tokens: [
    {
      currency: usdCoin,
      decimals: 6,
      min: '1',
      dust: '0.01',
      contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    },
    {
      currency: tether,
      decimals: 6,
      min: '1',
      dust: '0.01',
      contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    },
  ],
}
