import type { BitcoinNetwork } from './network.ts'

// The dust relay fee is 3 units per byte (policy.h).
const dustUnits = 294n
const testRules = { pubKeyHash: 0x6f, scriptHash: 0xc4, coinType: 1, dustUnits } as const

/** Chains and rules are taken from Bitcoin Core's chainparams.cpp. */
export const bitcoin: BitcoinNetwork = {
  id: 'bitcoin',
  name: 'Bitcoin',
  family: 'bitcoin',
  explorer: 'https://mempool.space/tx/',
  confirmations: 2,
  confirmationTiers: [],
  feeCeiling: '0.05',
  simulatedFeeRate: 5n,
  tag: null,
  tokenStandard: null,
  native: {
    currency: {
      code: 'BTC',
      name: 'Bitcoin',
      kind: 'native',
      defaultNetwork: 'bitcoin',
      sandboxPrice: '60000',
      sourceNames: {
        kraken: ['XXBTZUSD', 'XXBTZEUR', 'XXBTZGBP', 'XXBTZCAD', 'XXBTZJPY', 'XBTAUD', 'XBTCHF'],
        coinbase: 'BTC',
        binance: 'BTC',
        coingecko: 'bitcoin',
      },
    },
    decimals: 8,
    min: '0.00001',
    dust: '0.00000546',
  },
  tokens: [],
  uriScheme: 'bitcoin',
  chains: {
    main: {
      genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      written: 'main',
    },
    test: {
      genesis: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
      written: 'test',
    },
    testnet4: {
      genesis: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
      written: 'test',
    },
    signet: {
      genesis: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
      written: 'test',
    },
    regtest: {
      genesis: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
      written: 'regtest',
    },
  },
  rules: {
    main: {
      bech32Prefix: 'bc',
      pubKeyHash: 0x00,
      scriptHash: 0x05,
      coinType: 0,
      keyVersions: ['zpub', 'xpub'],
      dustUnits,
    },
    test: { ...testRules, bech32Prefix: 'tb', keyVersions: ['vpub', 'tpub'] },
    regtest: { ...testRules, bech32Prefix: 'bcrt', keyVersions: ['vpub', 'tpub'] },
  },
}
