import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hex, utf8 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../src/domain/canonical-json.ts'
import { type AccountPlan, hotKey } from '../../src/domain/spends.ts'
import { readEnvelope, signEnvelope } from '../../src/gates/account-envelope.ts'
import { xrpKey } from '../../src/gates/xrp/deposit-account.ts'
import { xrpEnvelopes } from '../../src/gates/xrp/envelope-scheme.ts'
import { xrpFamily } from '../../src/gates/xrp/family.ts'
import { publicKeys, seed } from '../simulator/gate/keys.ts'

const account = publicKeys.xrp
const plan: AccountPlan = {
  kind: 'account',
  from: { address: account, key: hotKey },
  nonce: 4n,
  to: { address: 'rMQ98K56yXJbDGv49ZSmW51sLn94Xe1mu1', tag: '7' },
  currency: 'XRP',
  contractAddress: null,
  units: 5n,
  gasLimit: 1n,
  gasPrice: 10n,
  payoutId: 'payout',
}
const keyOf = () => xrpKey(seed, hotKey)
const { bytes } = signEnvelope(xrpEnvelopes, plan, keyOf)
const said = JSON.parse(utf8.encode(bytes)) as Record<string, string | null>
const read = (fields: object) => readEnvelope(xrpEnvelopes, utf8.decode(canonicalJson(fields)))

describe('the envelope that stands in for a transaction', () => {
  it('is one line of canonical JSON, and states everything that it pays', () => {
    expect(said).toEqual({
      network: 'xrp',
      from: account,
      nonce: '4',
      to: plan.to.address,
      tag: '7',
      currency: 'XRP',
      contract: null,
      units: '5',
      gas_limit: '1',
      gas_price: '10',
      public_key: expect.stringMatching(/^0[23][0-9a-f]{64}$/),
      signature: expect.stringMatching(/^[0-9a-f]{128}$/),
    })
    expect(read(said)).toHaveProperty('hash')
  })

  it.each([
    ['another payment', { units: '6' }],
    ['another sender', { from: 'rMQ98K56yXJbDGv49ZSmW51sLn94Xe1mu1' }],
    ['another network', { network: 'solana' }],
    ['no tag', { tag: null }],
    ['something more', { memo: 'x' }],
    ['a number as a JSON number', { units: 5 }],
    ['a number in another notation', { units: '05' }],
    ['bytes in another notation', { signature: said.signature?.toUpperCase() }],
    ['a key of another length', { public_key: said.public_key?.slice(2) }],
    ['a key that is not a point of the curve', { public_key: `02${'ff'.repeat(32)}` }],
  ])('is refused with %s', (_, changes) => expect(read({ ...said, ...changes })).toHaveProperty('refused'))

  it('is refused if its fields are in another order or separated by blanks', () => {
    const turned = JSON.stringify(Object.fromEntries(Object.entries(said).reverse()))
    for (const text of [turned, JSON.stringify(said, null, 1)])
      expect(readEnvelope(xrpEnvelopes, utf8.decode(text))).toEqual({
        refused: 'The transaction is not written canonically.',
      })
  })

  it('is refused with the high S that anyone can derive from a low one', () => {
    const { r, s } = secp256k1.Signature.fromBytes(hex.decode(said.signature ?? ''))
    const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toHex()
    expect(read({ ...said, signature: high })).toEqual({ refused: 'The signature is invalid.' })
  })

  it('is refused if it is signed for our account with another key', () => {
    const theirs = new Uint8Array(32).fill(9)
    const scheme = { ...xrpEnvelopes, addressOf: () => account }
    const forged = signEnvelope(scheme, plan, () => theirs)
    expect(readEnvelope(xrpEnvelopes, forged.bytes)).toEqual({ refused: expect.stringContaining('sender') })
  })
})

describe('the XRP Ledger', () => {
  const family = xrpFamily({ environment: 'test', account })

  it('pays from the one account that deposits arrive at too', () => {
    expect(family.spending).toMatchObject({ kind: 'account', hotAddress: account, depositsAreHot: true })
    expect(xrpKey(seed, { chain: 'deposit', index: 12 })).toEqual(keyOf())
    expect(() => xrpKey(seed, { chain: 'own', index: 1 })).toThrow(RangeError)
  })

  it.each([
    ['another sender', { from: { address: plan.to.address, key: hotKey } }, 'not our account'],
    ['itself', { to: { address: account, tag: '1' } }, 'not a valid destination'],
    ['no tag', { to: { ...plan.to, tag: null } }, 'not a valid destination'],
    ['a token', { contractAddress: 'r' }, 'not supported'],
    ['nothing', { units: 0n }, 'a positive amount'],
    ['coins', { kind: 'coins' }, 'no coins'],
  ])('signs no plan with %s', (_, changes, message) =>
    expect(() => family.sign({ ...plan, ...changes } as AccountPlan, keyOf)).toThrow(message),
  )
})
