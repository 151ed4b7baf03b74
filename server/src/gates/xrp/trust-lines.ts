import { unbelievable } from '../unbelievable.ts'
import { readValue } from './issued-amount.ts'
import { type IssuedCurrency, shownCode } from './issued-currency.ts'
import { readAddress, readList, readObject } from './node-answers.ts'

type Members = Record<string, unknown>

/** How a transaction changed what one of two accounts owes the other in a currency. A trust line belongs to both. */
export type LineChange = {
  readonly currency: string
  /** The account with the lower id, from whose side amounts are seen: above zero, the other one owes it. */
  readonly low: string
  readonly high: string
  readonly before: bigint
  readonly after: bigint
}

/** The trust lines whose balance a transaction changed. */
export function lineChanges(metadata: Members): LineChange[] {
  return readList(metadata.AffectedNodes, 'metadata does not say what changed').flatMap(
    (node) => lineChange(node) ?? [],
  )
}

/** What an account got in a currency from one issuer or, without an issuer, from all accounts that owe it. */
export function gainOf(
  changes: readonly LineChange[],
  account: string,
  { currency, issuer }: Pick<IssuedCurrency, 'currency'> & { readonly issuer: string | null },
): { readonly gain: bigint; readonly largest: bigint } {
  let [gain, largest] = [0n, 0n]
  for (const change of changes) {
    const { low, high, before, after } = change
    const other = low === account ? high : high === account ? low : null
    if (other === null || change.currency !== currency || (issuer !== null && other !== issuer)) continue
    gain += low === account ? after - before : before - after
    for (const balance of [before, after]) if (magnitude(balance) > largest) largest = magnitude(balance)
  }
  return { gain, largest }
}

// A balance has 16 digits: adding to a large one rounds.
const significant = 10n ** 14n

/** Whether two amounts are the same as far as balances of this size can tell. */
export function isSameWithin(one: bigint, other: bigint, largest: bigint): boolean {
  return magnitude(one - other) * significant <= largest
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}

function lineChange(node: unknown): LineChange | null {
  const [[kind, content] = []] = Object.entries(readObject(node, 'an entry of the ledger is none'))
  const entry = readObject(content, 'an entry of the ledger is none')
  if (entry.LedgerEntryType !== 'RippleState') return null
  const now = readObject(entry.FinalFields ?? entry.NewFields ?? {}, 'an entry of the ledger is none')
  const previous = readObject(entry.PreviousFields ?? {}, 'an entry of the ledger is none')
  if (kind !== 'CreatedNode' && previous.Balance === undefined) return null
  const { currency, low, high, balance } = readLine(now)
  const before = kind === 'CreatedNode' ? 0n : readBalance(previous.Balance)
  return { currency, low, high, before, after: balance }
}

/** Currency, accounts and balance of a trust line. */
export function readLine(fields: Members) {
  const low = readObject(fields.LowLimit, 'a trust line has no limit')
  const high = readObject(fields.HighLimit, 'a trust line has no limit')
  return {
    currency: shownCode(low.currency),
    low: readAddress(low.issuer, 'an account'),
    high: readAddress(high.issuer, 'an account'),
    lowLimit: readAmount(low.value),
    highLimit: readAmount(high.value),
    // A new line leaves out what is nothing.
    balance: fields.Balance === undefined ? 0n : readBalance(fields.Balance),
  }
}

function readBalance(value: unknown): bigint {
  return readAmount(readObject(value, 'a balance is not an amount of an issued currency').value)
}

export function readAmount(value: unknown): bigint {
  return readValue(value) ?? unbelievable('an amount of an issued currency is malformed')
}
