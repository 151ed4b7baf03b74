import type { Block } from '../../domain/chain.ts'
import { unbelievable } from '../unbelievable.ts'

/** A block's place in the chain, before its transactions are read. */
export type NodeHeader = Omit<Block, 'transfers'> & {
  readonly slot: number
  /** The slot of the block below. The slots between the two are empty. */
  readonly parentSlot: number
}

export type NodeBlock = NodeHeader & { readonly transactions: readonly NodeTransaction[] }

/**
 * What we read of a transaction that succeeded, unchecked but for its form: a block holds thousands of balances, and hardly any
 * are ours.
 */
export type NodeTransaction = {
  readonly signature: unknown
  /** Every account that it uses, also those from address tables; `addressIn` reads one. */
  readonly accounts: readonly unknown[]
  /** Lamports by account, before and after. */
  readonly before: readonly unknown[]
  readonly after: readonly unknown[]
  readonly tokensBefore: readonly unknown[]
  readonly tokensAfter: readonly unknown[]
}

/** The tokens in one token account. */
export type TokenBalance = {
  /** The position of the token account among the transaction's accounts. */
  readonly place: number
  readonly mint: string
  /** Who owns the token account. */
  readonly owner: string
  readonly units: bigint
  readonly decimals: number
}

// 32 and 64 bytes in base58. Whether they decode does not matter: they are only compared.
const keyPattern = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const signaturePattern = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/
const amountPattern = /^\d{1,20}$/
const maxUnits = 2n ** 64n - 1n
// An account's position has one byte.
const maxAccounts = 256
const latestSeconds = 8_640_000_000_000

export function readKey(value: unknown, what = 'it has no hash'): string {
  return typeof value === 'string' && keyPattern.test(value) ? value : unbelievable(what)
}

export function readSignature(value: unknown): string {
  return typeof value === 'string' && signaturePattern.test(value)
    ? value
    : unbelievable('a transaction has no signature')
}

export function readCount(value: unknown, what: string): number {
  return isCount(value) ? value : unbelievable(what)
}

// Lamports are JSON numbers. Above 2^53, nine million SOL, they lose digits, and we do not credit what we cannot count.
export function readLamports(value: unknown): bigint {
  return BigInt(readCount(value, 'a balance cannot be counted exactly'))
}

/** The slots with blocks from `first` to `last`. */
export function readSlots(answer: unknown, first: number, last: number): number[] {
  if (!Array.isArray(answer)) return unbelievable('slots are not a list')
  let before = first - 1
  for (const slot of answer) {
    if (!isCount(slot) || slot <= before || slot > last) return unbelievable('slots are out of order')
    before = slot
  }
  return answer
}

/** A block without its transactions. */
export function readHeader(answer: unknown, slot: number): NodeHeader {
  const block = (answer ?? {}) as Record<string, unknown>
  const parentSlot = readCount(block.parentSlot, 'a block has no parent')
  // The very first block names itself.
  if (parentSlot >= slot && slot > 0) unbelievable('a block is its own parent')
  const seconds = readCount(block.blockTime, 'a block has no valid time')
  if (seconds > latestSeconds) unbelievable('a block has no valid time')
  return {
    height: BigInt(readCount(block.blockHeight, 'a block has no height')),
    hash: readKey(block.blockhash),
    parentHash: readKey(block.previousBlockhash, 'a block has no parent'),
    minedAt: new Date(seconds * 1000),
    slot,
    parentSlot,
  }
}

/** A block with its transactions, without those that failed: they move nothing but their fee. */
export function readBlock(answer: unknown, slot: number): NodeBlock {
  const { transactions } = (answer ?? {}) as Record<string, unknown>
  if (!Array.isArray(transactions)) return unbelievable('a block has no transactions')
  return {
    ...readHeader(answer, slot),
    transactions: transactions.flatMap((each) => readTransaction(each) ?? []),
  }
}

