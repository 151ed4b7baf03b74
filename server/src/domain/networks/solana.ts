import { tether, usdCoin } from '../currencies.ts'
import type { SolanaNetwork } from './network.ts'

export const solana: SolanaNetwork = {
  id: 'solana',
  name: 'Solana',
  family: 'solana',
  clusters: {
    'mainnet-beta': { genesis: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' },
    devnet: { genesis: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' },
    testnet: { genesis: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY' },
  },
  pollSeconds: 2,
  explorer: 'https://solscan.io/tx/',
  confirmations: 32,
  confirmationTiers: [],
  feeCeiling: '0.1',
  simulatedFeeRate: 10_000n,
  tag: { name: 'Memo', required: false, onDeposits: false },
  tokenStandard: 'SPL',
  native: {
    currency: {
      code: 'SOL',
      name: 'Solana',
      kind: 'native',
      defaultNetwork: 'solana',
      sandboxPrice: '150',
      sourceNames: {
        kraken: ['SOLUSD', 'SOLEUR', 'SOLGBP', 'SOLCAD', 'SOLAUD'],
        coinbase: 'SOL',
        binance: 'SOL',
        coingecko: 'solana',
      },
    },
    decimals: 9,
    min: '0.001',
    dust: '0.00001',
  },
  tokens: [
    {
      currency: usdCoin,
      decimals: 6,
      min: '0.1',
      dust: '0.001',
      contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    },
    {
      currency: tether,
      decimals: 6,
      min: '0.1',
      dust: '0.001',
      contract: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    },
  ],
}
