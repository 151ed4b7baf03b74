import { shownText } from '../shown-text.ts'
import { Failed } from '../trial/findings.ts'
import { UntrueAnswer } from '../trial/untrue.ts'
import { shownAtoms } from './issued-amount.ts'
import { shownCode } from './issued-currency.ts'
import { readDrops, readList, readObject } from './node-answers.ts'
import { balanceChanges } from './node-transfers.ts'
import { gainOf, isSameWithin, lineChanges, readAmount } from './trust-lines.ts'

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
    if (hasSold(metadata, Destination)) continue
    if (typeof delivered === 'object') refuseForgedIssued(call, String(hash), metadata, Destination)
    // "unavailable" is said of ledgers from before 2014.
    if (typeof delivered !== 'string' || delivered === 'unavailable') continue
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

/** The same for an issued currency: what all trust lines of the receiver in it have changed. */
function refuseForgedIssued(call: string, hash: string, metadata: Members, receiver: string): void {
  const delivered = readObject(metadata.delivered_amount, 'it does not say what a payment has delivered')
  // A multi-purpose token has no trust lines.
  if (typeof delivered.currency !== 'string') return
  const { gain, largest } = gainOf(lineChanges(metadata), receiver, {
    currency: shownCode(delivered.currency),
    issuer: null,
  })
  if (isSameWithin(readAmount(delivered.value), gain, largest)) return
  throw new UntrueAnswer({
    call,
    said: `that ${shownText(hash)} delivered ${shownText(delivered.value)} ${shownText(delivered.currency)} to ${receiver}`,
    truth: `in the same answer its trust lines change by ${shownAtoms(gain)}`,
  })
}

/** Whether an account had an offer of its own taken. */
export function hasSold(metadata: Members, account: string): boolean {
  return readList(metadata.AffectedNodes, 'metadata does not say what changed').some((node) => {
    const [[, content] = []] = Object.entries(readObject(node, 'an entry of the ledger is none'))
    const { LedgerEntryType, FinalFields } = readObject(content, 'an entry of the ledger is none')
    return LedgerEntryType === 'Offer' && (FinalFields as Members | undefined)?.Account === account
  })
}
