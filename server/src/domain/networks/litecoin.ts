import type { BitcoinNetwork } from './network.ts'

// The dust relay fee is 30 units per byte (policy.h).
const dustUnits = 2_940n
const testRules = { pubKeyHash: 0x6f, scriptHash: 0x3a, coinType: 1, dustUnits } as const

/**
 * Chains and rules are taken from Litecoin Core's chainparams.cpp.
 *
 * Litecoin once wrote P2SH with Bitcoin's version bytes (3…, on test chains 2…) and its node still reads them. We do
 * not: such an address cannot be told from a Bitcoin one, and litecoins sent to a Bitcoin address can be lost. The same
 * script has an unambiguous M… (test: Q…) form. P2PKH on test chains is m… or n… for both networks and has no other
 * form, but a mistake there costs only test coins.
 *
 * The account key may also be an xpub (Litecoin Core) or a zpub (Electrum-LTC, hardware wallets). We write Ltub, which
 * cannot be mistaken for a Bitcoin key.
 */
export const litecoin: BitcoinNetwork = {
  id: 'litecoin',
  name: 'Litecoin',
  family: 'bitcoin',
  explorer: 'https://litecoinspace.org/tx/',
  confirmations: 6,
  confirmationTiers: [],
  feeCeiling: '1',
  simulatedFeeRate: 2n,
  tag: null,
  tokenStandard: null,
  native: {
    currency: {
      code: 'LTC',
      name: 'Litecoin',
      kind: 'native',
      defaultNetwork: 'litecoin',
      sandboxPrice: '80',
      sourceNames: {
        kraken: ['XLTCZUSD', 'XLTCZEUR', 'LTCGBP', 'XLTCZJPY', 'LTCAUD', 'LTCCHF'],
        coinbase: 'LTC',
        binance: 'LTC',
        coingecko: 'litecoin',
      },
    },
    decimals: 8,
    min: '0.001',
    dust: '0.0000546',
  },
  tokens: [],
  uriScheme: 'litecoin',
  chains: {
    main: {
      genesis: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
      written: 'main',
    },
    test: {
      genesis: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
      written: 'test',
    },
    regtest: {
      genesis: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
      written: 'regtest',
    },
  },
  rules: {
    main: {
      bech32Prefix: 'ltc',
      pubKeyHash: 0x30,
      scriptHash: 0x32,
      coinType: 2,
      keyVersions: ['Ltub', 'zpub', 'xpub'],
      dustUnits,
    },
    test: { ...testRules, bech32Prefix: 'tltc', keyVersions: ['ttub', 'vpub', 'tpub'] },
    regtest: { ...testRules, bech32Prefix: 'rltc', keyVersions: ['ttub', 'vpub', 'tpub'] },
  },
}
