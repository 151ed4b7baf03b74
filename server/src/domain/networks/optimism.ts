import { ether, usdCoin } from '../currencies.ts'
import type { EvmNetwork } from './network.ts'

export const optimism: EvmNetwork = {
  id: 'optimism',
  name: 'OP Mainnet',
  family: 'evm',
  live: { chainId: 10 },
  test: { chainId: 11_155_420 }, // OP Sepolia
  isOpStack: true,
  hasEthereumHeader: true,
  gasPriceCeiling: '500',
  pollSeconds: 2,
  explorer: 'https://optimistic.etherscan.io/tx/',
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
      contract: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
    },
  ],
}
