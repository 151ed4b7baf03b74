import { type CborItem, readCbor } from './cbor.ts'
import { isUsableKey, madeElsewhere, nobodyVerified, type RelyingParty, signCountOf } from './webauthn.ts'

/** An authenticator's response after it created a passkey, as the browser passes it on (WebAuthn Level 3, 7.1). */
export type Registration = {
  readonly clientDataJson: Buffer
  readonly attestationObject: Buffer
}

/** A newly created passkey. */
export type NewPasskey = {
  readonly credentialId: Buffer
  /** As a COSE key (RFC 9053). */
  readonly publicKey: Buffer
  readonly signCount: bigint
  /** Whether it is backed up outside the authenticator. */
  readonly isBackedUp: boolean
}

const flagsAt = 32
const backupEligible = 0x08
const backedUp = 0x10
const attested = 0x40
const extended = 0x80
// Hash, flags and counter take 37 bytes, the authenticator's model 16; then comes the length of the credential id.
const idLengthAt = 37 + 16
const idAt = idLengthAt + 2
const maxIdBytes = 1_023
const maxAttestationBytes = 32 * 1024

/**
 * The passkey that was created for this challenge on our own page by an authenticator that verified the user; or why it is
 * not accepted. Attestation, the authenticator's statement about its own make, is neither requested nor checked.
 */
export function readRegistration(
  { clientDataJson, attestationObject }: Registration,
  asked: { readonly challenge: Buffer; readonly relyingParty: RelyingParty },
): { readonly passkey: NewPasskey } | { readonly problem: string } {
  const authenticatorData = authenticatorDataIn(attestationObject)
  if (authenticatorData === null) return { problem: 'the authenticator data is unreadable' }
  const problem = madeElsewhere('webauthn.create', clientDataJson, authenticatorData, asked)
  if (problem !== null) return { problem }
  const flags = authenticatorData[flagsAt] as number
  if ((flags & attested) === 0) return { problem: 'it contains no key' }
  if ((flags & backedUp) !== 0 && (flags & backupEligible) === 0)
    return { problem: 'it claims to be backed up and not to be eligible for backup' }
  const credential = credentialIn(authenticatorData, (flags & extended) !== 0)
  if (credential === null) return { problem: 'its key is unreadable' }
  if (!isUsableKey(credential.publicKey)) return { problem: 'its key type is not supported' }
  const unverified = nobodyVerified(clientDataJson, authenticatorData)
  if (unverified !== null) return { problem: unverified }
  return {
    passkey: {
      ...credential,
      signCount: signCountOf({ authenticatorData }),
      isBackedUp: (flags & backedUp) !== 0,
    },
  }
}

function authenticatorDataIn(attestationObject: Buffer): Buffer | null {
  if (attestationObject.length > maxAttestationBytes) return null
  const object = readWhole(attestationObject)
  if (!(object instanceof Map)) return null
  const [kind, statement, data] = ['fmt', 'attStmt', 'authData'].map((name) => object.get(name))
  const isOne = typeof kind === 'string' && statement instanceof Map && data instanceof Buffer
  return isOne ? data : null
}

function credentialIn(
  data: Buffer,
  hasExtensions: boolean,
): { credentialId: Buffer; publicKey: Buffer } | null {
  if (data.length < idAt) return null
  const length = data.readUInt16BE(idLengthAt)
  const keyAt = idAt + length
  if (length === 0 || length > maxIdBytes || keyAt > data.length) return null
  try {
    const { end } = readCbor(data, keyAt)
    const extensions = data.subarray(end)
    const isWhole = hasExtensions ? readWhole(extensions) instanceof Map : extensions.length === 0
    return isWhole ? { credentialId: data.subarray(idAt, keyAt), publicKey: data.subarray(keyAt, end) } : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The one item that these bytes contain; null when they are not exactly one item. */
function readWhole(bytes: Buffer): CborItem {
  try {
    const { item, end } = readCbor(bytes)
    return end === bytes.length ? item : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
