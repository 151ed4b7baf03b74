import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hex } from '@scure/base'
import fc from 'fast-check'
import { decode, encode, encodeForSigning } from 'ripple-binary-codec'
import { deriveAddress, deriveKeypair, sign } from 'ripple-keypairs'
import { describe, expect, it } from 'vitest'
import { encodeClassicAddress } from '../../../src/gates/xrp/address.ts'
import { type Amount, maxDrops, readFields, writeFields } from '../../../src/gates/xrp/binary-format.ts'
import { shownAtoms, toAtoms } from '../../../src/gates/xrp/issued-amount.ts'
import {
  hashOf,
  readTransaction,
  signTransaction,
  type XrpTransaction,
} from '../../../src/gates/xrp/transaction.ts'

// The ledger's own libraries read and write transactions with code that is not ours, and we ship it in no binary.

const upper = (bytes: Uint8Array) => hex.encode(bytes).toUpperCase()
// The wallet of the tests of xrpl.js.
const { privateKey, publicKey } = deriveKeypair('ss1x3KLrSvfg7irFc1D929WXZ7z9H')
const key = hex.decode(privateKey.slice(2).toLowerCase())
const account = deriveAddress(publicKey)
const flags = 0x80000000
const noRipple = 0x00020000

const addresses = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(encodeClassicAddress)
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const drops = fc.bigInt({ min: 0n, max: maxDrops })
const issuedAmounts = fc.record({
  currency: fc.constantFrom('USD', '524C555344000000000000000000000000000000'),
  issuer: addresses,
  atoms: fc.bigInt({ min: 1n, max: 10n ** 16n - 1n }).map((units) => toAtoms(units, 6)),
})
const common = { account: fc.constant(account), sequence: uint32, fee: drops }
const transactions: fc.Arbitrary<XrpTransaction> = fc.oneof(
  fc.record({
    ...common,
    payment: fc.option(
      fc.record({
        destination: addresses,
        tag: fc.option(uint32),
        amount: fc.oneof(drops, issuedAmounts),
      }),
    ),
  }),
  fc.record({ ...common, payment: fc.constant(null), trust: issuedAmounts }),
)

/** An amount as those libraries take it. */
const inWords = (amount: Amount) =>
  typeof amount === 'bigint'
    ? String(amount)
    : { currency: amount.currency, issuer: amount.issuer, value: shownAtoms(amount.atoms) }

/** The same transaction as those libraries take it. */
function said({ sequence, fee, payment, trust }: XrpTransaction) {
  const common = {
    Account: account,
    Flags: flags,
    Sequence: sequence,
    Fee: String(fee),
    SigningPubKey: publicKey,
  }
  if (trust !== undefined)
    return { ...common, TransactionType: 'TrustSet', Flags: flags + noRipple, LimitAmount: inWords(trust) }
  if (payment === null) return { ...common, TransactionType: 'AccountSet' }
  const { destination, tag, amount } = payment
  const paid = { TransactionType: 'Payment', Destination: destination, Amount: inWords(amount) }
  return { ...common, ...paid, ...(tag !== null && { DestinationTag: tag }) }
}

