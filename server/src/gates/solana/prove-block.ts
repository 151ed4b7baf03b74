import { isDeepStrictEqual } from 'node:util'
import type { Block } from '../../domain/chain.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { shownText } from '../shown-text.ts'
import { UntrueAnswer } from '../trial/untrue.ts'
import { unbelievable } from '../unbelievable.ts'
import { addressIn, readHeader } from './node-answers.ts'
import { askBlockAs, type BlockOptions, type Commitment, optionsFor } from './node-blocks.ts'
import { proveBalances } from './prove-balances.ts'
import { readSigned, type Signed } from './signed-transactions.ts'

type Answer = Readonly<Record<string, unknown>>

/** Something of a transaction that both answers show, by which the gate decides what it credits. */
const shownTwice: readonly (readonly [what: string, of: (meta: Answer) => unknown])[] = [
  ['the error of', ({ err }) => err],
  ['the fee of', ({ fee }) => fee],
  ['a balance before', ({ preBalances }) => preBalances],
  ['a balance after', ({ postBalances }) => postBalances],
  ['a token balance before', ({ preTokenBalances }) => tokensIn(preTokenBalances)],
  ['a token balance after', ({ postTokenBalances }) => tokensIn(postTokenBalances)],
]

/**
 * A block's hash comes from work that no answer shows, so it cannot be recomputed. What can be: the accounts that a transaction names as
 * signers have signed its bytes; the answer that the gate reads, which has no bytes, shows the same transactions with the accounts
 * that they name and with the same balances; and none leaves more SOL than there was before.
 */
export async function proveBlock(
  rpc: NodeRpc,
  { hash, height }: Block,
  slot: number,
  commitment: Commitment,
): Promise<string> {
  const call = `getBlock ${slot} (block ${height})`
  const asBytes = await transactionsIn(`${call} in base64`, {
    commitment,
    encoding: 'base64',
    transactionDetails: 'full',
  })
  const signed = readSigned(
    `${call} in base64`,
    asBytes.map(({ transaction }) => transaction),
  )
  const asRead = await transactionsIn(call, optionsFor(commitment, 'accounts'))
  if (asRead.length !== signed.length)
    throw new UntrueAnswer({
      call,
      said: `that it has ${asRead.length} transactions`,
      truth: `in base64 it shows ${signed.length}`,
    })
  let isExact = true
  for (const [at, each] of signed.entries()) {
    const { transaction, meta } = asRead[at] as Answer
    const found = objectIn(meta)
    proveSame(call, each, objectIn(transaction), found, objectIn(asBytes[at]?.meta))
    isExact = proveBalances(call, each.name, each.accounts.length + each.fromTables, found) && isExact
  }
  return isExact
    ? 'the signatures of all transactions, and that none makes SOL out of nothing'
    : 'the signatures of all transactions, and that none makes SOL out of nothing, but for what numbers above 2^53 lose'

  async function transactionsIn(asked: string, options: BlockOptions): Promise<readonly Answer[]> {
    const answer = await askBlockAs(rpc, slot, options, objectIn)
    if (answer === 'absent' || answer === 'pruned')
      throw new UntrueAnswer({ call: asked, said: 'that there is none', truth: `it is ${hash}` })
    const found = readHeader(answer, slot)
    if (found.hash !== hash)
      throw new UntrueAnswer({
        call: asked,
        said: `that it is ${found.hash}`,
        truth: `without its transactions it was said to be ${hash}`,
      })
    const { transactions } = answer
    return Array.isArray(transactions)
      ? transactions.map(objectIn)
      : unbelievable('a block has no transactions')
  }
}

/** The answer without bytes is of the same transaction, with the accounts that it names, and both say the same of what it did. */
function proveSame(call: string, signed: Signed, shown: Answer, meta: Answer, inBytes: Answer): void {
  const { name, accounts, fromTables } = signed
  const [first] = listIn(shown.signatures)
  if (first !== name)
    throw new UntrueAnswer({
      call,
      said: `that there is a transaction ${shownText(first)}`,
      truth: `by the bytes in its place it is ${name}`,
    })
  const keys = listIn(shown.accountKeys)
  if (keys.length !== accounts.length + fromTables)
    throw new UntrueAnswer({
      call,
      said: `that ${name} has ${keys.length} accounts`,
      truth: `by its bytes it has ${accounts.length + fromTables}`,
    })
  for (const [at, account] of accounts.entries()) {
    const address = addressIn(keys[at])
    if (address !== account)
      throw new UntrueAnswer({
        call,
        said: `that account ${at} of ${name} is ${shownText(address)}`,
        truth: `by its bytes, which are signed, it is ${account}`,
      })
  }
  for (const [what, of] of shownTwice) {
    const [one, other] = [of(meta), of(inBytes)]
    if (isDeepStrictEqual(one, other)) continue
    const [said, truth] = apart(one, other)
    throw new UntrueAnswer({
      call,
      said: `that ${what} ${name} is ${said}`,
      truth: `where it shows the bytes it says ${truth}, and only one of the two can be true`,
    })
  }
}

/** What two values differ in: of lists that are equally long, the first difference. */
function apart(one: unknown, other: unknown): readonly [string, string] {
  const isListed = Array.isArray(one) && Array.isArray(other) && one.length === other.length
  if (!isListed) return [asJson(one), asJson(other)]
  const at = one.findIndex((each, place) => !isDeepStrictEqual(each, other[place]))
  return [`${asJson(one[at])} (number ${at})`, asJson(other[at])]
}

function asJson(value: unknown): string {
  return shownText(JSON.stringify(value))
}

/** What the gate reads of balances of tokens: the rest is for people. */
function tokensIn(balances: unknown): unknown {
  if (!Array.isArray(balances)) return balances ?? null
  return balances.map((each) => {
    const { accountIndex, mint, owner, uiTokenAmount } = objectIn(each)
    const { amount, decimals } = objectIn(uiTokenAmount)
    return { accountIndex, mint, owner: owner ?? null, amount, decimals }
  })
}

function objectIn(value: unknown): Answer {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Answer) : unbelievable('a block or transaction is not complete')
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : unbelievable('a transaction has no accounts or signatures')
}
