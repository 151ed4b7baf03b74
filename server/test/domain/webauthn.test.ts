import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { assertionProblem, isUsableKey, passkeyFingerprint } from '../../src/domain/webauthn.ts'
import { homePage, makePasskey } from '../support/people/approving-passkey.ts'

const hex = (text: string) => Buffer.from(text, 'hex')

// W3C, Web Authentication Level 3, section 16, "Test Vectors": the authentication ceremonies, hexadecimal as published.
const es256 = (x: string, y: string) => hex(`a5010203262001215820${x}225820${y}`)
const start = '7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a22'
const vectors = {
  '16.2, ES256, without user verification': {
    publicKey: es256(
      'afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61',
      '930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220',
    ),
    challenge: '39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408',
    flags: '19',
    clientData: `${start}4f63446e55685158756c5455506f334a5558543049393770767a7a59425039745a63685879617630314167222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d`,
    signature:
      '3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87',
    problem: 'the authenticator did not verify the user',
  },
  '16.4, ES256, inside another page': {
    publicKey: es256(
      '22200a473f90b11078851550d03b4e44a2279f8c4eca27b3153dedfe03e4e97d',
      'cbd0be95e746ad6f5a8191be11756e4c0420e72f65b466d39bc56b8b123a9c6e',
    ),
    challenge: '876aa517ba83fdee65fcffdbca4c84eeae5d54f8041a1fc85c991e5bbb273137',
    flags: '05',
    clientData: `${start}6832716c463771445f65356c5f505f62796b7945377135645650674547685f49584a6b655737736e4d5463222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a747275652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a2039327063545644304162792d713464746d6a36656667227d`,
    signature:
      '3046022100eb12fcf23b12764c0f122e22371fab92e283879fd798f38ee1841c951b6e40e7022100c76237ff9db77b3c56f30837cda6a09acfa2e915544e609c0733b1184036d1cf',
    problem: 'it was made inside another page',
  },
  '16.6, ES256, with user verification': {
    publicKey: es256(
      '3b8176b7504489cc593046d7988abb7905a742de6ac2cdc748a873c663e90cb1',
      '1436d5edc9a75f23999eef9d5950a5c2455514ee1014084720f841a06b828a11',
    ),
    challenge: 'ef1deba56dce48f674a447ccf63b9599258ce87648e5c396f2ef0ca1da460e3b',
    flags: '0d',
    clientData: `${start}377833727057334f53505a307045664d396a75566d53574d36485a4935634f573875384d6f647047446a73222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d`,
    signature:
      '304502203ecef83fb12a0cae7841055f9f87103a99fd14b424194bbf06c4623d3ee6e3fd022100d2ace346db262b1374a6b70faa51f518a42ddca13a4125ce6f5052a75bac9fb6',
    problem: null,
  },
  '16.11, Ed25519, without user verification': {
    publicKey: hex(
      'a4010103272006215820' + '44e06ddd331c36a8dc667bab52bcae63486c916aa5e339e6acebaa84934bf832',
    ),
    challenge: '895957e01c633a698348a2d8a31a54b7db27e8c1c43b2080d79ae2190267bfd2',
    flags: '01',
    clientData: `${start}69566c583442786a4f6d6d44534b4c596f7870557439736e364d48454f7943413135726947514a6e763949222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d`,
    signature:
      'f5c59c7e46c34f6f8cc197101ddf9934fa2595f68eb1913a637e8419eb9ba4cfdfc48f85393bc0d40b011f0d6fecb097d6607525713223a0dc0d453993dae00b',
    problem: 'the authenticator did not verify the user',
  },
}

