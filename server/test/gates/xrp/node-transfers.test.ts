import { expect, it } from 'vitest'
import { GateOutageError } from '../../../src/gates/gate.ts'
import { proposedIn, transfersIn } from '../../../src/gates/xrp/node-transfers.ts'

const ours = 'rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3'
const theirs = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf'
const receiver = { account: ours, currency: 'XRP' }
const hash = 'AB'.repeat(32)
const issued = { currency: 'USD', issuer: theirs, value: '1000' }

/** The entry of an account whose balance changes. */
const moved = (account: string, before: string, after: string) => ({
  ModifiedNode: {
    LedgerEntryType: 'AccountRoot',
    FinalFields: { Account: account, Balance: after },
    PreviousFields: { Balance: before },
  },
})
const escrow = (fields: object) => ({
  DeletedNode: { LedgerEntryType: 'Escrow', FinalFields: { Account: theirs, ...fields } },
})
/** A payment of 100 XRP, with the tag 7, as a validated ledger shows it; other fields and metadata take precedence. */
const payment = (fields: object = {}, metadata: object = {}) => ({
  hash,
  TransactionType: 'Payment',
  Account: theirs,
  Destination: ours,
  DestinationTag: 7,
  Amount: '100000000',
  Fee: '10',
  ...fields,
  metaData: {
    TransactionResult: 'tesSUCCESS',
    delivered_amount: '100000000',
    AffectedNodes: [moved(theirs, '500000010', '400000000'), moved(ours, '20000000', '120000000')],
    ...metadata,
  },
})
const found = (transaction: object) =>
  transfersIn([transaction], receiver).map(({ tag, units }) => ({ tag, units }))

it('a payment is what arrived, with its tag', () => {
  expect(transfersIn([payment()], receiver)).toEqual([
    { txHash: hash, outputIndex: 0, currency: 'XRP', address: ours, tag: '7', units: 100_000_000n },
  ])
})

it.each([
  ['none', {}, null],
  ['0', { DestinationTag: 0 }, '0'],
  ['the largest', { DestinationTag: 4_294_967_295 }, '4294967295'],
])('a tag that is %s is reported as it is', (_, tag, expected) => {
  const { DestinationTag: _tag, ...untagged } = payment()
  expect(found({ ...untagged, ...tag })).toEqual([{ tag: expected, units: 100_000_000n }])
})

it('a partial payment is what was delivered, not what it says that it pays', () => {
  const attack = payment(
    { Flags: 0x80020000, Amount: '99000000000', SendMax: issued },
    { delivered_amount: '1', AffectedNodes: [moved(ours, '20000000', '20000001')] },
  )
  expect(found(attack)).toEqual([{ tag: '7', units: 1n }])
})

it.each([
  ['more than our balance changed', { delivered_amount: '99000000000' }],
  ['less than our balance changed', { delivered_amount: '1' }],
  ['nothing that can be read', { delivered_amount: 'unavailable' }],
  ['nothing at all', { delivered_amount: undefined }],
  ['an issued currency, but our balance changed', { delivered_amount: issued }],
  ['an amount, but our account is not mentioned', { AffectedNodes: [] }],
  ['a JSON number', { delivered_amount: 100_000_000 }],
])('if a payment is said to have delivered %s, nothing in the ledger is believed', (_, metadata) =>
  expect(() => found(payment({}, metadata))).toThrow(GateOutageError),
)

it.each(['tecPATH_PARTIAL', 'tecDST_TAG_NEEDED', 'tefPAST_SEQ', '', undefined])(
  'a payment with the result %s brings nothing, whatever else its metadata says',
  (TransactionResult) => expect(found(payment({}, { TransactionResult }))).toEqual([]),
)

it('a payment in an issued currency brings no XRP, and neither do payments to others', () => {
  const tokens = payment({ Amount: issued }, { delivered_amount: issued, AffectedNodes: [] })
  expect(found(tokens)).toEqual([])
  const elsewhere = payment({ Destination: theirs, Account: ours }, { AffectedNodes: [] })
  expect(found(elsewhere)).toEqual([])
})

