import { describe, expect, it } from 'vitest'
import { refuseForged } from '../../../src/gates/xrp/delivered.ts'
import type { Json } from '../../support/nodes/xrp-ledger.ts'
import { payer, stranger } from './harness.ts'

const { address } = payer(1)
const entry = (account: string, before: number, after: number) => ({
  ModifiedNode: {
    LedgerEntryType: 'AccountRoot',
    FinalFields: { Account: account, Balance: String(after) },
    PreviousFields: { Balance: String(before) },
  },
})
const offer = { DeletedNode: { LedgerEntryType: 'Offer', FinalFields: { Account: stranger } } }

function payment(metadata: Json, fields: Json = {}): Json {
  return {
    TransactionType: 'Payment',
    Account: address,
    Destination: stranger,
    Fee: '10',
    hash: 'AB'.repeat(32),
    ...fields,
    metaData: {
      AffectedNodes: [entry(address, 100, 85), entry(stranger, 20, 25)],
      TransactionResult: 'tesSUCCESS',
      delivered_amount: '5',
      ...metadata,
    },
  }
}
const refusing = (transaction: Json) => () => refuseForged('ledger 7', [transaction])

it('an amount that is what the receiver’s balance changed by is believed', () => {
  expect(refusing(payment({}))).not.toThrow()
})

it.each([
  ['more than arrived', payment({ delivered_amount: '6' }), 'delivered 6 drops'],
  ['less than arrived', payment({ delivered_amount: '4' }), 'delivered 4 drops'],
  ['something, where nothing arrived', payment({ AffectedNodes: [entry(address, 100, 85)] }), 'changes by 0'],
  ['nothing at all', payment({ delivered_amount: undefined }), 'does not say what payment'],
  [
    'the part that is left when the receiver paid the fee as a delegate',
    payment({ AffectedNodes: [entry(stranger, 100, 95)] }, { Delegate: stranger, Fee: '9' }),
    'changes by 4',
  ],
])('a server that says %s is named', (_, transaction, words) => {
  expect(refusing(transaction)).toThrow(words)
})

const gained = (after: string) => ({
  ModifiedNode: {
    LedgerEntryType: 'RippleState',
    FinalFields: {
      Balance: { currency: 'USD', issuer: 'rrrrrrrrrrrrrrrrrrrrBZbvji', value: `-${after}` },
      HighLimit: { currency: 'USD', issuer: stranger, value: '100' },
      LowLimit: { currency: 'USD', issuer: address, value: '0' },
    },
    PreviousFields: { Balance: { currency: 'USD', issuer: 'rrrrrrrrrrrrrrrrrrrrBZbvji', value: '-2' } },
  },
})
const issued = (value: string, after: string) =>
  payment({
    delivered_amount: { currency: 'USD', issuer: address, value },
    AffectedNodes: [gained(after)],
  })

it('an issued amount is what the receiver’s trust lines changed by, or the server is named', () => {
  expect(refusing(issued('1.5', '3.5'))).not.toThrow()
  expect(refusing(issued('15', '3.5'))).toThrow('delivered 15 USD')
  expect(refusing(issued('1.4', '3.5'))).toThrow('its trust lines change by 1.5')
})

describe('what proves nothing is passed over:', () => {
  it.each([
    [
      'a payment that failed',
      payment({ TransactionResult: 'tecUNFUNDED_PAYMENT', delivered_amount: undefined }),
    ],
    ['a multi-purpose token', payment({ delivered_amount: { mpt_issuance_id: '00', value: '1' } })],
    ['a ledger from before 2014', payment({ delivered_amount: 'unavailable' })],
    ['a receiver that sold XRP in it', payment({ AffectedNodes: [entry(stranger, 20, 18), offer] })],
    ['a payment to oneself', payment({ delivered_amount: '6' }, { Destination: address })],
    ['no payment', payment({ delivered_amount: undefined }, { TransactionType: 'OfferCreate' })],
  ])('%s', (_, transaction) => {
    expect(refusing(transaction)).not.toThrow()
  })
})
