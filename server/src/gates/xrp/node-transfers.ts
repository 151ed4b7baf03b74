import { createHash } from 'node:crypto'
import type { Transfer } from '../../domain/chain.ts'
import { shownText } from '../shown-text.ts'
import { unbelievable } from '../unbelievable.ts'
import { floorToUnits } from './issued-amount.ts'
import { contractOf, type IssuedCurrency, shownCode } from './issued-currency.ts'
import { readDrops, readHash, readList, readObject, readTag } from './node-answers.ts'
import { gainOf, isSameWithin, type LineChange, lineChanges, readAmount } from './trust-lines.ts'

/** A currency besides XRP that an account receives, and how it is reported. */
export type IssuedAsset = {
  readonly issued: IssuedCurrency
  readonly currency: string
  readonly decimals: number
}

/** What arrives at which account, and the code of the currency in which XRP is reported. */
export type Receiver = {
  readonly account: string
  readonly currency: string
  readonly issued?: readonly IssuedAsset[]
}

type Members = Record<string, unknown>

// A transaction changes the balance of an account in one place.
const outputIndex = 0
const indexBytes = 4
const succeeded = 'tesSUCCESS'
const partial = 0x00020000

/**
 * What the transactions of a validated ledger have brought to our account. The change of its balances decides, whatever moved them: a
 * payment, an escrow, a check, an offer. What a transaction claims to pay (`Amount`) counts for nothing, and the amount that the
 * server says was delivered must be the change.
 */
export function transfersIn(transactions: readonly unknown[], receiver: Receiver): Transfer[] {
  return transactions.flatMap((each) => {
    const transaction = readObject(each, 'a transaction is none')
    const metadata = readObject(transaction.metaData, 'a transaction in a validated ledger has no metadata')
    // A transaction that fails takes its fee and changes nothing else.
    if (metadata.TransactionResult !== succeeded) return []
    const { account: address, currency, issued = [] } = receiver
    const units = changeOf(transaction, metadata, address)
    checkDelivered(transaction, metadata, address, units)
    const changes = issued.length === 0 ? [] : lineChanges(metadata)
    const arrived = [
      { outputIndex, currency, units },
      ...issued.map((asset) => ({
        outputIndex: issuedIndex(asset.issued),
        currency: asset.currency,
        units: issuedUnits(transaction, metadata, changes, address, asset),
      })),
    ].filter((each) => each.units > 0n)
    if (arrived.length === 0) return []
    const tag = tagOf(transaction, metadata, address)
    return arrived.map((each) => ({ txHash: readHash(transaction.hash), ...each, address, tag }))
  })
}

/**
 * The units of an issued currency that a transaction brought to an account: the change of the trust line with exactly this issuer,
 * floored. The server's word on what a payment delivered must be that change.
 */
function issuedUnits(
  transaction: Members,
  metadata: Members,
  changes: readonly LineChange[],
  account: string,
  { issued, decimals }: IssuedAsset,
): bigint {
  const { gain, largest } = gainOf(changes, account, issued)
  const { TransactionType, Destination, Account } = transaction
  if (TransactionType === 'Payment' && Destination === account && Account !== account) {
    const delivered = issuedIn(metadata.delivered_amount)
    if (
      delivered !== null &&
      isOf(delivered, issued) &&
      !isSameWithin(readAmount(delivered.value), gain, largest)
    )
      unbelievable(
        `a payment delivered ${shownText(delivered.value)} of ${contractOf(issued)}, but our balance says otherwise`,
      )
  }
  return gain > 0n ? floorToUnits(gain, decimals) : 0n
}

/** An amount of an issued currency as servers show it; null for another one. */
function issuedIn(amount: unknown): Members | null {
  return typeof amount === 'object' && amount !== null ? (amount as Members) : null
}

function isOf(amount: Members, { currency, issuer }: IssuedCurrency): boolean {
  return shownCode(amount.currency) === currency && amount.issuer === issuer
}

/** Which of a transaction's transfers a currency is: the same for good, whatever other currencies an operator lists. */
function issuedIndex(issued: IssuedCurrency): number {
  const digest = createHash('sha256').update(contractOf(issued)).digest()
  return outputIndex + 1 + (digest.readUIntBE(0, indexBytes) % 2 ** 30)
}

/**
 * Payments to our account in the open ledger. They are proposed only: nothing may be credited for them. What they would deliver is
 * certain where they are not partial and in XRP for XRP, or in one of our currencies, whatever metadata comes with them.
 */
