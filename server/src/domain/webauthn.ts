import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import { type CborMap, readCbor } from './cbor.ts'

/** An authenticator's response to a challenge, as the browser passes it on (WebAuthn Level 3, 7.2). */
export type Assertion = {
  readonly credentialId: Buffer
  readonly authenticatorData: Buffer
  readonly clientDataJson: Buffer
  readonly signature: Buffer
}

/** The browser's JSON form of it (`AuthenticationResponseJSON`), as far as we read it; bytes are base64url. */
export type AssertionResponse = {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string | undefined
  }
}

/** The service whose page an assertion must come from. */
export type RelyingParty = {
  /** The domain that passkeys are bound to. */
  readonly id: string
  readonly origins: readonly string[]
}

// COSE algorithm numbers (RFC 9053).
const es256 = -7
const edDsa = -8
const rs256 = -257

const flagsAt = 32
const signCountAt = 33
const shortestData = 37
const userPresent = 0x01
const userVerified = 0x04
const maxClientDataBytes = 4_096

/**
 * Why an assertion is not this key's response to this challenge, made on our own page with user verification; null when
 * it is. The caller looks up the key by the credential id.
 */
export function assertionProblem(
  { authenticatorData, clientDataJson, signature }: Assertion,
  publicKey: Buffer,
  { challenge, relyingParty }: { readonly challenge: Buffer; readonly relyingParty: RelyingParty },
): string | null {
  const asked = { challenge, relyingParty }
  const elsewhere = madeElsewhere('webauthn.get', clientDataJson, authenticatorData, asked)
  if (elsewhere !== null) return elsewhere
  const key = keyOf(publicKey)
  if (key === null) return 'its key type is not supported'
  if (!isSigned(key, Buffer.concat([authenticatorData, sha256(clientDataJson)]), signature))
    return 'its signature is invalid'
  return nobodyVerified(clientDataJson, authenticatorData)
}

/** Why a response was not made for this challenge on our own page; null when it was. */
export function madeElsewhere(
  type: 'webauthn.get' | 'webauthn.create',
  clientDataJson: Buffer,
  authenticatorData: Buffer,
  { challenge, relyingParty }: { readonly challenge: Buffer; readonly relyingParty: RelyingParty },
): string | null {
  const said = clientDataOf(clientDataJson)
  if (said === null) return 'the client data is unreadable'
  if (said.type !== type) return 'it responds to another kind of request'
  if (said.challenge !== challenge.toString('base64url')) return 'it responds to another challenge'
  if (typeof said.origin !== 'string' || !relyingParty.origins.includes(said.origin))
    return `it was made on another page: ${String(said.origin).slice(0, 100)}`
  if (authenticatorData.length < shortestData) return 'the authenticator data is too short'
  const isOurs = authenticatorData.subarray(0, flagsAt).equals(sha256(Buffer.from(relyingParty.id)))
  return isOurs ? null : 'it was made for another service'
}

/** Why the authenticator did not verify a user on a top-level page; null when it did. */
export function nobodyVerified(clientDataJson: Buffer, authenticatorData: Buffer): string | null {
  const said = clientDataOf(clientDataJson)
  if (said?.crossOrigin === true || said?.topOrigin !== undefined) return 'it was made inside another page'
  const flags = authenticatorData[flagsAt] as number
  if ((flags & userPresent) === 0) return 'no user was present'
  return (flags & userVerified) === 0 ? 'the authenticator did not verify the user' : null
}

export function readAssertion({ id, response }: AssertionResponse): Assertion {
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  return {
    credentialId: bytes(id),
    authenticatorData: bytes(response.authenticatorData),
    clientDataJson: bytes(response.clientDataJSON),
    signature: bytes(response.signature),
  }
}

/** The authenticator's count of the key's signatures; 0 for an authenticator that does not count. */
export function signCountOf({ authenticatorData }: Pick<Assertion, 'authenticatorData'>): bigint {
  return BigInt(authenticatorData.readUInt32BE(signCountAt))
}

/** A passkey's fingerprint, for people to compare. */
export function passkeyFingerprint(passkey: { credentialId: Buffer; publicKey: Buffer }): string {
  const { credentialId, publicKey } = passkey
  const length = Buffer.from([credentialId.length >> 8, credentialId.length & 0xff])
  const digest = sha256(Buffer.concat([length, credentialId, publicKey]))
  return (digest.toString('hex').slice(0, 32).match(/.{4}/g) as string[]).join('-')
}

/** Whether assertions of this key can be checked. */
export function isUsableKey(publicKey: Buffer): boolean {
  return keyOf(publicKey) !== null
}

function clientDataOf(bytes: Buffer): Record<string, unknown> | null {
  if (bytes.length > maxClientDataBytes) return null
  try {
    const said: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : null
  } catch {
    return null
  }
}

type VerifyingKey = { readonly algorithm: number; readonly key: KeyObject }

function isSigned({ algorithm, key }: VerifyingKey, data: Buffer, signature: Buffer): boolean {
  try {
    // Ed25519 hashes by itself; WebAuthn's ECDSA signatures are in DER form.
    return algorithm === edDsa
      ? verify(null, data, key, signature)
      : verify('sha256', data, algorithm === es256 ? { key, dsaEncoding: 'der' } : key, signature)
  } catch {
    return false
  }
}

function keyOf(cose: Buffer): VerifyingKey | null {
  const members = membersOf(cose)
  if (members === null) return null
  const algorithm = members.get(3)
  const jwk = jwkOf(members)
  if (typeof algorithm !== 'number' || jwk === null) return null
  try {
    return { algorithm, key: createPublicKey({ key: jwk, format: 'jwk' }) }
  } catch {
    return null
  }
}

function jwkOf(members: CborMap): JsonWebKey | null {
  const text = (label: number) => {
    const value = members.get(label)
    return value instanceof Buffer ? value.toString('base64url') : ''
  }
  const [kind, algorithm, curve] = [members.get(1), members.get(3), members.get(-1)]
  if (kind === 2 && algorithm === es256 && curve === 1)
    return { kty: 'EC', crv: 'P-256', x: text(-2), y: text(-3) }
  if (kind === 1 && algorithm === edDsa && curve === 6) return { kty: 'OKP', crv: 'Ed25519', x: text(-2) }
  if (kind === 3 && algorithm === rs256 && members.get(-1) instanceof Buffer)
    return { kty: 'RSA', n: text(-1), e: text(-2) }
  return null
}

/** The members of a COSE key; null for anything else. */
function membersOf(cose: Buffer): CborMap | null {
  try {
    const { item, end } = readCbor(cose)
    return item instanceof Map && end === cose.length ? item : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
