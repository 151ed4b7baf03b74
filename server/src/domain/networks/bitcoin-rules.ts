/** How a chain of the Bitcoin kind is written; the public test chains of a coin share one way. */
export type BitcoinChain = 'main' | 'test' | 'regtest'

/** The serialisations of BIP-32 keys that can stand for the accounts we use (SLIP-132). */
export type KeyVersion = 'xpub' | 'zpub' | 'tpub' | 'vpub' | 'Ltub' | 'ttub'

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