it('what we pay is no deposit, and neither is its fee', () => {
  const paid = payment(
    { Account: ours, Destination: theirs },
    { AffectedNodes: [moved(ours, '120000010', '20000000'), moved(theirs, '0', '100000000')] },
  )
  expect(found(paid)).toEqual([])
  const nothing = { hash, TransactionType: 'AccountSet', Account: ours, Fee: '10' }
  const metadata = { TransactionResult: 'tesSUCCESS', AffectedNodes: [moved(ours, '30', '20')] }
  expect(found({ ...nothing, metaData: metadata })).toEqual([])
})

it.each([
  [
    'an escrow, whose tag it has itself',
    { TransactionType: 'EscrowFinish', Owner: theirs },
    [escrow({ Destination: ours, DestinationTag: 9 })],
    '9',
  ],
  [
    'an escrow of ours that comes back',
    { TransactionType: 'EscrowFinish' },
    [escrow({ Destination: theirs, DestinationTag: 9 })],
    null,
  ],
  ['a deleted account', { TransactionType: 'AccountDelete', Destination: ours, DestinationTag: 5 }, [], '5'],
  ['an offer of ours that is taken', { TransactionType: 'OfferCreate' }, [], null],
  ['a channel that is claimed', { TransactionType: 'PaymentChannelClaim' }, [], null],
])('%s brings the change of our balance', (_, fields, nodes, tag) => {
  const { Destination: _to, DestinationTag: _tag, Amount: _amount, ...rest } = payment()
  const AffectedNodes = [...nodes, moved(ours, '20000000', '20000005')]
  const transaction = {
    ...rest,
    ...fields,
    metaData: { TransactionResult: 'tesSUCCESS', AffectedNodes },
  }
  expect(found(transaction)).toEqual([{ tag, units: 5n }])
})

it('a check that we cash brings what it pays, though we pay the fee; a delegate’s fee is not ours', () => {
  const cashed = { hash, TransactionType: 'CheckCash', Account: ours, Fee: '10' }
  const metaData = { TransactionResult: 'tesSUCCESS', AffectedNodes: [moved(ours, '1000', '1490')] }
  expect(found({ ...cashed, metaData })).toEqual([{ tag: null, units: 500n }])
  expect(found({ ...cashed, Delegate: theirs, metaData })).toEqual([{ tag: null, units: 490n }])
})

it('the payment that creates our account counts whole', () => {
  const created = {
    CreatedNode: { LedgerEntryType: 'AccountRoot', NewFields: { Account: ours, Balance: '100000000' } },
  }
  expect(found(payment({}, { AffectedNodes: [created] }))).toEqual([{ tag: '7', units: 100_000_000n }])
})

it.each([
  ['no metadata', { ...payment(), metaData: undefined }],
  ['our account twice', payment({}, { AffectedNodes: [moved(ours, '1', '2'), moved(ours, '1', '2')] })],
  ['a balance that is a JSON number', payment({}, { AffectedNodes: [moved(ours, '1', 2 as never)] })],
  ['a malformed hash', payment({ hash: 'AB' })],
  ['a malformed tag', payment({ DestinationTag: '7' })],
])('a transaction with %s is not believed', (_, transaction) =>
  expect(() => found(transaction)).toThrow(GateOutageError),
)

it('a proposed payment is shown by what it certainly delivers, and metadata in it counts for nothing', () => {
  const proposed = (fields: object) => proposedIn([payment(fields)], receiver).map(({ units }) => units)
  expect(proposed({ metaData: { delivered_amount: '99000000000' } })).toEqual([100_000_000n])
  expect(proposed({ Flags: 0x00020000 })).toEqual([])
  expect(proposed({ SendMax: issued })).toEqual([])
  expect(proposed({ Amount: issued })).toEqual([])
  expect(proposed({ Destination: theirs })).toEqual([])
})

