import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Assertion } from '../../../src/domain/webauthn.ts'

/** The page on which a user uses a passkey. */
export type PasskeyPage = {
  readonly rpId: string
  readonly origin: string
  readonly type?: string
  /** Present and verified, unless stated otherwise. */
  readonly flags?: number
  readonly crossOrigin?: boolean
}

export const homePage: PasskeyPage = { rpId: 'localhost', origin: 'http://localhost:8080' }

/** A passkey inside the test: it answers challenges like an authenticator and its browser. */
export type ApprovingPasskey = {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  answer(challenge: Buffer, page?: PasskeyPage): Assertion
}

export function makePasskey(kind: 'ES256' | 'RS256' | 'EdDSA' = 'ES256'): ApprovingPasskey {
  const { privateKey, publicKey } = keyPair(kind)
  const credentialId = randomBytes(32)
  return {
    credentialId,
    publicKey: coseOf(kind, publicKey),
    answer(challenge, page = homePage) {
      const clientDataJson = Buffer.from(
        JSON.stringify({
          type: page.type ?? 'webauthn.get',
          challenge: challenge.toString('base64url'),
          origin: page.origin,
          crossOrigin: page.crossOrigin ?? false,
        }),
      )
      const authenticatorData = Buffer.concat([
        sha256(Buffer.from(page.rpId)),
        Buffer.from([page.flags ?? 0x05, 0, 0, 0, 0]),
      ])
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJson)])
      const signature = sign(kind === 'EdDSA' ? null : 'sha256', signed, privateKey)
      return { credentialId, authenticatorData, clientDataJson, signature }
    },
  }
}

/** An assertion as the page sends it. */
export function assertionBody({ credentialId, authenticatorData, clientDataJson, signature }: Assertion) {
  return {
    credential_id: credentialId.toString('base64url'),
    authenticator_data: authenticatorData.toString('base64url'),
    client_data_json: clientDataJson.toString('base64url'),
    signature: signature.toString('base64url'),
  }
}

function keyPair(kind: string) {
  if (kind === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (kind === 'EdDSA') return generateKeyPairSync('ed25519')
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

function coseOf(kind: string, key: KeyObject): Buffer {
  const jwk = key.export({ format: 'jwk' })
  const bytes = (value: string | undefined) => {
    const raw = Buffer.from(value ?? '', 'base64url')
    const head = raw.length < 256 ? [0x58, raw.length] : [0x59, raw.length >> 8, raw.length & 0xff]
    return [...head, ...raw]
  }
  if (kind === 'ES256')
    return Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, ...bytes(jwk.x), 0x22, ...bytes(jwk.y)])
  if (kind === 'EdDSA') return Buffer.from([0xa4, 1, 1, 3, 0x27, 0x20, 6, 0x21, ...bytes(jwk.x)])
  return Buffer.from([0xa4, 1, 3, 3, 0x39, 1, 0, 0x20, ...bytes(jwk.n), 0x21, ...bytes(jwk.e)])
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
