import { shownText } from '../shown-text.ts'
import { Failed } from '../trial/findings.ts'
import { UntrueAnswer } from '../trial/untrue.ts'
import { readDrops, readList, readObject } from './node-answers.ts'
import { balanceChanges } from './node-transfers.ts'

type Members = Record<string, unknown>

const succeeded = 'tesSUCCESS'

/**
 * Names the first payment whose delivered amount is not what it has changed, of whomever it pays. Leaves out receivers that sold XRP
 * in the same transaction: what they got and what they gave is one change.
 */
export function refuseForged(call: string, transactions: readonly unknown[]): void {
  for (const each of transactions) {
    const transaction = readObject(each, 'a transaction is none')
    const { TransactionType, Destination, Account, hash } = transaction
    const metadata = readObject(transaction.metaData, 'a transaction in a validated ledger has no metadata')
    const isPayment = TransactionType === 'Payment' && metadata.TransactionResult === succeeded
    if (!isPayment || typeof Destination !== 'string' || Destination === Account) continue
    const { delivered_amount: delivered } = metadata
    if (delivered === undefined)
      throw new Failed(
        `It does not say what payment ${shownText(hash)} has delivered (delivered_amount).`,
        'Use a server of rippled or Clio: Sluice credits no payment without it.',
      )
    // An object is an issued currency, and "unavailable" is said of ledgers from before 2014.
    if (typeof delivered !== 'string' || delivered === 'unavailable') continue
    if (hasSold(metadata, Destination)) continue
    const change = balanceChanges(metadata).get(Destination) ?? 0n
    // A delegate's fee is not the receiver's, unless both are one.
    const fee = transaction.Delegate === Destination ? readDrops(transaction.Fee, 'a fee') : 0n
    if (delivered !== String(change + fee))
      throw new UntrueAnswer({
        call,
        said: `that ${shownText(hash)} delivered ${delivered} drops to ${Destination}`,
        truth: `in the same answer the balance of ${Destination} changes by ${change + fee}`,
      })
  }
}

/** Whether an account had an offer of its own taken. */
export function hasSold(metadata: Members, account: string): boolean {
  return readList(metadata.AffectedNodes, 'metadata does not say what changed').some((node) => {
    const [[, content] = []] = Object.entries(readObject(node, 'an entry of the ledger is none'))
    const { LedgerEntryType, FinalFields } = readObject(content, 'an entry of the ledger is none')
    return LedgerEntryType === 'Offer' && (FinalFields as Members | undefined)?.Account === account
  })
}