describe('signed bytes', () => {
  it('are those of the ledger’s own libraries, byte for byte', () => {
    fc.assert(
      fc.property(transactions, (transaction) => {
        const { bytes, hash } = signTransaction(transaction, key)
        const unsigned = said(transaction)
        const TxnSignature = sign(encodeForSigning(unsigned), privateKey)
        expect(upper(bytes)).toBe(encode({ ...unsigned, TxnSignature }))
        expect(decode(upper(bytes))).toEqual({ ...unsigned, TxnSignature })
        expect(readTransaction(bytes)).toEqual({ transaction, hash })
      }),
      { numRuns: 100 },
    )
  })

  it('have the hash, the fields and the form of a published transaction', () => {
    // "sign succeeds with no flags", packages/xrpl/test/wallet/index.test.ts of xrpl.js.
    const published =
      '1200002400000001614000000001312D0068400000000000000C732102A8A44DB3D4C73EEEE11DFE54D2029103B776AA8A8D293A91D645977C9DF5F5447446304402201C0A74EE8ECF5ED83734D7171FB65C01D90D67040DEDCC66414BD546CE302B5802205356843841BFFF60D15F5F5F9FB0AB9D66591778140AB2D137FF576D9DEC44BC8114EE3046A5DDF8422C40DDB93F1D522BB4FE6419158314FDB08D07AAA0EB711793A3027304D688E10C3648'
    const bytes = hex.decode(published.toLowerCase())
    expect(hashOf(bytes)).toBe('E22186AE9FE477821BF361358174C2B0AC2D3289AA6F7E8C1102B3D270C41204')
    const fields = readFields(bytes)
    expect(fields).toMatchObject({
      transactionType: 0,
      sequence: 1,
      amount: 20_000_000n,
      fee: 12n,
      account: 'r45Rev1EXGxy2hAUmJPCne97KUE7qyrD3j',
      destination: 'rQ3PTWGLCbPz8ZCicV5tCX3xuymojTng5r',
    })
    if (fields !== null) expect(writeFields(fields)).toEqual(bytes)
    // Its key is not the account's, and it says nothing of its signature: both are more than we accept.
    expect(readTransaction(bytes)).toHaveProperty('refused')
  })

  it('are signed over the published form of what is signed', () => {
    // "can create single signing blobs", packages/ripple-binary-codec/test/signing-data-encoding.test.ts.
    const signed = writeFields({
      transactionType: 0,
      flags,
      sequence: 1,
      amount: 1_000n,
      fee: 10n,
      signingPubKey: hex.decode('ed5f5ac8b98974a3ca843326d9b88cebd0560177b973ee0b149f782cfaa06dc66a'),
      account: 'r9LqNeG6qHxjeUocjvVki2XR35weJ9mZgQ',
      destination: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    })
    expect(upper(signed)).toBe(
      '1200002280000000240000000161' +
        '40000000000003E868400000000000000A7321ED5F5AC8B98974A3CA843326D9B88CEBD0560177B973EE0B149F782CFAA06DC66A' +
        '81145B812C9D57731E27A2DA8B1830195F88EF32A3B68314B5F762798A53D543A014CAF8B297CFF8F2F937E8',
    )
  })
})

