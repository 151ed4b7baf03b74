import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { describe, expect, it } from 'vitest'
import type { NodeRpc } from '../../../src/gates/json-rpc.ts'
import { proveBlock } from '../../../src/gates/solana/prove-block.ts'
import { Failed } from '../../../src/gates/trial/findings.ts'
import { Untestable, UntrueAnswer } from '../../../src/gates/trial/untrue.ts'
import { receiver } from './plans.ts'

// biome-ignore lint/suspicious/noExplicitAny: whatever a node answers
type Json = any

// Transactions are written and signed by the library of the network's authors.
const hash = receiver(1)
const slot = 50
const minedAt = new Date(1_790_000_000_000)
const block = { height: 40n, hash, parentHash: receiver(2), minedAt, transfers: [] }
const payee = receiver(3)
const thief = receiver(4)
const payer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(9))
const units = 700_000
const fee = 5_000

async function signed(version: 0 | 'legacy', fromTable: readonly Address[] = []) {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: receiver(5) as Blockhash, lastValidBlockHeight: 1n },
        paid,
      ),
    (timed) =>
      appendTransactionMessageInstructions(
        [
          getTransferSolInstruction({ source: payer, destination: address(payee), amount: BigInt(units) }),
          getTransferSolInstruction({ source: payer, destination: address(thief), amount: 1n }),
        ],
        timed,
      ),
    (whole) =>
      compressTransactionMessageUsingAddressLookupTables(whole, { [receiver(6)]: [...fromTable] } as never),
  )
  const transaction = await signTransactionMessageWithSigners(
    version === 0 ? message : ({ ...message, version: 'legacy' } as never as typeof message),
  )
  return {
    text: getBase64EncodedWireTransaction(transaction),
    name: getSignatureFromTransaction(transaction),
  }
}

const plain = await signed('legacy')
const fromTable = await signed(0, [address(thief)])
/** In the order of the message: the payer, the accounts that it writes to, its program; then those from tables. */
const accounts = [payer.address, ...[payee, thief].toSorted(byText), SYSTEM_PROGRAM_ADDRESS]
const accountsWithTable = [payer.address, payee, SYSTEM_PROGRAM_ADDRESS, thief]

function byText(one: string, other: string): number {
  return one < other ? -1 : 1
}

const token = (amount: string) => ({
  accountIndex: 1,
  mint: receiver(7),
  owner: payee,
  programId: receiver(8),
  uiTokenAmount: { amount, decimals: 6, uiAmount: null, uiAmountString: amount },
})

/** What the transaction did: the payer has paid for what the others have more. */
function metaOf(keys: readonly string[]): Json {
  const gains = new Map([
    [payer.address as string, -(units + 1 + fee)],
    [payee, units],
    [thief, 1],
  ])
  const preBalances = keys.map((_, at) => 10_000_000 + at)
  return {
    err: null,
    fee,
    preBalances,
    postBalances: preBalances.map((had, at) => had + (gains.get(keys[at] as string) ?? 0)),
    preTokenBalances: [],
    postTokenBalances: [token('5')],
  }
}

type Shown = { readonly bytes: Json; readonly accounts: Json }

function shownOf({ text, name }: typeof plain, keys: readonly string[]): Shown {
  const meta = metaOf(keys)
  return {
    bytes: { transaction: [text, 'base64'], meta, version: 'legacy' },
    accounts: {
      transaction: { signatures: [name], accountKeys: keys.map((pubkey) => ({ pubkey, writable: true })) },
      meta,
      version: 'legacy',
    },
  }
}

const one = shownOf(plain, accounts)
const other = shownOf(fromTable, accountsWithTable)

/** Proves a block on a node that shows these transactions. */
function proving(bytes: readonly Json[], asRead: readonly Json[], head: Json = {}): Promise<string> {
  const call = async (_: string, ...[at, options]: Json[]) => {
    expect(at).toBe(slot)
    return {
      blockhash: hash,
      previousBlockhash: receiver(2),
      parentSlot: slot - 1,
      blockTime: minedAt.getTime() / 1000,
      blockHeight: 40,
      transactions: options.transactionDetails === 'full' ? bytes : asRead,
      ...head[options.transactionDetails],
    }
  }
  const rpc = { call, batch: async () => [], close: () => {} } as unknown as NodeRpc
  return proveBlock(rpc, block, slot, 'finalized')
}

