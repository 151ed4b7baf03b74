import { decode, encode } from 'ripple-binary-codec'
import { ledgerHash as codecLedgerHash, transactionTreeHash } from 'ripple-binary-codec/dist/ledger-hashes.js'
import { describe, expect, it } from 'vitest'
import { decodeClassicAddress } from '../../../src/gates/xrp/address.ts'
import { fieldOf, readBinaryObject, UnreadableObject } from '../../../src/gates/xrp/binary-object.ts'
import { holdsAll } from '../../../src/gates/xrp/held-ledgers.ts'
import { ledgerHash, maxContentBytes, transactionsHash } from '../../../src/gates/xrp/ledger-hash.ts'
import { hashOfBlob, type Json } from '../../support/nodes/xrp-ledger.ts'
import { payer, stranger } from './harness.ts'

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const issued = { currency: 'USD', issuer: stranger, value: '1.5' }
const token = { mpt_issuance_id: `${'00'.repeat(23)}01`, value: '5' }

describe('the bytes of objects are read as the ledger’s own library writes them:', () => {
  const { address } = payer(1)
  const common = { Account: address, Fee: '10', Sequence: 1, SigningPubKey: '', Flags: 0 }
  const payment = { ...common, TransactionType: 'Payment', Destination: stranger, DestinationTag: 7 }
  it.each<[string, Json]>([
    ['XRP', { ...payment, Amount: '5' }],
    ['an issued currency', { ...payment, Amount: issued, SendMax: '9' }],
    ['a multi-purpose token', { ...payment, Amount: token }],
    [
      'paths',
      {
        ...payment,
        Amount: '5',
        SendMax: issued,
        Paths: [
          [{ account: address }, { currency: 'USD', issuer: stranger }],
          [{ currency: 'EUR', issuer: address }],
        ],
      },
    ],
    [
      'memos of every length',
      {
        ...payment,
        Amount: '5',
        Memos: [3, 192, 193, 900, 12_480, 12_481, 20_000].map((length) => ({
          Memo: { MemoData: 'AB'.repeat(length) },
        })),
      },
    ],
    [
      'issues',
      {
        ...payment,
        Amount: '5',
        Asset: { currency: 'XRP' },
        Asset2: { currency: 'USD', issuer: stranger },
      },
    ],
    [
      'a bridge',
      {
        ...payment,
        Amount: '5',
        XChainBridge: {
          LockingChainDoor: address,
          LockingChainIssue: { currency: 'XRP' },
          IssuingChainDoor: stranger,
          IssuingChainIssue: { currency: 'USD', issuer: stranger },
        },
      },
    ],
  ])('%s', (_, transaction) => {
    const fields = readBinaryObject(bytesOf(encode(transaction)))
    const tag = fieldOf(fields, 2, 14)?.content
    expect(tag).toEqual(Uint8Array.of(0, 0, 0, 7))
    expect(fieldOf(fields, 8, 3)?.content).toEqual(decodeClassicAddress(stranger))
    expect(fieldOf(fields, 15, 9)?.inside.length ?? 0).toBe(transaction.Memos?.length ?? 0)
  })

  it('what is cut short or of an unknown type is refused', () => {
    const bytes = bytesOf(encode({ ...payment, Amount: '5' }))
    for (let length = 1; length < bytes.length; length++) {
      const read = () => readBinaryObject(bytes.subarray(0, length))
      try {
        // Between two fields, nothing shows that there should be more.
        expect(read().length).toBeLessThan(readBinaryObject(bytes).length)
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableObject)
      }
    }
    expect(() => readBinaryObject(Uint8Array.of(0xd1, 0))).toThrow(UnreadableObject)
  })
})

it('the hash of a ledger of the main network is that of its header', () => {
  // Ledger 98423211: its number, drops, parent, transactions, accounts, times, resolution and flags.
  const header = [
    '05DDD1AB01633890E00D45BF',
    '9339A21D5012EFABE92B30462535A1BBEAC1E38C2D3FF7AD939C30B8351D7096',
    '19615CD59B57CE0DA9D7A5CE58D6D5E82BB40FA38F51CCFA16740CB5CDA7CF7E',
    'C027A15DCC533E6FA8D40EA3BCAC207C0DF0C21F44FD225756C55A9DEB1C34C1',
    '30406B2430406B250A00',
  ].join('')
  const hash = '1E29CCCA497DD6F5AFB61D2CDBCE5FF45FF740A703D8C3AE2F5CC7B60B972B29'
  expect(ledgerHash(bytesOf(header))).toBe(hash)
  const fields = {
    ledger_index: 98_423_211,
    total_coins: '99985811617695167',
    parent_hash: header.slice(24, 88),
    transaction_hash: header.slice(88, 152),
    account_hash: header.slice(152, 216),
    parent_close_time: 809_528_100,
    close_time: 809_528_101,
    close_time_resolution: 10,
    close_flags: 0,
  }
  expect(codecLedgerHash(fields).toHex()).toBe(hash)
})

it.each([
  [0, 0],
  [1, 0],
  [1, 200_000],
  [2, 500],
  [40, 500],
])(
  'the tree of %i transactions has the hash that the ledger’s own library finds, each %i bytes longer than the one before',
  (count, longer) => {
    const { address, blobOf } = payer(1)
    const list = Array.from({ length: count }, (_, at) => {
      const MemoData = 'CD'.repeat(1 + (at + 1) * longer)
      const transaction = {
        TransactionType: 'Payment',
        Account: address,
        Destination: stranger,
        Amount: '5',
        Sequence: at + 1,
        Memos: [{ Memo: { MemoData } }],
      }
      const metadata = { AffectedNodes: [], TransactionIndex: at, TransactionResult: 'tesSUCCESS' }
      return { blob: blobOf(transaction), metadata }
    })
    const ours = transactionsHash(
      list.map(({ blob, metadata }) => ({ blob: bytesOf(blob), metadata: bytesOf(encode(metadata)) })),
    )
    const theirs = transactionTreeHash(
      list.map(({ blob, metadata }) => ({ ...decode(blob), hash: hashOfBlob(blob), metaData: metadata })),
    )
    expect(ours).toBe(theirs.toHex())
  },
)

it('what is longer than the ledger can write is refused', () => {
  const blob = new Uint8Array(maxContentBytes)
  expect(maxContentBytes).toBe(918_744)
  expect(transactionsHash([{ blob, metadata: blob }])).toMatch(/^[0-9A-F]{64}$/)
  const longer = new Uint8Array(maxContentBytes + 1)
  expect(() => transactionsHash([{ blob, metadata: longer }])).toThrow(RangeError)
})

it.each([
  ['1-5,8', 1n, 5n, true],
  ['1-5,8', 8n, 8n, true],
  ['1-5,8', 5n, 8n, false],
  ['1-5,6-8', 4n, 7n, false],
  ['empty', 1n, 1n, false],
])('of the ledgers %s, whether all from %i to %i are held', (held, first, last, holds) => {
  expect(holdsAll(held, first, last)).toBe(holds)
})
