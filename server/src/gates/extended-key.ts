import { HARDENED_OFFSET, HDKey, type Versions } from '@scure/bip32'
import type { KeyVersion } from '../domain/networks/bitcoin-rules.ts'
import type { KeyPath } from '../domain/spends.ts'
import { decodeBase58Check } from './base58-check.ts'

/**
 * The serialisations of BIP-32 keys that can stand for the accounts we use (SLIP-132). ypub, Mtub and upub announce
 * P2WPKH inside P2SH (BIP-49), Ypub, Zpub and the like announce multisig: a holder who gives us one of those expects
 * other addresses than we would make, so they are not here and are refused.
 */
const keyVersions = {
  xpub: { public: 0x0488b21e, private: 0x0488ade4 },
  zpub: { public: 0x04b24746, private: 0x04b2430c },
  tpub: { public: 0x043587cf, private: 0x04358394 },
  vpub: { public: 0x045f1cf6, private: 0x045f18bc },
  Ltub: { public: 0x019da462, private: 0x019d9cfe },
  ttub: { public: 0x0436f6e1, private: 0x0436ef7d },
} as const satisfies Record<KeyVersion, Versions>

/** The highest child a public key can derive (BIP-32: from 2^31 on children are hardened). */
export const maxChildIndex = HARDENED_OFFSET - 1

// BIP-32's layout: version 4, depth 1, parent fingerprint 4, index 4, chain code 32, key 33; Base58Check adds 4.
const depthAt = 4
const indexAt = 9
const keyAt = 45
const payloadLength = 78
// With the checksum 82 bytes, which never need more digits than this.
const maxKeyLength = 112

/** purpose' / coin' / account' (BIP-44). */
const accountDepth = 3
const accountIndex = HARDENED_OFFSET

/**
 * The public key of account 0' from its serialisation, which must be one of `accepted`. Throws with the reason, and
 * never repeats the text: it may be a private key pasted by mistake.
 */
export function readAccountKey(text: string, accepted: readonly KeyVersion[]): HDKey {
  const payload = decodeBase58Check(text, maxKeyLength)
  if (payload?.length !== payloadLength)
    throw new Error('The account key is not an extended key: wrong characters or checksum.')
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
  // Whatever its version claims, 33 bytes that start with zero are a private key (BIP-32).
  if (view.getUint8(keyAt) === 0)
    throw new Error(
      'The account key is an extended PRIVATE key: give the public one, and treat this one as leaked.',
    )
  const version = accepted.find((name) => keyVersions[name].public === view.getUint32(0))
  if (version === undefined)
    throw new Error(`The account key must be one of ${accepted.join(', ')} for this network.`)
  if (view.getUint8(depthAt) !== accountDepth)
    throw new Error(`The account key has depth ${view.getUint8(depthAt)}; an account's is ${accountDepth}.`)
  // The signer spends from account 0' alone: money to any other would wait there for ever.
  if (view.getUint32(indexAt) !== accountIndex) throw new Error("The account key is not that of account 0'.")
  return keptKey(text, keyVersions[version])
}

// Networks of one family share an account, and reading a key takes a square root: it is read once.
const keptKeys = new Map<string, HDKey>()
const maxKeptKeys = 32

function keptKey(text: string, versions: Versions): HDKey {
  const kept = keptKeys.get(text)
  if (kept !== undefined) return kept
  const key = HDKey.fromExtendedKey(text, versions)
  if (keptKeys.size >= maxKeptKeys) keptKeys.clear()
  keptKeys.set(text, key)
  return key
}

/** The public key of the account at `path`, serialised. Only the holder of the seed can call this. */
export function writeAccountKey(seed: Uint8Array, path: string, version: KeyVersion): string {
  return HDKey.fromMasterSeed(seed, keyVersions[version]).derive(path).publicExtendedKey
}

// BIP-44: chain 0 is for addresses shown to payers, chain 1 for our own change and hot wallet.
const chainNumbers = { deposit: 0, own: 1 } as const satisfies Record<KeyPath['chain'], number>

type Chains = { [Name in KeyPath['chain']]?: HDKey }
const chainsBelow = new WeakMap<HDKey, Chains>()

/** The compressed public keys below an account, by their place. Asking beyond what a public key can derive is a bug. */
export function publicKeysBelow(account: HDKey): (path: KeyPath) => Uint8Array {
  const chains = chainsBelow.get(account) ?? {}
  chainsBelow.set(account, chains)
  return ({ chain, index }) => {
    chains[chain] ??= account.deriveChild(chainNumbers[chain])
    return childPublicKey(chains[chain], index)
  }
}

/** The compressed public key number `index` below `chain`. */
export function childPublicKey(chain: HDKey, index: number): Uint8Array {
  const { publicKey } = chain.deriveChild(childIndex(index))
  if (publicKey === null) throw new Error('A derived key has no public key.')
  return publicKey
}

/** The private key at `path` below the account at `account`. Only the holder of the seed can call this. */
export function privateKeyBelow(seed: Uint8Array, account: string, { chain, index }: KeyPath): Uint8Array {
  const number = chainNumbers[chain]
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(`${account}/${number}/${childIndex(index)}`)
  if (privateKey === null) throw new Error('A derived key has no private key.')
  return privateKey
}

function childIndex(index: number): number {
  if (!Number.isInteger(index) || index < 0 || index > maxChildIndex)
    throw new RangeError(`Addresses of ours are numbered from 0 to ${maxChildIndex}.`)
  return index
}
