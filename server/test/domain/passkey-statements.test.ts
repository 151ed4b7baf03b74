import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  ceremonyText,
  type KeptStatement,
  readStatement,
  statementText,
} from '../../src/domain/passkey-statements.ts'
import { approvalKinds } from '../../src/domain/payout-policy.ts'

const merchantId = fc.uuid()
const environment = fc.constantFrom('live', 'test')
const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((each) => Buffer.from(each))
const at = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') })
const limit = fc.option(fc.bigInt({ min: 1n, max: 10n ** 40n }))
const text = fc.string({ unit: 'binary' })

const statements: fc.Arbitrary<KeptStatement> = fc.oneof(
  fc.record({
    kind: fc.constant('trust_passkey'),
    merchantId,
    userId: fc.uuid(),
    credentialId: bytes,
    publicKey: bytes,
  }),
  fc.record({ kind: fc.constant('distrust_passkey'), merchantId, credentialId: bytes }),
  fc.record({
    kind: fc.constant('policy'),
    environment,
    merchantId,
    baseCurrency: fc.constantFrom('EUR', 'JPY'),
    policy: fc.record({
      maxPayout: limit,
      maxDay: limit,
      onlyKnownDestinations: fc.boolean(),
      approvalsRequired: fc.constantFrom(1, 2),
      coolingOffSeconds: fc.nat(),
      approval: fc.constantFrom(...approvalKinds),
    }),
    at,
  }),
  fc.record({
    kind: fc.constant('destination'),
    environment,
    merchantId,
    network: text,
    address: text,
    tag: fc.option(text),
    isAllowed: fc.boolean(),
    at,
  }),
) as fc.Arbitrary<KeptStatement>

it('a statement reads back as it was written', () => {
  fc.assert(
    fc.property(statements, (statement) => {
      expect(readStatement(statementText(statement))).toEqual(statement)
    }),
  )
})

it('a text that is changed in any member is another statement, or none', () => {
  fc.assert(
    fc.property(statements, fc.nat(), fc.jsonValue(), (statement, which, value) => {
      const said = JSON.parse(statementText(statement))
      const members = Object.keys(said)
      const changed = JSON.stringify({ ...said, [members[which % members.length] as string]: value })
      const read = readStatement(changed)
      if (read !== null) expect(statementText(read)).toBe(changed)
    }),
  )
})

it.each([
  '',
  'null',
  '7',
  '{}',
  '{"sluice":"approve","version":1,"merchant":"a","environment":"live","payouts":[]}',
  '{"merchant":"a","sluice":"distrust_passkey","version":1,"credential_id":"YQ"}',
  '{"credential_id":"YQ","merchant":"a","more":1,"sluice":"distrust_passkey","version":1}',
  '{"credential_id":"YQ","merchant":"a","sluice":"distrust_passkey","version":2}',
])('%s is no stored statement', (said) => {
  expect(readStatement(said)).toBeNull()
})

it('what a passkey signs to sign in is never a statement', () => {
  fc.assert(
    fc.property(statements, fc.option(fc.uuid()), bytes, (statement, sessionId, nonce) => {
      const text = ceremonyText('sign_in', sessionId, nonce)
      expect(readStatement(text)).toBeNull()
      expect(text).not.toBe(statementText(statement))
    }),
  )
})
