import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { hex, utf8 } from '@scure/base'
import type { SignedTransaction } from '../../domain/spends.ts'
import { sameBytes } from '../same-bytes.ts'
import { classicAddressOf } from './address.ts'
import { type Amount, readFields, type TransactionFields, writeFields } from './binary-format.ts'
import type { IssuedAmount } from './issued-amount.ts'

/** A transaction of one account: a payment, a trust line, or one that only uses up its sequence number. */
export type XrpTransaction = {
  readonly account: string
  readonly sequence: number
  /** In drops. */
  readonly fee: bigint
  /** Null for an AccountSet that sets nothing, which is how the XRP Ledger uses up a sequence number. */
  readonly payment: {
    readonly destination: string
    readonly tag: number | null
    readonly amount: Amount
  } | null
  /** In place of a payment: how much of a currency its issuer may owe the account. No payment may pass through it to others. */
  readonly trust?: IssuedAmount
}

// https://xrpl.org/docs/references/protocol/transactions/types
const paymentType = 0
const accountSetType = 3
const trustSetType = 20
// tfFullyCanonicalSig. Today the ledger requires such signatures anyway; the flag says that none other was ever meant.
const flags = 0x80000000
// tfSetNoRipple
const noRipple = 0x00020000

// https://xrpl.org/docs/concepts/transactions/transaction-identifiers: the first half of SHA-512, after what is hashed.
const halfBytes = 32
const toSign = utf8.decode('STX\0')
const toName = utf8.decode('TXN\0')

// Far more than any of these takes; longer input is not parsed.
const maxBytes = 512

/** Signs a transaction with the key of its account: ECDSA on secp256k1 (RFC 6979, low S, DER). The same gives the same bytes. */
export function signTransaction(transaction: XrpTransaction, privateKey: Uint8Array): SignedTransaction {
  const unsigned = fieldsOf(transaction, secp256k1.getPublicKey(privateKey))
  const digest = half(toSign, writeFields(unsigned))
  const txnSignature = secp256k1.sign(digest, privateKey, { prehash: false, format: 'der' })
  const bytes = writeFields({ ...unsigned, txnSignature })
  return { hash: hashOf(bytes), bytes }
}

/**
 * What signed bytes do, or why they are not a transaction that `signTransaction` makes. What it understands it writes again
 * and compares with the bytes, so nothing can be in them that it did not understand.
 */
export function readTransaction(
  bytes: Uint8Array,
): { readonly transaction: XrpTransaction; readonly hash: string } | { readonly refused: string } {
  const fields = bytes.length <= maxBytes ? readFields(bytes) : null
  if (fields?.txnSignature === undefined)
    return { refused: 'These bytes are not a signed transaction that we understand.' }
  const { signingPubKey, txnSignature } = fields
  const transaction = transactionOf(fields)
  const unsigned = transaction === null ? null : fieldsOf(transaction, signingPubKey)
  if (
    transaction === null ||
    unsigned === null ||
    !sameBytes(writeFields({ ...unsigned, txnSignature }), bytes)
  )
    return {
      refused: 'The transaction is neither a plain payment, nor a trust line, nor one that does nothing.',
    }
  if (!isSigned(half(toSign, writeFields(unsigned)), txnSignature, signingPubKey))
    return { refused: 'The signature is invalid.' }
  if (classicAddressOf(signingPubKey) !== transaction.account)
    return { refused: 'The transaction is not signed with the sender’s key.' }
  return { transaction, hash: hashOf(bytes) }
}

/** The hash of signed bytes, by which the network knows them. */
export function hashOf(bytes: Uint8Array): string {
  return hex.encode(half(toName, bytes)).toUpperCase()
}

function fieldsOf(transaction: XrpTransaction, key: Uint8Array): TransactionFields {
  const { account, sequence, fee, payment, trust } = transaction
  const common = { flags, sequence, fee, signingPubKey: key, account }
  if (trust !== undefined)
    return { ...common, transactionType: trustSetType, flags: flags + noRipple, limitAmount: trust }
  if (payment === null) return { ...common, transactionType: accountSetType }
  const { destination, tag, amount } = payment
  const tagged = tag === null ? {} : { destinationTag: tag }
  return { ...common, transactionType: paymentType, amount, destination, ...tagged }
}

function transactionOf(fields: TransactionFields): XrpTransaction | null {
  const { transactionType, account, sequence, fee, amount, limitAmount, destination, destinationTag } = fields
  if (transactionType === accountSetType) return { account, sequence, fee, payment: null }
  if (transactionType === trustSetType && typeof limitAmount === 'object')
    return { account, sequence, fee, payment: null, trust: limitAmount }
  if (transactionType !== paymentType || amount === undefined || destination === undefined) return null
  return { account, sequence, fee, payment: { destination, tag: destinationTag ?? null, amount } }
}

function isSigned(digest: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  if (publicKey.length !== secp256k1.lengths.publicKey || !isCanonical(signature)) return false
  return secp256k1.verify(signature, digest, publicKey, { prehash: false, format: 'der' })
}

function isCanonical(signature: Uint8Array): boolean {
  try {
    return sameBytes(secp256k1.Signature.fromBytes(signature, 'der').toBytes('der'), signature)
  } catch {
    // The library throws for any bytes that are not DER, with errors of its own.
    return false
  }
}

function half(prefix: Uint8Array, bytes: Uint8Array): Uint8Array {
  return sha512(concatBytes(prefix, bytes)).slice(0, halfBytes)
}