export function proposedIn(transactions: readonly unknown[], receiver: Receiver): Transfer[] {
  const { account, currency, issued = [] } = receiver
  return transactions.flatMap((each) => {
    const transaction = readObject(each, 'a transaction is none')
    const { TransactionType, Destination, Account, Amount, SendMax, Flags = 0 } = transaction
    if (TransactionType !== 'Payment' || Destination !== account || Account === account) return []
    if (isPartial(Flags)) return []
    const amount = issuedIn(Amount)
    const asset = issued.find((one) => amount !== null && isOf(amount, one.issued))
    const common = { txHash: readHash(transaction.hash), address: account }
    if (asset !== undefined && amount !== null) {
      const units = floorToUnits(readAmount(amount.value), asset.decimals)
      const tag = readTag(transaction.DestinationTag)
      return [
        { ...common, outputIndex: issuedIndex(asset.issued), currency: asset.currency, tag, units },
      ].filter((transfer) => transfer.units > 0n)
    }
    if (typeof Amount !== 'string' || SendMax !== undefined) return []
    const units = readDrops(Amount, 'the amount of a payment')
    return [{ ...common, outputIndex, currency, tag: readTag(transaction.DestinationTag), units }]
  })
}

/** How a transaction changes what our account holds, apart from the fee that the account pays for it. */
function changeOf(transaction: Members, metadata: Members, account: string): bigint {
  const nodes = readList(metadata.AffectedNodes, 'metadata does not say what changed')
  const [entry, ...more] = nodes.flatMap((node) => accountEntry(node, account) ?? [])
  if (more.length > 0) unbelievable('a transaction changes the same account twice')
  if (entry === undefined) return 0n
  // A delegate pays for what it sends in another account's name.
  const payer = transaction.Delegate ?? transaction.Account
  const fee = payer === account ? readDrops(transaction.Fee, 'a fee') : 0n
  return entry + fee
}

/** By how much a transaction changed the balance of each account, its fee included; none where nothing changed. */
export function balanceChanges(metadata: Members): ReadonlyMap<string, bigint> {
  const nodes = readList(metadata.AffectedNodes, 'metadata does not say what changed')
  const changes = nodes.flatMap((node): [string, bigint][] => {
    const [[, content] = []] = Object.entries(readObject(node, 'an entry of the ledger is none'))
    const { FinalFields, NewFields } = readObject(content, 'an entry of the ledger is none')
    const { Account } = readObject(FinalFields ?? NewFields ?? {}, 'an entry of the ledger is none')
    const change = typeof Account === 'string' ? accountEntry(node, Account) : null
    return change === null || change === 0n ? [] : [[String(Account), change]]
  })
  return new Map(changes)
}

/** The change of our account's balance; null where the entry of the ledger is another one. */
function accountEntry(node: unknown, account: string): bigint | null {
  const [[kind, content] = []] = Object.entries(readObject(node, 'an entry of the ledger is none'))
  const entry = readObject(content, 'an entry of the ledger is none')
  if (entry.LedgerEntryType !== 'AccountRoot') return null
  const now = readObject(entry.FinalFields ?? entry.NewFields ?? {}, 'an entry of the ledger is none')
  if (now.Account !== account) return null
  const balance = readDrops(now.Balance, 'a balance')
  if (kind === 'CreatedNode') return balance
  const before = readObject(entry.PreviousFields ?? {}, 'an entry of the ledger is none')
  return before.Balance === undefined ? 0n : balance - readDrops(before.Balance, 'a balance')
}

/** A node that changes only one of the two is found out. */
function checkDelivered(transaction: Members, metadata: Members, account: string, units: bigint): void {
  const { TransactionType, Destination, Account } = transaction
  if (TransactionType !== 'Payment' || Destination !== account || Account === account) return
  const delivered = metadata.delivered_amount
  // An issued currency: it changes no balance of XRP.
  if (typeof delivered === 'object' && delivered !== null && units === 0n) return
  if (delivered === undefined || typeof delivered === 'object' || delivered === 'unavailable')
    unbelievable('it does not say what a payment has delivered')
  if (readDrops(delivered, 'what a payment delivered') !== units)
    unbelievable(`a payment delivered ${delivered} drops, but our balance changed by ${units}`)
}

/** The tag for which a transaction brought something; null where it names none, or has another receiver. */
function tagOf(transaction: Members, metadata: Members, account: string): string | null {
  if (transaction.TransactionType === 'EscrowFinish') return escrowTag(metadata, account)
  return transaction.Destination === account ? readTag(transaction.DestinationTag) : null
}

/** An escrow has the tag, not the transaction that ends it. */
function escrowTag(metadata: Members, account: string): string | null {
  const ours = endedEscrows(metadata).find(({ Destination }) => Destination === account)
  return ours === undefined ? null : readTag(ours.DestinationTag)
}

/** The last fields of the escrows that a transaction ends. */
export function endedEscrows(metadata: Members): readonly Members[] {
  return readList(metadata.AffectedNodes, 'metadata does not say what changed').flatMap((node) => {
    const { DeletedNode } = readObject(node, 'an entry of the ledger is none') as { DeletedNode?: Members }
    const { LedgerEntryType, FinalFields } = DeletedNode ?? {}
    if (LedgerEntryType !== 'Escrow') return []
    return [readObject(FinalFields ?? {}, 'an entry of the ledger is none')]
  })
}

function isPartial(flags: unknown): boolean {
  return typeof flags !== 'number' || (flags & partial) !== 0
}
