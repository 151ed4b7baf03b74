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
  tokenStandard: null,
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
  tokens: [],
}