/** The transaction with other metadata in both answers, or in that alone which the gate reads. */
const did = (change: Json, isEverywhere = true): Promise<string> => {
  const changed = (shown: Json) => ({ ...shown, meta: { ...shown.meta, ...change } })
  return proving([isEverywhere ? changed(one.bytes) : one.bytes], [changed(one.accounts)])
}
const { preBalances, postBalances } = one.bytes.meta
const replaced = (list: readonly Json[], at: number, value: Json) => list.with(at, value)

const proved = 'the signatures of all transactions, and that none makes SOL out of nothing'

it('a block is proved, with accounts from tables too', async () => {
  expect(await proving([one.bytes, other.bytes], [one.accounts, other.accounts])).toBe(proved)
  expect(await proving([], [])).toBe(proved)
})

it('a transaction that failed is proved like any other', async () => {
  const err = { InstructionError: [0, { Custom: 1 }] }
  const paid = replaced(preBalances, 0, preBalances[0] - fee)
  expect(await did({ err, postBalances: paid })).toBe(proved)
})

describe('of a node that is honest with bytes, and shows the gate something else, the lie is named:', () => {
  const inAccounts = (transaction: Json) => [
    { ...one.accounts, transaction: { ...one.accounts.transaction, ...transaction } },
  ]
  it.each<[string, () => Promise<string>, string]>([
    [
      'balances',
      () => did({ postBalances: replaced(postBalances, 1, postBalances[1] + 5) }, false),
      `that a balance after ${plain.name} is ${postBalances[1] + 5} (number 1), but where it shows the bytes it says ${postBalances[1]}`,
    ],
    [
      'balances from before',
      () => did({ preBalances: replaced(preBalances, 2, 0) }, false),
      `that a balance before ${plain.name} is 0 (number 2)`,
    ],
    ['a fee', () => did({ fee: 4_000 }, false), `that the fee of ${plain.name} is 4000`],
    ['no fee', () => did({ fee: undefined }, false), `that the fee of ${plain.name} is nothing`],
    [
      'an error',
      () => did({ err: 'AccountInUse' }, false),
      `that the error of ${plain.name} is "AccountInUse"`,
    ],
    [
      'tokens',
      () => did({ postTokenBalances: [token('5000000')] }, false),
      `that a token balance after ${plain.name} is {"accountIndex":1`,
    ],
    [
      'another account',
      () =>
        proving(
          [one.bytes],
          inAccounts({
            accountKeys: replaced(one.accounts.transaction.accountKeys, accounts.indexOf(payee), {
              pubkey: thief,
            }),
          }),
        ),
      `of ${plain.name} is ${thief}, but by its bytes, which are signed, it is ${payee}`,
    ],
    [
      'one account more',
      () =>
        proving(
          [one.bytes],
          inAccounts({ accountKeys: [...one.accounts.transaction.accountKeys, { pubkey: receiver(11) }] }),
        ),
      `that ${plain.name} has 5 accounts, but by its bytes it has 4`,
    ],
    [
      'another name',
      () => proving([one.bytes], inAccounts({ signatures: [fromTable.name] })),
      `that there is a transaction ${fromTable.name}, but by the bytes in its place it is ${plain.name}`,
    ],
    [
      'another order',
      () => proving([one.bytes, other.bytes], [other.accounts, one.accounts]),
      `that there is a transaction ${fromTable.name}`,
    ],
    [
      'a transaction less',
      () => proving([one.bytes, other.bytes], [one.accounts]),
      'that it has 1 transactions, but in base64 it shows 2',
    ],
    [
      'another block',
      () => proving([one.bytes], [one.accounts], { accounts: { blockhash: receiver(12) } }),
      `that it is ${receiver(12)}`,
    ],
  ])('%s', async (_, work, words) => {
    const lie = work()
    await expect(lie).rejects.toThrow(UntrueAnswer)
    await expect(lie).rejects.toThrow(words)
  })
})

