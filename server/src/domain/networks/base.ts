import { ether, usdCoin } from '../currencies.ts'
import type { EvmNetwork } from './network.ts'

export const base: EvmNetwork = {
  id: 'base',
  name: 'Base',
  family: 'evm',
  live: { chainId: 8_453 },
  test: { chainId: 84_532 }, // Base Sepolia
  isOpStack: true,
  hasEthereumHeader: true,
  gasPriceCeiling: '500',
  pollSeconds: 2,
  explorer: 'https://basescan.org/tx/',
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
      contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    },
  ],
}