// Of two accounts on a trust line, the one with the lower id sees what the other owes it as above zero; here we are the higher one.
const otherIssuer = 'rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De'
const dollars = { issued: { currency: 'USD', issuer: theirs }, currency: 'TUSD', decimals: 6 }
const holder = { ...receiver, issued: [dollars] }
const limit = (issuer: string, value = '0', currency = 'USD') => ({ currency, issuer, value })
const owed = (value: string, currency = 'USD') => limit('rrrrrrrrrrrrrrrrrrrrBZbvji', value, currency)
const flipped = (value: string) => (value.startsWith('-') ? value.slice(1) : `-${value}`)
const low = (issuer: string) => (issuer === theirs ? ours < theirs : false)

/** A trust line of ours whose balance changes. */
const line = (before: string, after: string, issuer = theirs, currency = 'USD') => {
  const sides = low(issuer)
    ? { LowLimit: limit(ours, '1000000', currency), HighLimit: limit(issuer, '0', currency) }
    : { HighLimit: limit(ours, '1000000', currency), LowLimit: limit(issuer, '0', currency) }
  const seen = (value: string) => owed(low(issuer) ? value : flipped(value), currency)
  return {
    ModifiedNode: {
      LedgerEntryType: 'RippleState',
      FinalFields: { ...sides, Balance: seen(after) },
      PreviousFields: { Balance: seen(before) },
    },
  }
}
const paidIn = (value: string, nodes: readonly object[], fields: object = {}) => {
  const amount = { currency: 'USD', issuer: theirs, value }
  return payment({ Amount: amount, ...fields }, { delivered_amount: amount, AffectedNodes: nodes })
}
const held = (transaction: object) =>
  transfersIn([transaction], holder).map(({ currency, tag, units }) => ({ currency, tag, units }))

it('a payment in an issued currency is the change of the trust line, floored to what we count', () => {
  const whole = held(paidIn('12.5', [line('0', '12.5')]))
  expect(whole).toEqual([{ currency: 'TUSD', tag: '7', units: 12_500_000n }])
  expect(held(paidIn('1.9999999', [line('10', '11.9999999')]))).toEqual([
    { currency: 'TUSD', tag: '7', units: 1_999_999n },
  ])
  expect(held(paidIn('0.0000009', [line('10', '10.0000009')]))).toEqual([])
  expect(held(paidIn('0.1', [line('9000000000000', '9000000000000.1')]))).toHaveLength(1)
})

it('a code in hexadecimal is the same in lower case', () => {
  const long = '524C555344000000000000000000000000000000'
  const lower = { currency: long.toLowerCase(), issuer: theirs, value: '3' }
  const paid = payment(
    { Amount: lower },
    { delivered_amount: lower, AffectedNodes: [line('1', '4', theirs, lower.currency)] },
  )
  const other = { ...dollars, issued: { currency: long, issuer: theirs } }
  const found = transfersIn([paid], { ...receiver, issued: [other] })
  expect(found.map(({ units }) => units)).toEqual([3_000_000n])
})

it('a partial payment in an issued currency is what was delivered, not what it says that it pays', () => {
  const attack = paidIn('0.01', [line('5', '5.01')], {
    Flags: 0x80020000,
    Amount: { ...issued, issuer: theirs, value: '99000' },
  })
  expect(held(attack)).toEqual([{ currency: 'TUSD', tag: '7', units: 10_000n }])
})

it.each([
  ['more than our balance changed', '99000'],
  ['less than our balance changed', '1'],
  ['nothing that can be read', 'much'],
])('if a payment is said to have delivered %s of an issued currency, nothing is believed', (_, value) =>
  expect(() => held(paidIn(value, [line('5', '17.5')]))).toThrow(GateOutageError),
)