describe('reading refuses', () => {
  const plain = { ...said({ account, sequence: 5, fee: 12n, payment: null }), TransactionType: 'Payment' }
  const paying = { ...plain, Destination: 'rQ3PTWGLCbPz8ZCicV5tCX3xuymojTng5r', Amount: '7' }
  const bytesOf = (content: object, seed = privateKey) => {
    const unsigned = { ...content } as Parameters<typeof encode>[0]
    const TxnSignature = sign(encodeForSigning(unsigned), seed)
    return hex.decode(encode({ ...unsigned, TxnSignature }).toLowerCase())
  }
  const issued = { currency: 'USD', issuer: 'rMaa8VLBTjwTJWA2kSme4Sqgphhr6Lr6FH', value: '1' }
  const { Destination: _, ...bare } = paying
  const trusting = {
    ...bare,
    Amount: undefined,
    TransactionType: 'TrustSet',
    Flags: flags + noRipple,
    LimitAmount: issued,
  }

  it('nothing in the transactions that the other cases change', () => {
    expect(readTransaction(bytesOf(paying))).toMatchObject({ transaction: { payment: { amount: 7n } } })
    const amount = { currency: issued.currency, issuer: issued.issuer, atoms: toAtoms(1n, 0) }
    expect(readTransaction(bytesOf({ ...paying, Amount: issued }))).toMatchObject({
      transaction: { payment: { amount } },
    })
    expect(readTransaction(bytesOf(trusting))).toMatchObject({ transaction: { trust: amount } })
  })

  it.each([
    ['a partial payment', { ...paying, Flags: 0x80020000 }],
    ['other flags', { ...paying, Flags: 0 }],
    ['a partial payment in an issued currency', { ...paying, Amount: issued, Flags: 0x80020000 }],
    ['more to send of it than to deliver', { ...paying, Amount: issued, SendMax: { ...issued, value: '2' } }],
    ['less than nothing of it', { ...paying, Amount: { ...issued, value: '-1' } }],
    ['a fee in an issued currency', { ...paying, Fee: issued }],
    ['a trust line that others’ payments may pass through', { ...trusting, Flags: 0x80000000 }],
    ['a trust line that freezes', { ...trusting, Flags: 0x80120000 }],
    ['a trust line with a quality', { ...trusting, QualityIn: 5 }],
    ['a trust line for XRP', { ...trusting, LimitAmount: '5' }],
    ['a trust line that pays', { ...trusting, Amount: '7', Destination: paying.Destination }],
    ['an amount to send that differs from the one to deliver', { ...paying, SendMax: '9' }],
    ['a least amount to deliver', { ...paying, DeliverMin: '1' }],
    ['a path', { ...paying, Paths: [[{ account: issued.issuer }]] }],
    ['a memo', { ...paying, Memos: [{ Memo: { MemoData: '00' } }] }],
    ['an invoice id', { ...paying, InvoiceID: 'AB'.repeat(32) }],
    ['a source tag', { ...paying, SourceTag: 1 }],
    ['a ticket', { ...paying, TicketSequence: 1 }],
    ['another network', { ...paying, NetworkID: 21_337 }],
    ['no destination', { ...plain, Amount: '7' }],
    ['no amount', { ...plain, Destination: paying.Destination }],
    ['a setting of the account', { ...plain, TransactionType: 'AccountSet', SetFlag: 4 }],
    ['a new regular key', { ...plain, TransactionType: 'SetRegularKey', RegularKey: paying.Destination }],
    [
      'the end of the account',
      { ...plain, TransactionType: 'AccountDelete', Destination: paying.Destination },
    ],
    ['several signers', { ...paying, SigningPubKey: '' }],
    ['the account of another key', { ...paying, Account: 'r45Rev1EXGxy2hAUmJPCne97KUE7qyrD3j' }],
  ])('%s', (_, content) => expect(readTransaction(bytesOf(content))).toHaveProperty('refused'))

  it('a signature of another key', () => {
    const other = deriveKeypair('shd2nxpFD6iBRKWsRss2P4tKMWyy9').privateKey
    expect(readTransaction(bytesOf(paying, other))).toEqual({ refused: 'The signature is invalid.' })
  })

  it('the high S that anyone can derive from a low one', () => {
    const good = bytesOf(paying)
    const { txnSignature, ...unsigned } = readFields(good) ?? {}
    if (txnSignature === undefined) throw new Error('not signed')
    const { r, s } = secp256k1.Signature.fromBytes(txnSignature, 'der')
    const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes('der')
    const bytes = writeFields({ ...unsigned, txnSignature: high } as Parameters<typeof writeFields>[0])
    expect(readTransaction(bytes)).toEqual({ refused: 'The signature is invalid.' })
  })

  it('bytes without a signature, unordered, repeated, cut short or followed by others', () => {
    const good = upper(bytesOf(paying)).toLowerCase()
    const swapped = good.replace(/^(120000)(2280000000)/, '$2$1')
    const twice = good.replace(/^(120000)/, '$1$1')
    const unsigned = encode(paying as Parameters<typeof encode>[0]).toLowerCase()
    for (const wrong of [swapped, twice, unsigned, `${good}00`, ''])
      expect(readTransaction(hex.decode(wrong))).toHaveProperty('refused')
    for (let end = 0; end < good.length; end += 2)
      expect(readTransaction(hex.decode(good.slice(0, end)))).toHaveProperty('refused')
  })

  it('any bytes without throwing', () => {
    const good = bytesOf(paying)
    const damaged = fc
      .tuple(fc.nat(good.length - 1), fc.uint8Array({ maxLength: 12 }))
      .map(([at, put]) => Uint8Array.from([...good.slice(0, at), ...put, ...good.slice(at + put.length)]))
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), damaged), (bytes) => {
        const read = readTransaction(bytes)
        // What it accepts is a payment that its account has signed.
        if (!('refused' in read)) expect(bytes).toEqual(good)
      }),
    )
  })
})
