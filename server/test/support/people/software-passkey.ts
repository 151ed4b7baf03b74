import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Creation = { challenge: string; rp: { id: string }; user: { id: string } }
type Request = { challenge: string; rpId: string }
/** What a test may make the authenticator do wrong. */
export type Mischief = {
  origin?: string
  rpId?: string
  challenge?: string
  userVerified?: boolean
  userHandle?: string
}

const userPresent = 0x01
const userVerified = 0x04
const attested = 0x40

/**
 * An authenticator in software, for tests: one discoverable ES256 credential (WebAuthn Level 3), attestation `none`, with a
 * counter. It uses the JSON that browsers' `toJSON()` produces.
 */
export class SoftwarePasskey {
  readonly credentialId = randomBytes(32)
  counter = 0
  readonly #origin: string
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject }
  #userHandle = ''

  /** `origin`: that of the page, such as `http://localhost:8080`. */
  constructor(origin: string) {
    this.#origin = origin
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  }

  /** Answers `navigator.credentials.create`. */
  create(options: Creation, mischief: Mischief = {}) {
    this.#userHandle = options.user.id
    const clientData = this.#clientData('webauthn.create', options.challenge, mischief)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.credentialId.length)
    const authData = Buffer.concat([
      this.#authenticatorData(mischief.rpId ?? options.rp.id, attested, mischief),
      Buffer.alloc(16),
      length,
      this.credentialId,
      this.#coseKey(),
    ])
    const attestation = map([
      [text('fmt'), text('none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(authData)],
    ])
    return {
      ...this.#named(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Answers `navigator.credentials.get`. */
  get(options: Request, mischief: Mischief = {}) {
    this.counter++
    const clientData = this.#clientData('webauthn.get', options.challenge, mischief)
    const authData = this.#authenticatorData(mischief.rpId ?? options.rpId, 0, mischief)
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    return {
      ...this.#named(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        userHandle: mischief.userHandle ?? this.#userHandle,
      },
    }
  }

  #named() {
    const id = this.credentialId.toString('base64url')
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  #clientData(type: string, challenge: string, mischief: Mischief): Buffer {
    const origin = mischief.origin ?? this.#origin
    return Buffer.from(
      JSON.stringify({ type, challenge: mischief.challenge ?? challenge, origin, crossOrigin: false }),
    )
  }

  #authenticatorData(rpId: string, flags: number, mischief: Mischief): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const verified = mischief.userVerified === false ? 0 : userVerified
    return Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      Buffer.from([userPresent | verified | flags]),
      counter,
    ])
  }

  // COSE (RFC 9053): kty EC2, alg ES256, crv P-256, x, y.
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    return map([
      [int(1), int(2)],
      [int(3), int(-7)],
      [int(-1), int(1)],
      [int(-2), bytes(Buffer.from(x, 'base64url'))],
      [int(-3), bytes(Buffer.from(y, 'base64url'))],
    ])
  }
}

// As much of CBOR (RFC 8949) as that needs.
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff])
}

function int(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value)
}

function bytes(value: Buffer): Buffer {
  return Buffer.concat([head(2, value.length), value])
}

function text(value: string): Buffer {
  return Buffer.concat([head(3, value.length), Buffer.from(value)])
}

function map(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat()])
}
