import { rippleUsd, usdCoin } from '../currencies.ts'
import type { XrpNetwork } from './network.ts'

export const xrp: XrpNetwork = {
  id: 'xrp',
  name: 'XRP Ledger',
  family: 'xrp',
  live: { networkId: 0 },
  test: { networkId: 1 },
  explorer: 'https://livenet.xrpl.org/transactions/',
  confirmations: 1,
  confirmationTiers: [],
  feeCeiling: '5',
  simulatedFeeRate: 10n,
  tag: { name: 'Destination tag', required: true, onDeposits: true },
  tokenStandard: 'XRPL',
  native: {
    currency: {
      code: 'XRP',
      name: 'XRP',
      kind: 'native',
      defaultNetwork: 'xrp',
      sandboxPrice: '2',
      sourceNames: {
        kraken: ['XXRPZUSD', 'XXRPZEUR', 'XRPGBP', 'XXRPZCAD', 'XRPAUD', 'XRPCHF'],
        coinbase: 'XRP',
        binance: 'XRP',
        coingecko: 'ripple',
      },
    },
    decimals: 6,
    min: '0.1',
    dust: '0.001',
  },
  // Issued currencies have no decimals: the ledger keeps 16 digits. With six, amounts up to ten billion are exact.
  tokens: [
    {
      currency: rippleUsd,
      decimals: 6,
      min: '0.1',
      dust: '0.001',
      contract: '524C555344000000000000000000000000000000.rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De',
    },
    {
      currency: usdCoin,
      decimals: 6,
      min: '0.1',
      dust: '0.001',
      contract: '5553444300000000000000000000000000000000.rGm7WCVp9gb4jZHWTEtGUr4dd74z2XuWhE',
    },
  ],
}
