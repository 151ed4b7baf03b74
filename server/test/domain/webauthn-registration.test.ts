import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readCbor } from '../../src/domain/cbor.ts'
import { assertionProblem, readAssertion } from '../../src/domain/webauthn.ts'
import { readRegistration } from '../../src/domain/webauthn-registration.ts'
import { type Mischief, SoftwarePasskey } from '../support/people/software-passkey.ts'

const hex = (text: string) => Buffer.from(text, 'hex')

// W3C, Web Authentication Level 3, section 16.2, "ES256 Credential with No Attestation": the registration, as published.
const credentialId = 'f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4'
const publicKey =
  'a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61' +
  '225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220'
const serviceHash = 'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b5'
const model = '8446ccb9ab1db374750b2367ff6f3a1f'
const clientDataJson = hex(
  '7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a22414d4d507434557878475453746e63647134313759447742466938767049612d7077386f4f755657345441222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a20426b5165446a646354427258426941774a544c453551227d',
)
const asked = {
  challenge: hex('00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130'),
  relyingParty: { id: 'example.org', origins: ['https://example.org'] },
}

const none = '63666d74646e6f6e656761747453746d74a0'

/** The vector's attestation object with other flags, and optionally with more bytes after its key or another statement. */
function attestation(flags: string, more = '', statement = none): Buffer {
  const data = hex(`${serviceHash}${flags}00000000${model}0020${credentialId}${publicKey}${more}`)
  return Buffer.concat([hex(`a3${statement}68617574684461746158`), Buffer.from([data.length]), data])
}

const read = (attestationObject: Buffer) => readRegistration({ clientDataJson, attestationObject }, asked)

it('the published vector passes every check except the last one, because the user was not verified', () => {
  expect(read(attestation('59'))).toEqual({ problem: 'the authenticator did not verify the user' })
  expect(read(attestation('5d'))).toEqual({
    passkey: {
      credentialId: hex(credentialId),
      publicKey: hex(publicKey),
      signCount: 0n,
      isBackedUp: true,
    },
  })
})

it('extensions and attestation statements are ignored', () => {
  // {"credProtect": 2}, and a statement of the kind "packed" with a certificate.
  expect(read(attestation('dd', 'a16b6372656450726f7465637402'))).toHaveProperty('passkey')
  const packed = '63666d74667061636b65646761747453746d74a363616c672663736967420102637835638142abcd'
  expect(read(attestation('5d', '', packed))).toHaveProperty('passkey')
})

it.each([
  ['without a key', attestation('1d'), 'it contains no key'],
  ['without a user present', attestation('5c'), 'no user was present'],
  [
    'that is backed up although it cannot be',
    attestation('55'),
    'it claims to be backed up and not to be eligible for backup',
  ],
  ['with bytes after its key', attestation('5d', '00'), 'its key is unreadable'],
  ['with extensions that are missing', attestation('dd'), 'its key is unreadable'],
  ['with extensions that are invalid', attestation('dd', '00'), 'its key is unreadable'],
  ['cut short', attestation('5d').subarray(0, -1), 'the authenticator data is unreadable'],
  [
    'with bytes after it',
    Buffer.concat([attestation('5d'), Buffer.from([0])]),
    'the authenticator data is unreadable',
  ],
  [
    'without a statement',
    attestation('5d', '', none.replace('7453746d74a0', '7453746d7400')),
    'the authenticator data is unreadable',
  ],
  ['too long', Buffer.alloc(40_000), 'the authenticator data is unreadable'],
])('a passkey %s is not accepted', (_, attestationObject, problem) => {
  expect(read(attestationObject)).toEqual({ problem })
})

it('a passkey on another curve is not accepted', () => {
  const object = attestation('5d')
  // crv, the third member of the key.
  object[object.indexOf(hex('2001215820')) + 1] = 2
  expect(read(object)).toEqual({ problem: 'its key type is not supported' })
})

it.each<[string, Mischief, RegExp]>([
  ['on another page', { origin: 'https://evil.example' }, /^it was made on another page/],
  ['for another service', { rpId: 'evil.example' }, /^it was made for another service/],
  ['for another challenge', { challenge: 'AAAA' }, /^it responds to another challenge/],
  ['without verification', { userVerified: false }, /^the authenticator did not verify/],
])('a passkey made %s is not accepted', (_, mischief, problem) => {
  const { made, expected } = enrol(mischief)
  expect(readRegistration(made, expected)).toEqual({ problem: expect.stringMatching(problem) })
})

it('an assertion does not register a passkey', () => {
  const { made, expected, passkey } = enrol()
  const options = { challenge: expected.challenge.toString('base64url'), rpId: 'localhost' }
  const { clientDataJSON } = passkey.get(options).response
  const clientData = Buffer.from(clientDataJSON, 'base64url')
  expect(readRegistration({ ...made, clientDataJson: clientData }, expected)).toEqual({
    problem: 'it responds to another kind of request',
  })
})

it('a signature of a new passkey is verified with the key from its registration', () => {
  const { made, expected, passkey } = enrol()
  const registered = readRegistration(made, expected)
  if ('problem' in registered) throw new Error(registered.problem)
  const options = { challenge: expected.challenge.toString('base64url'), rpId: 'localhost' }
  const assertion = readAssertion(passkey.get(options))
  expect(assertionProblem(assertion, registered.passkey.publicKey, expected)).toBeNull()
})

it('malformed input is refused and never throws', () => {
  const good = attestation('5d')
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.nat(good.length - 1),
      fc.nat(255),
      (bytes, at, value) => {
        expect(read(Buffer.from(bytes))).toHaveProperty('problem')
        const changed = Buffer.from(good)
        changed[at] = value
        expect(typeof read(changed)).toBe('object')
      },
    ),
  )
})

it('excessive lengths, indefinite lengths, floats, tags and deep nesting are rejected', () => {
  for (const bad of [
    '9affffffff',
    'baffffffff',
    '5affffffff',
    'bfff',
    'f93c00',
    'c000',
    '8181818100',
    'a2010001',
    '1b',
  ])
    expect(() => readCbor(hex(bad)), bad).toThrow(RangeError)
  expect(readCbor(hex('83f4f5f6')).item).toEqual([false, true, null])
})

function enrol(mischief: Mischief = {}) {
  const passkey = new SoftwarePasskey('http://localhost:8080')
  const expected = {
    challenge: Buffer.alloc(32, 5),
    relyingParty: { id: 'localhost', origins: ['http://localhost:8080'] },
  }
  const options = {
    challenge: expected.challenge.toString('base64url'),
    rp: { id: 'localhost' },
    user: { id: 'AAAA' },
  }
  const { response } = passkey.create(options, mischief)
  const made = {
    clientDataJson: Buffer.from(response.clientDataJSON, 'base64url'),
    attestationObject: Buffer.from(response.attestationObject, 'base64url'),
  }
  return { made, expected, passkey }
}