it('the same code of another issuer, or another code of the same one, is never credited', () => {
  const amount = { currency: 'USD', issuer: otherIssuer, value: '12.5' }
  const fake = payment(
    { Amount: amount },
    { delivered_amount: amount, AffectedNodes: [line('0', '12.5', otherIssuer)] },
  )
  expect(held(fake)).toEqual([])
  const euros = { currency: 'EUR', issuer: theirs, value: '12.5' }
  const other = payment(
    { Amount: euros },
    { delivered_amount: euros, AffectedNodes: [line('0', '12.5', theirs, 'EUR')] },
  )
  expect(held(other)).toEqual([])
  // The receiver in place of an issuer means any that it trusts. What came is still told by the exact one.
  const any = { currency: 'USD', issuer: ours, value: '12.5' }
  expect(
    held(
      payment({ Amount: any }, { delivered_amount: any, AffectedNodes: [line('0', '12.5', otherIssuer)] }),
    ),
  ).toEqual([])
})

it('a failed payment, one that takes from us, and one to another account bring nothing', () => {
  const failed = paidIn('12.5', [line('0', '12.5')])
  expect(held({ ...failed, metaData: { ...failed.metaData, TransactionResult: 'tecPATH_DRY' } })).toEqual([])
  expect(held(paidIn('12.5', [line('12.5', '0')], { Account: ours, Destination: theirs }))).toEqual([])
  expect(held({ ...paidIn('5', [], { Destination: theirs, Account: otherIssuer }) })).toEqual([])
})

it('a check, an escrow and a trade bring the change of the trust line, and XRP besides is counted for itself', () => {
  const nodes = [line('1', '3'), moved(ours, '1000', '1490')]
  const cashed = { hash, TransactionType: 'CheckCash', Account: ours, Fee: '10' }
  const metaData = { TransactionResult: 'tesSUCCESS', AffectedNodes: nodes }
  const both = transfersIn([{ ...cashed, metaData }], holder)
  expect(both.map(({ currency, units, tag }) => ({ currency, units, tag }))).toEqual([
    { currency: 'XRP', units: 500n, tag: null },
    { currency: 'TUSD', units: 2_000_000n, tag: null },
  ])
  expect(new Set(both.map(({ outputIndex }) => outputIndex)).size).toBe(2)
  const ended = { ...cashed, TransactionType: 'EscrowFinish', Account: theirs }
  const released = [line('1', '3'), escrow({ Destination: ours, DestinationTag: 9 })]
  expect(held({ ...ended, metaData: { ...metaData, AffectedNodes: released } })).toEqual([
    { currency: 'TUSD', tag: '9', units: 2_000_000n },
  ])
})

it('a transfer of an issued currency has the same index whatever else is listed, proposed or validated', () => {
  const more = { issued: { currency: 'EUR', issuer: theirs }, currency: 'TEUR', decimals: 2 }
  const paid = paidIn('12.5', [line('0', '12.5')])
  const all = [
    ...transfersIn([paid], holder),
    ...transfersIn([paid], { ...receiver, issued: [more, dollars] }),
    ...proposedIn([paid], holder),
  ]
  expect(new Set(all.map(({ outputIndex, units }) => `${outputIndex} ${units}`)).size).toBe(1)
  expect(all[0]?.outputIndex).toBeGreaterThan(0)
})

it('of proposed payments in issued currencies, partial ones and those of others are not shown', () => {
  const proposed = (fields: object) =>
    proposedIn([paidIn('12.5', [], fields)], holder).map(({ units }) => units)
  expect(proposed({ SendMax: '99000000' })).toEqual([12_500_000n])
  expect(proposed({ Flags: 0x00020000 })).toEqual([])
  expect(proposed({ Amount: { currency: 'USD', issuer: otherIssuer, value: '1' } })).toEqual([])
})

it.each([
  ['a balance that is a number', { Balance: 5 }],
  ['a limit without an account', { HighLimit: { currency: 'USD', value: '1' } }],
])('a trust line with %s is not believed', (_, fields) => {
  const wrong = line('0', '12.5')
  const node = { ...wrong.ModifiedNode, FinalFields: { ...wrong.ModifiedNode.FinalFields, ...fields } }
  expect(() => held(paidIn('12.5', [{ ModifiedNode: node }]))).toThrow(GateOutageError)
})