describe('the check that no SOL is made cannot be switched off by', () => {
  // 99 SOL more than there were.
  const forged = replaced(postBalances, 1, postBalances[1] + 99_000_000_000)
  it.each<[string, Json, string]>([
    ['nothing but the forged balance', {}, 'which is 99000000000 less'],
    ['a fee that is absent', { fee: undefined }, 'that the fee of'],
    ['a fee that is text', { fee: '5000' }, 'is 5000, but it must be a whole number of lamports'],
    ['a fee below zero', { fee: -99_000_000_000 }, 'is -99000000000, but it must be'],
    ['a fee that is a list', { fee: [{ toString: null }] }, 'is something else, but it must be'],
    ['a fraction', { preBalances: replaced(preBalances, 3, 0.5) }, 'is 0.5, but'],
    ['a balance below zero', { postBalances: replaced(forged, 3, -99_000_000_000) }, 'is -99000000000, but'],
    ['a balance beyond all numbers', { preBalances: replaced(preBalances, 3, 1e300) }, 'is 1e+300, but'],
    [
      'a balance more',
      { preBalances: [...preBalances, 99_000_000_000] },
      'has 5 balances before and 4 after',
    ],
    ['a balance less', { postBalances: forged.slice(0, -1) }, 'has 4 balances before and 3 after'],
    [
      'balances that lose digits',
      {
        preBalances: replaced(preBalances, 3, 2 ** 60),
        postBalances: replaced(forged, 3, 2 ** 60),
      },
      'which is 99000000000 less',
    ],
  ])('%s', async (_, change, words) => {
    const lie = did({ postBalances: forged, ...change })
    await expect(lie).rejects.toThrow(UntrueAnswer)
    await expect(lie).rejects.toThrow(words)
  })

  it('balances that no list holds', async () => {
    await expect(did({ preBalances: null })).rejects.toThrow('one balance for each account')
  })
})

it('what large numbers lose on the way is no lie, and is said', async () => {
  // Its neighbours are 128 lamports away.
  const before = replaced(preBalances, 3, 2 ** 60)
  const after = (made: number) => replaced(replaced(postBalances, 3, 2 ** 60), 1, postBalances[1] + made)
  expect(await did({ preBalances: before, postBalances: after(128) })).toBe(
    `${proved}, but for what numbers above 2^53 lose`,
  )
  await expect(did({ preBalances: before, postBalances: after(500) })).rejects.toThrow('which is 500 less')
})

describe('signatures:', () => {
  const withText = (text: unknown): Json => ({ ...one.bytes, transaction: [text, 'base64'] })

  it('a transaction that names no signer is refused', async () => {
    const bytes = Buffer.from(plain.text, 'base64')
    // One signature, and after it the header, which counts the signers first.
    const unsigned = Buffer.concat([Buffer.of(0), bytes.subarray(1 + 64)])
    unsigned.writeUInt8(0, 1)
    await expect(proving([withText(unsigned.toString('base64'))], [one.accounts])).rejects.toThrow(
      'no transaction is without a signer',
    )
  })

  it('bytes that were changed are refused', async () => {
    const bytes = Buffer.from(plain.text, 'base64')
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
    await expect(proving([withText(bytes.toString('base64'))], [one.accounts])).rejects.toThrow(
      `that ${payer.address} has signed ${plain.name}`,
    )
  })

  it('bytes that cannot be read prove nothing, but fail beside others that can', async () => {
    for (const text of ['AAAA', '*', 5, { toString: null }]) {
      await expect(proving([withText(text)], [one.accounts])).rejects.toThrow(Untestable)
      const some = proving([withText(text), other.bytes], [one.accounts, other.accounts])
      await expect(some).rejects.toThrow(Failed)
      await expect(some).rejects.toThrow('of 1 transactions in a form that can be read, and of 1 not')
    }
  })
})