describe('the published vectors', () => {
  const relyingParty = { id: 'example.org', origins: ['https://example.org'] }
  it.each(Object.entries(vectors))(
    '%s',
    (_, { publicKey, challenge, flags, clientData, signature, problem }) => {
      const assertion = {
        credentialId: Buffer.alloc(0),
        authenticatorData: hex(
          `bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b5${flags}00000000`,
        ),
        clientDataJson: hex(clientData),
        signature: hex(signature),
      }
      const expected = { challenge: hex(challenge), relyingParty }
      expect(assertionProblem(assertion, publicKey, expected)).toBe(problem)
      // The last check is reached only if the signature is valid.
      for (const name of ['authenticatorData', 'signature'] as const) {
        const changed = Buffer.from(assertion[name])
        changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
        expect(assertionProblem({ ...assertion, [name]: changed }, publicKey, expected)).toBe(
          'its signature is invalid',
        )
      }
    },
  )
})

const challenge = randomBytes(32)
const relyingParty = { id: homePage.rpId, origins: [homePage.origin] }

it.each(['ES256', 'RS256', 'EdDSA'] as const)(
  'an assertion of %s is accepted with its own key and with no other',
  (kind) => {
    const passkey = makePasskey(kind)
    const answer = passkey.answer(challenge)
    expect(assertionProblem(answer, passkey.publicKey, { challenge, relyingParty })).toBeNull()
    const other = makePasskey(kind).publicKey
    expect(assertionProblem(answer, other, { challenge, relyingParty })).toBe('its signature is invalid')
  },
)

it.each([
  ['of another page', { origin: 'https://localhost.example' }, /^it was made on another page/],
  ['of another port', { origin: 'http://localhost:8081' }, /^it was made on another page/],
  ['for another service', { rpId: 'example.org' }, 'it was made for another service'],
  ['of an enrolment', { type: 'webauthn.create' }, 'it responds to another kind of request'],
  ['without a user present', { flags: 0x04 }, 'no user was present'],
  ['without user verification', { flags: 0x01 }, 'the authenticator did not verify the user'],
  ['inside another page', { crossOrigin: true }, 'it was made inside another page'],
])('an assertion %s is refused', (_, page, problem) => {
  const passkey = makePasskey()
  const answer = passkey.answer(challenge, { ...homePage, ...page })
  expect(assertionProblem(answer, passkey.publicKey, { challenge, relyingParty })).toMatch(problem)
})

it('an answer to another challenge and a malformed answer are refused', () => {
  const passkey = makePasskey()
  const expected = { challenge, relyingParty }
  expect(assertionProblem(passkey.answer(randomBytes(32)), passkey.publicKey, expected)).toBe(
    'it responds to another challenge',
  )
  const answer = passkey.answer(challenge)
  for (const clientDataJson of [
    Buffer.from('no'),
    Buffer.from('null'),
    Buffer.from([0xff]),
    Buffer.alloc(5_000),
  ])
    expect(assertionProblem({ ...answer, clientDataJson }, passkey.publicKey, expected)).toMatch(/unreadable/)
  const short = { ...answer, authenticatorData: answer.authenticatorData.subarray(0, 36) }
  expect(assertionProblem(short, passkey.publicKey, expected)).toMatch(/too short/)
})

it('keys of other types and damaged keys are not accepted', () => {
  const { publicKey } = makePasskey()
  expect(isUsableKey(publicKey)).toBe(true)
  const p384 = Buffer.from(publicKey)
  p384[6] = 2
  for (const wrong of [
    p384,
    publicKey.subarray(0, -1),
    Buffer.concat([publicKey, Buffer.from([0])]),
    Buffer.alloc(0),
    hex('a0'),
    hex('bfff'),
    hex('a1200120'),
  ])
    expect(isUsableKey(wrong)).toBe(false)
})

it('a fingerprint identifies the credential and its key', () => {
  const [one, other] = [makePasskey(), makePasskey()]
  expect(passkeyFingerprint(one)).toMatch(/^([0-9a-f]{4}-){7}[0-9a-f]{4}$/)
  expect(passkeyFingerprint({ ...one, publicKey: other.publicKey })).not.toBe(passkeyFingerprint(one))
})
