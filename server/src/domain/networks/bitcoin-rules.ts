/** The address and key formats of a Bitcoin-like chain; the public test chains of a network share one. */
export type BitcoinChain = 'main' | 'test' | 'regtest'

/** The serialisations of BIP-32 keys that we accept for account keys (SLIP-132). */
export type KeyVersion = 'xpub' | 'zpub' | 'tpub' | 'vpub' | 'Ltub' | 'ttub'

/** The formats that tell one Bitcoin-like chain from another. */
export type ChainRules = {
  /** The human-readable part of its bech32 addresses (BIP-173). */
  readonly bech32Prefix: string
  /** The version bytes of its base58 addresses. */
  readonly pubKeyHash: number
  readonly scriptHash: number
  /** SLIP-44; the test chains of all networks share 1. */
  readonly coinType: number
  /** The serialisations that we accept for its account key; we write the first. */
  readonly keyVersions: readonly KeyVersion[]
  /** A P2WPKH output below this is dust, which nodes do not relay. The rule counts 98 bytes for creating and spending it. */
  readonly dustUnits: bigint
}
