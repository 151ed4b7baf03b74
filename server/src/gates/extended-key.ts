import { createECDH, createHmac, getCurves } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HARDENED_OFFSET, HDKey, type Versions } from '@scure/bip32'
import type { KeyVersion } from '../domain/networks/bitcoin-rules.ts'
import type { KeyPath } from '../domain/spends.ts'
import { decodeBase58Check } from './base58-check.ts'

/**
 * The serialisations of BIP-32 keys that we accept for account keys (SLIP-132). ypub, Mtub and upub stand for P2WPKH
 * inside P2SH (BIP-49), Ypub, Zpub and the like for multisig. An operator who gives us one of those expects other
 * addresses than we would derive, so they are refused.
 */
const keyVersions = {
  xpub: { public: 0x0488b21e, private: 0x0488ade4 },
  zpub: { public: 0x04b24746, private: 0x04b2430c },
  tpub: { public: 0x043587cf, private: 0x04358394 },
  vpub: { public: 0x045f1cf6, private: 0x045f18bc },
  Ltub: { public: 0x019da462, private: 0x019d9cfe },
  ttub: { public: 0x0436f6e1, private: 0x0436ef7d },
} as const satisfies Record<KeyVersion, Versions>

/** The highest child index that a public key can derive (BIP-32: children from 2^31 on are hardened). */
export const maxChildIndex = HARDENED_OFFSET - 1

// BIP-32's layout: version 4, depth 1, parent fingerprint 4, index 4, chain code 32, key 33; Base58Check adds 4.
const depthAt = 4
const indexAt = 9
const keyAt = 45
const payloadLength = 78
// 82 bytes with the checksum, which never need more characters than this.
const maxKeyLength = 112

/** purpose' / coin' / account' (BIP-44). */
const accountDepth = 3
const accountIndex = HARDENED_OFFSET

/**
 * The public key of account 0' from its serialisation, which must be one of `accepted`. Throws with the reason, and never
 * repeats the text in the message: it may be a private key pasted by mistake.
 */
export function readAccountKey(text: string, accepted: readonly KeyVersion[]): HDKey {
  const key = readAnyAccountKey(text, accepted)
  // The signer spends only from account 0': money sent to another account would be stuck there.
  if (key.index !== accountIndex) throw new Error("The account key is not the key of account 0'.")
  return key
}

/** The same for an account of another wallet, which may have any number. */
export function readAnyAccountKey(text: string, accepted: readonly KeyVersion[]): HDKey {
  const payload = decodeBase58Check(text, maxKeyLength)
  if (payload?.length !== payloadLength)
    throw new Error('The account key is not an extended key: wrong characters or checksum.')
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
  // With any version, 33 bytes that start with zero are a private key (BIP-32).
  if (view.getUint8(keyAt) === 0)
    throw new Error(
      'The account key is an extended PRIVATE key. Use the public key instead, and treat this one as leaked.',
    )
  const version = accepted.find((name) => keyVersions[name].public === view.getUint32(0))
  if (version === undefined)
    throw new Error(`The account key must be one of ${accepted.join(', ')} for this network.`)
  if (view.getUint8(depthAt) !== accountDepth)
    throw new Error(`The account key has depth ${view.getUint8(depthAt)} instead of ${accountDepth}.`)
  if (view.getUint32(indexAt) < HARDENED_OFFSET)
    throw new Error(
      "The account key is not the key of an account such as account 0': its last step is not hardened.",
    )
  return keptKey(text, keyVersions[version])
}

// Networks of one family share an account key. Parsing one computes a square root, so each is parsed once.
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

type PublicKey = Pick<HDKey, 'publicKey' | 'chainCode'>
type Chain = { readonly parent: PublicKey; readonly keys: Map<number, Uint8Array> }
type Chains = { [Name in KeyPath['chain']]?: Chain }
const chainsBelow = new WeakMap<HDKey, Chains>()
// 33 bytes each. The networks of an account, plans, the signer's checks and cold wallets ask for the same ones again.
const maxKeptBelow = 1_000

/**
 * The compressed public keys below an account, by path. A path that a public key cannot derive is a bug. Tests choose fewer
 * to keep.
 */
export function publicKeysBelow(account: HDKey, mostKept = maxKeptBelow): (path: KeyPath) => Uint8Array {
  const chains = chainsBelow.get(account) ?? {}
  chainsBelow.set(account, chains)
  return ({ chain, index }) => {
    chains[chain] ??= { parent: childOf(account, chainNumbers[chain]), keys: new Map() }
    const { parent, keys } = chains[chain]
    const kept = keys.get(index)
    if (kept !== undefined) return kept
    const key = childPublicKey(parent, index)
    if (keys.size >= mostKept) keys.clear()
    keys.set(index, key)
    return key
  }
}

const { Point } = secp256k1
type CurvePoint = InstanceType<typeof Point>
const pointsOf = new WeakMap<PublicKey, CurvePoint>()

/**
 * The compressed public key at `index` below `chain` (BIP-32, CKDpub). Twice as fast as `deriveChild`, which multiplies in
 * constant time as for a secret: here both factors are public.
 */
export function childPublicKey(chain: PublicKey, index: number): Uint8Array {
  return childOf(chain, index).publicKey
}

function childOf(chain: PublicKey, index: number) {
  const { publicKey, chainCode } = chain
  if (publicKey === null || chainCode === null) throw new Error('A chain has no public key.')
  const place = new Uint8Array(4)
  new DataView(place.buffer).setUint32(0, childIndex(index))
  const digest = createHmac('sha512', chainCode).update(publicKey).update(place).digest()
  const parent = pointsOf.get(chain) ?? Point.fromBytes(publicKey)
  pointsOf.set(chain, parent)
  const product = baseTimes(digest.subarray(0, 32))
  if (product === null) throw new Error(`No key exists at index ${index}.`)
  // Throws at the point at infinity, which is not a key either.
  return { publicKey: product.add(parent).toBytes(true), chainCode: digest.subarray(32) }
}

// The library first builds a table, which takes as long as a hundred products of OpenSSL. From then on the library is faster.
const firstProducts = 100
let products = 0

/** The base point times a public factor; null if the factor is not below the curve's order. */
function baseTimes(factor: Buffer): CurvePoint | null {
  if (factor.compare(order) >= 0) return null
  if (products >= firstProducts) return productByTable(factor)
  products++
  return productByOpenSsl(factor) ?? productByTable(factor)
}

const order = Buffer.from(Point.Fn.ORDER.toString(16), 'hex')
// Not every build of OpenSSL has this curve.
const openSsl = getCurves().includes('secp256k1') ? createECDH('secp256k1') : null

/** Null if OpenSSL was built without the curve. */
export function productByOpenSsl(factor: Buffer): CurvePoint | null {
  if (openSsl === null) return null
  openSsl.setPrivateKey(factor)
  return Point.fromBytes(openSsl.getPublicKey())
}

export function productByTable(factor: Buffer): CurvePoint {
  return Point.BASE.multiplyUnsafe(BigInt(`0x${factor.toString('hex')}`))
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
    throw new RangeError(`The index of an address must be between 0 and ${maxChildIndex}.`)
  return index
}
