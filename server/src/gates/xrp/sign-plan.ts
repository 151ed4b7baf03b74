import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type AccountPlan, isCancelling, type KeyPath, type SignedTransaction } from '../../domain/spends.ts'
import type { ReadTransaction } from '../family.ts'
import { classicAddressOf } from './address.ts'
import { parseTag } from './tag.ts'
import { readTransaction, signTransaction, type XrpTransaction } from './transaction.ts'

/** Every transaction has the same price on the XRP Ledger. */
export const transferGas = 1n

// A nonce counts an account's transactions from 0, its first sequence number is 1: 0 means that a ticket is used instead.
const firstSequence = 1n
const maxSequence = 2n ** 32n - 1n

/** Signs a plan of our account. Throws when the key is not the account's. */
export function signXrpPlan(plan: AccountPlan, keyOf: (path: KeyPath) => Uint8Array): SignedTransaction {
  const { from, gasLimit } = plan
  if (plan.units <= 0n && !isCancelling(plan))
    throw new RangeError('A plan needs a positive amount, unless it only uses up its nonce.')
  if (gasLimit !== transferGas)
    throw new RangeError(`A transaction on the XRP Ledger is ${transferGas} unit of gas, not ${gasLimit}.`)
  const privateKey = keyOf(from.key)
  if (classicAddressOf(secp256k1.getPublicKey(privateKey)) !== from.address)
    throw new Error(
      `The key for ${from.key.chain} address ${from.key.index} is not the key of ${from.address}.`,
    )
  return signTransaction(transactionOf(plan), privateKey)
}

/** What signed bytes do, in the terms of plans. */
export function readXrpBytes(bytes: Uint8Array): ReadTransaction | { readonly refused: string } {
  const read = readTransaction(bytes)
  if ('refused' in read) return read
  const { account, fee, payment } = read.transaction
  const nonce = nonceOf(read.transaction)
  if (nonce < 0n) return { refused: 'The transaction has no sequence number.' }
  return {
    kind: 'account',
    hash: read.hash,
    from: account,
    nonce,
    to:
      payment === null
        ? { address: account, tag: null }
        : { address: payment.destination, tag: payment.tag === null ? null : String(payment.tag) },
    contractAddress: null,
    units: payment?.amount ?? 0n,
    gasLimit: transferGas,
    gasPrice: fee,
  }
}

/** How many transactions its account has sent before this one. */
export function nonceOf({ sequence }: Pick<XrpTransaction, 'sequence'>): bigint {
  return BigInt(sequence) - firstSequence
}

/** The sequence number of a plan's transaction. */
export function sequenceOf({ nonce }: Pick<AccountPlan, 'nonce'>): number {
  const sequence = nonce + firstSequence
  if (nonce < 0n || sequence > maxSequence)
    throw new RangeError(`The nonce must be 0 to ${maxSequence - firstSequence}.`)
  return Number(sequence)
}

function transactionOf(plan: AccountPlan): XrpTransaction {
  const { from, to, units, gasPrice } = plan
  const tag = to.tag === null ? null : parseTag(to.tag)
  if (to.tag !== null && tag === null) throw new Error(`${to.tag} is not a destination tag.`)
  const payment = isCancelling(plan) ? null : { destination: to.address, tag, amount: units }
  return { account: from.address, sequence: sequenceOf(plan), fee: gasPrice, payment }
}