/** What a transaction did; null if it failed. */
export function readTransaction(answer: unknown): NodeTransaction | null {
  const { transaction, meta } = (answer ?? {}) as Record<string, Record<string, unknown> | null>
  if (transaction == null) return unbelievable('a block contains something that is not a transaction')
  if (meta == null)
    return unbelievable('it does not say what its transactions did; it must keep their history')
  if (meta.err === undefined) return unbelievable('it does not say whether a transaction succeeded')
  if (meta.err !== null) return null
  const { preBalances: before, postBalances: after } = meta
  const accounts = accountsOf(transaction, meta)
  const isWhole =
    Array.isArray(before) &&
    Array.isArray(after) &&
    before.length === accounts.length &&
    after.length === accounts.length &&
    accounts.length <= maxAccounts
  if (!isWhole) return unbelievable('a transaction does not have one balance for each account')
  return {
    signature: (transaction.signatures as readonly unknown[] | undefined)?.[0],
    accounts,
    before,
    after,
    tokensBefore: listOf(meta.preTokenBalances),
    tokensAfter: listOf(meta.postTokenBalances),
  }
}

/** In either form: with details of accounts only, or with everything, where addresses from tables are in a list of their own. */
function accountsOf(transaction: Record<string, unknown>, meta: Record<string, unknown>): readonly unknown[] {
  const { accountKeys, message } = transaction
  if (Array.isArray(accountKeys)) return accountKeys
  const own = (message as { accountKeys?: unknown } | undefined)?.accountKeys
  if (!Array.isArray(own)) return unbelievable('a transaction has no accounts')
  const loaded = meta.loadedAddresses as { writable?: unknown; readonly?: unknown } | null | undefined
  return loaded == null ? own : [...own, ...listOf(loaded.writable), ...listOf(loaded.readonly)]
}

// A node that keeps no token balances must not be taken for one that has seen no token transfers.
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value)
    ? value
    : unbelievable('a transaction has no list of token balances or accounts')
}

export function addressIn(account: unknown): string {
  const address = typeof account === 'string' ? account : (account as { pubkey?: unknown } | null)?.pubkey
  return typeof address === 'string' ? address : unbelievable('an account is invalid')
}

/** The fields of a token balance for a first selection. */
export type UnreadTokenBalance = {
  readonly accountIndex: unknown
  readonly mint: string
  readonly owner: string
  readonly uiTokenAmount: { readonly amount: unknown }
}

/** The balances of listed mints. */
export function listedIn(
  balances: readonly unknown[],
  isListed: (mint: string) => boolean,
): readonly UnreadTokenBalance[] {
  const found: UnreadTokenBalance[] = []
  for (const balance of balances) {
    const read = balance as UnreadTokenBalance | null
    if (typeof read?.mint !== 'string') return unbelievable('a token balance has no mint')
    if (!isListed(read.mint)) continue
    if (typeof read.owner !== 'string') return unbelievable('a token balance has no owner')
    if (typeof read.uiTokenAmount !== 'object' || read.uiTokenAmount === null)
      return unbelievable('a token balance has no amount')
    found.push(read)
  }
  return found
}

export function readTokenBalance(balance: UnreadTokenBalance, accounts: number): TokenBalance {
  const { accountIndex, mint, owner, uiTokenAmount } = balance
  const { amount, decimals } = uiTokenAmount as Record<string, unknown>
  const place = readCount(accountIndex, 'a token balance has no account')
  if (place >= accounts) return unbelievable('a token balance has no account')
  // `uiAmount` is for people: a float, and scaled by some Token-2022 mints.
  const units = typeof amount === 'string' && amountPattern.test(amount) ? BigInt(amount) : null
  if (units === null || units > maxUnits) return unbelievable('a token balance has no amount')
  return {
    place,
    mint,
    owner,
    units,
    decimals: readCount(decimals, 'a token balance has no decimals'),
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
