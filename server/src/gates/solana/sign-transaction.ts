import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { Address } from '@solana/addresses'
import { getTransactionEncoder, type Transaction } from '@solana/transactions'
import { type SolanaTransaction, signersOf } from '../../domain/solana-transaction.ts'
import { hotKey, type KeyPath, type SignedTransaction } from '../../domain/spends.ts'
import { contentOf, faultIn, type SolanaContent } from './actions.ts'
import { messageOf, type SolanaMessage } from './message.ts'
import { ed25519PublicKey } from './slip10.ts'

/** The most bytes of a transaction: what fits into one packet of the network. */
export const maxTransactionBytes = 1_232

/**
 * Signs a plan (RFC 8032): the same plan always gives the same bytes. Throws when the plan breaks a rule, is too long, or
 * a key does not belong to its address.
 */
export function signSolanaTransaction(
  plan: SolanaTransaction,
  keyOf: (path: KeyPath) => Uint8Array,
): SignedTransaction {
  const message = checkedMessage(plan)
  const { chain, index } = plan.payer.key
  if (chain !== hotKey.chain || index !== hotKey.index)
    throw new Error(`${plan.payer.address} is not our hot wallet.`)
  const owners = new Map(signersOf(plan).map((signer) => [signer.address, signer]))
  const signatures = message.signers.map((address) => {
    const owner = owners.get(address)
    if (owner === undefined) throw new Error(`${address} would have to sign, but is not in the plan.`)
    const privateKey = keyOf(owner.key)
    if (base58.encode(ed25519PublicKey(privateKey)) !== address)
      throw new Error(
        `The key for ${owner.key.chain} address ${owner.key.index} is not the key of ${address}.`,
      )
    return ed25519.sign(message.bytes, privateKey)
  })
  return { hash: base58.encode(signatures[0] ?? new Uint8Array()), bytes: transactionOf(message, signatures) }
}

/** The size of a plan's transaction in bytes. Throws when the plan breaks a rule, but not when it is too long. */
export function solanaSizeOf(plan: SolanaTransaction): number {
  return sizeOf(messageOf(soundContent(plan)))
}

function checkedMessage(plan: SolanaTransaction): SolanaMessage {
  const message = messageOf(soundContent(plan))
  const size = sizeOf(message)
  if (size > maxTransactionBytes)
    throw new RangeError(
      `The transaction takes ${size} bytes, and the network accepts ${maxTransactionBytes}. It needs fewer steps.`,
    )
  return message
}

function soundContent(plan: SolanaTransaction): SolanaContent {
  const content = contentOf(plan)
  const fault = faultIn(content)
  if (fault !== null) throw new RangeError(fault)
  return content
}

/** The signed form of a message: its signatures, in the order of its signers, before it. */
export function transactionOf(
  { bytes, signers }: SolanaMessage,
  signatures: readonly Uint8Array[],
): Uint8Array {
  const bySigner = Object.fromEntries(signers.map((signer: Address, at) => [signer, signatures[at] ?? null]))
  const transaction = { messageBytes: bytes, signatures: bySigner } as unknown as Transaction
  return Uint8Array.from(getTransactionEncoder().encode(transaction))
}

function sizeOf(message: SolanaMessage): number {
  return transactionOf(message, []).length
}
