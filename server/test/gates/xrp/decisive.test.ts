import { hex } from '@scure/base'
import { decode, encode } from 'ripple-binary-codec'
import { describe, expect, it } from 'vitest'
import { UntrueAnswer } from '../../../src/gates/trial/untrue.ts'
import { proveDecisive } from '../../../src/gates/xrp/decisive.ts'
import type { Json } from '../../support/nodes/xrp-ledger.ts'

// The bytes are written by the ledger's own library.
const ours = 'rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3'
const theirs = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf'
const another = 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH'
const nobody = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'
const name = 'AB'.repeat(32)
const index = 'CD'.repeat(32)

const moved = (account: string, before: string, after: string) => ({
  ModifiedNode: {
    LedgerEntryType: 'AccountRoot',
    LedgerIndex: index,
    FinalFields: { Account: account, Balance: after },
    PreviousFields: { Balance: before },
  },
})
const ended = (fields: Json) => ({
  DeletedNode: {
    LedgerEntryType: 'Escrow',
    LedgerIndex: index,
    FinalFields: { Account: theirs, Amount: '500', ...fields },
  },
})
const common = { Account: theirs, Fee: '10', Sequence: 5, SigningPubKey: '' }
const metadata = (...AffectedNodes: Json[]) => ({
  AffectedNodes,
  TransactionIndex: 0,
  TransactionResult: 'tesSUCCESS',
})

const payment = {
  ...common,
  TransactionType: 'Payment',
  Amount: '500',
  Destination: ours,
  DestinationTag: 7,
  Delegate: another,
}
const paid = metadata(moved(theirs, '9500', '9000'), moved(ours, '20', '520'), moved(another, '30', '20'))
const escrowFinish = { ...common, TransactionType: 'EscrowFinish', Owner: theirs, OfferSequence: 3 }
const finished = metadata(
  ended({ Destination: ours, DestinationTag: 9 }),
  moved(theirs, '30', '20'),
  moved(ours, '20', '520'),
)

/** Compares what a server shows with the bytes of what happened. */
function proving(tx: Json, meta: Json, shown: Json = {}): boolean {
  const [blob, bytes] = [encode(tx), encode(meta)]
  const transaction = { ...decode(blob), hash: name, metaData: decode(bytes), ...shown }
  const inBytes = (text: string) => hex.decode(text.toLowerCase())
  return proveDecisive('ledger 5', name, transaction, { blob: inBytes(blob), metadata: inBytes(bytes) })
}

describe('what is shown as it is in the bytes is proved:', () => {
  it.each<[string, Json, Json]>([
    ['a payment by a delegate', payment, paid],
    ['a payment that failed', payment, { ...paid, TransactionResult: 'tecPATH_DRY' }],
    ['an escrow that ends', escrowFinish, finished],
    [
      'an escrow without a tag',
      escrowFinish,
      metadata(ended({ Destination: ours }), moved(ours, '20', '520')),
    ],
    [
      'what validators change, without a sender',
      { ...common, TransactionType: 'SetFee', Account: nobody, Fee: '0' },
      metadata(),
    ],
  ])('%s', (_, tx, meta) => {
    expect(proving(tx, meta)).toBe(true)
  })

  it('a sender that is no account, whichever way it is written', () => {
    const tx = { ...common, TransactionType: 'SetFee', Account: nobody, Fee: '0' }
    expect(proving(tx, metadata(), { Account: '' })).toBe(true)
    const withAccount = encode(tx)
    const blob = hex.decode(withAccount.replace(/8114(?:00){20}$/, '8100').toLowerCase())
    expect(blob.length).toBe(withAccount.length / 2 - 20)
    const bytes = { blob, metadata: hex.decode(encode(metadata()).toLowerCase()) }
    for (const Account of ['', nobody])
      expect(
        proveDecisive('ledger 5', name, { ...decode(withAccount), Account, metaData: metadata() }, bytes),
      ).toBe(true)
  })
})

describe('a difference is named:', () => {
  const found = decode(encode(finished)) as Json
  const escrows = (...nodes: Json[]) => ({
    metaData: { ...found, AffectedNodes: [...nodes, ...found.AffectedNodes.slice(1)] },
  })
  it.each<[string, Json, Json, Json, string]>([
    ['the type', payment, paid, { TransactionType: 'EscrowFinish' }, 'type of X is EscrowFinish'],
    [
      'the outcome',
      payment,
      paid,
      { metaData: { ...paid, TransactionResult: 'tecPATH_DRY' } },
      'outcome of X is failure',
    ],
    [
      'the outcome of one that failed',
      payment,
      { ...paid, TransactionResult: 'tecPATH_DRY' },
      { metaData: paid },
      'outcome of X is success',
    ],
    ['the sender', payment, paid, { Account: ours }, `sender of X is ${ours}`],
    ['a sender left out', payment, paid, { Account: undefined }, 'sender of X is none'],
    ['the delegate', payment, paid, { Delegate: ours }, `delegate of X is ${ours}`],
    ['a delegate left out', payment, paid, { Delegate: undefined }, 'delegate of X is none'],
    ['a delegate that is no text', payment, paid, { Delegate: { toString: null } }, 'X is something else'],
    ['the receiver', payment, paid, { Destination: theirs }, `receiver of X is ${theirs}`],
    ['the tag', payment, paid, { DestinationTag: 8 }, 'destination tag of X is 8'],
    ['a tag left out', payment, paid, { DestinationTag: undefined }, 'destination tag of X is none'],
    ['the fee', payment, paid, { Fee: '1000000000000' }, 'fee of X is 1000000000000'],
    [
      'the tag of an escrow',
      escrowFinish,
      finished,
      escrows(ended({ Destination: ours, DestinationTag: 666 })),
      `list of ended escrows of X is [["${ours}",666]]`,
    ],
    ['an escrow left out', escrowFinish, finished, escrows(), 'list of ended escrows of X is []'],
    [
      'an escrow that hides behind another entry',
      payment,
      paid,
      { metaData: { ...paid, AffectedNodes: paid.AffectedNodes.map((each) => ({ ...each, ...ended({}) })) } },
      'list of ended escrows of X is [[null,null]',
    ],
  ])('%s', (_, tx, meta, shown, words) => {
    const wrong = () => proving(tx, meta, shown)
    expect(wrong).toThrow(UntrueAnswer)
    expect(wrong).toThrow(words.replace('X', name))
  })
})
