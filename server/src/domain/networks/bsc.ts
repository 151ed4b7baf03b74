import { tether, usdCoin } from '../currencies.ts'
import type { EvmNetwork } from './network.ts'

export const bsc: EvmNetwork = {
  id: 'bsc',
  name: 'BNB Smart Chain',
  family: 'evm',
  live: { chainId: 56 },
  test: { chainId: 97 },
  isOpStack: false,
  hasEthereumHeader: false,
  gasPriceCeiling: '500',
  pollSeconds: 2,
  explorer: 'https://bscscan.com/tx/',
  confirmations: 15,
  confirmationTiers: [],
  feeCeiling: '0.1',
  simulatedFeeRate: 2_000_000_000n,
  tag: null,
  tokenStandard: 'BEP-20',
  native: {
    currency: {
      code: 'BNB',
      name: 'BNB',
      kind: 'native',
      defaultNetwork: 'bsc',
      sandboxPrice: '600',
      sourceNames: {
        kraken: ['BNBUSD', 'BNBEUR'],
        coinbase: 'BNB',
        binance: 'BNB',
        coingecko: 'binancecoin',
      },
    },
    decimals: 18,
    min: '0.0005',
    dust: '0.000005',
  },
  tokens: [
    {
      currency: usdCoin,
      decimals: 18,
      min: '0.1',
      dust: '0.001',
      contract: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
    },
    {
      currency: tether,
      decimals: 18,
      min: '0.1',
      dust: '0.001',
      contract: '0x55d398326f99059fF775485246999027B3197955',
    },
  ],
}
