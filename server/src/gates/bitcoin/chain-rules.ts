import type { KeyVersion } from '../extended-key.ts'

export type BitcoinCoin = 'bitcoin' | 'litecoin'
export type BitcoinChain = 'main' | 'test' | 'regtest'

/** What tells one chain of the Bitcoin kind from another on paper. */
export type ChainRules = {
  /** The human-readable part of its bech32 addresses (BIP-173). */
  readonly bech32Prefix: string
  /** The version bytes of its base58 addresses. */
  readonly pubKeyHash: number
  readonly scriptHash: number
  /** SLIP-44; every test chain of every coin shares 1. */
  readonly coinType: number
  /** The serialisations in which its account key may come; we write the first. */
  readonly keyVersions: readonly KeyVersion[]
  /** A P2WPKH output below this is dust, which nodes do not relay: making and spending it takes 98 bytes. */
  readonly dustUnits: bigint
}

const testBase = { pubKeyHash: 0x6f, coinType: 1 }
// The dust relay fee is 3 units a byte for Bitcoin and 30 for Litecoin (policy.h of each).
const bitcoin = { dustUnits: 294n }
const litecoin = { dustUnits: 2_940n }

/**
 * From Bitcoin Core's and Litecoin Core's chainparams.cpp.
 *
 * Litecoin once wrote P2SH with Bitcoin's version bytes (3…, on test chains 2…) and its node still reads them. We do
 * not: nothing tells such an address from a Bitcoin one, and litecoins sent to a Bitcoin address can be lost. The same
 * script has an unambiguous M… (test: Q…) form. P2PKH on test chains is m… or n… for both coins, with no other form
 * to insist on; there it costs test coins at most.
 *
 * Litecoin's account key may also come as xpub (Litecoin Core) or zpub (Electrum-LTC, hardware wallets). We write
 * Ltub, which cannot be taken for a Bitcoin key.
 */
export const chainRules: Readonly<Record<BitcoinCoin, Readonly<Record<BitcoinChain, ChainRules>>>> = {
  bitcoin: {
    main: {
      ...bitcoin,
      bech32Prefix: 'bc',
      pubKeyHash: 0x00,
      scriptHash: 0x05,
      coinType: 0,
      keyVersions: ['zpub', 'xpub'],
    },
    test: { ...bitcoin, ...testBase, bech32Prefix: 'tb', scriptHash: 0xc4, keyVersions: ['vpub', 'tpub'] },
    regtest: {
      ...bitcoin,
      ...testBase,
      bech32Prefix: 'bcrt',
      scriptHash: 0xc4,
      keyVersions: ['vpub', 'tpub'],
    },
  },
  litecoin: {
    main: {
      ...litecoin,
      bech32Prefix: 'ltc',
      pubKeyHash: 0x30,
      scriptHash: 0x32,
      coinType: 2,
      keyVersions: ['Ltub', 'zpub', 'xpub'],
    },
    test: {
      ...litecoin,
      ...testBase,
      bech32Prefix: 'tltc',
      scriptHash: 0x3a,
      keyVersions: ['ttub', 'vpub', 'tpub'],
    },
    regtest: {
      ...litecoin,
      ...testBase,
      bech32Prefix: 'rltc',
      scriptHash: 0x3a,
      keyVersions: ['ttub', 'vpub', 'tpub'],
    },
  },
}
