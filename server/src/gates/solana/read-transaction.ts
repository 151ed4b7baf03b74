import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { getCompiledTransactionMessageDecoder } from '@solana/transaction-messages'
import { getTransactionDecoder } from '@solana/transactions'
import { solanaFee } from '../../domain/solana-transaction.ts'
import { sameBytes } from '../same-bytes.ts'
import { faultIn, type SolanaContent } from './actions.ts'
import { isMalformed } from './malformed.ts'
import { messageOf, type SolanaMessage } from './message.ts'
import { type FoundInstruction, readActions, readCompute } from './read-instructions.ts'
import { maxTransactionBytes, transactionOf } from './sign-transaction.ts'

/** What signed bytes do on Solana, read from the bytes alone. */
export type SolanaReading = SolanaContent & {
  readonly kind: 'solana'
  /** The transaction's id: its first signature. */
  readonly hash: string
  /** Who has signed, the payer first. */
  readonly signers: readonly string[]
  /** The fee in lamports, without the rent of accounts that it opens: the network sets that. */
  readonly feeUnits: bigint
}

/**
 * What signed bytes do; or why they are not a transaction that `signSolanaTransaction` makes. It trusts nothing: the message is
 * built again from what was understood and must be the same to the last byte, and every signature must be valid. So nothing
 * can be in the bytes that is not in the result.
 */
export function readSolanaTransaction(bytes: Uint8Array): SolanaReading | { readonly refused: string } {
  if (bytes.length > maxTransactionBytes)
    return { refused: `The transaction takes ${bytes.length} bytes, more than the network accepts.` }
  const found = decode(bytes)
  if (found === null) return { refused: 'These bytes are not a transaction.' }
  if (found.message.version !== 'legacy')
    return { refused: 'The transaction has a version, and may take addresses from tables.' }
  const content = contentIn(found.message)
  if ('refused' in content) return content
  const fault = faultIn(content)
  if (fault !== null) return { refused: fault }
  const message = rebuilt(content)
  if (message === null || !sameBytes(transactionOf(message, found.signatures), bytes))
    return { refused: 'The transaction says more than we understand, or is not in canonical form.' }
  const isSigned = message.signers.every((signer, at) =>
    isValid(found.signatures[at], message.bytes, base58.decode(signer)),
  )
  if (!isSigned) return { refused: 'A signature is missing or invalid.' }
  const { signers } = message
  return {
    kind: 'solana',
    hash: base58.encode(found.signatures[0] as Uint8Array),
    signers,
    feeUnits: solanaFee(signers.length, content.computeLimit, content.computePrice),
    ...content,
  }
}

type Compiled = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>
type LegacyMessage = Extract<Compiled, { version: 'legacy' }>

function decode(
  bytes: Uint8Array,
): { readonly message: Compiled; readonly signatures: readonly Uint8Array[] } | null {
  try {
    const { messageBytes, signatures } = getTransactionDecoder().decode(bytes)
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
    return { message, signatures: Object.values(signatures).map((each) => each ?? new Uint8Array(64)) }
  } catch (error) {
    if (isMalformed(error)) return null
    throw error
  }
}

function contentIn(message: LegacyMessage): SolanaContent | { readonly refused: string } {
  const [payer] = message.staticAccounts
  const instructions = message.instructions.map((each) => foundIn(message, each))
  if (payer === undefined || !instructions.every((each) => each !== null))
    return { refused: 'The transaction names accounts that it does not list.' }
  const [first] = instructions
  // Our own transactions set the compute budget first, unless they advance a nonce before.
  const nonce = readCompute(instructions[0], instructions[1]) === null ? first?.accounts[0] : undefined
  const start = nonce === undefined ? 0 : 1
  const compute = readCompute(instructions[start], instructions[start + 1])
  if (compute === null) return { refused: 'The transaction does not set its compute limit and price first.' }
  const read = readActions(instructions.slice(start + 2))
  if ('unknownAt' in read)
    return { refused: `We do not understand instruction ${start + 2 + read.unknownAt} of the transaction.` }
  return {
    payer,
    lifetime:
      nonce === undefined
        ? { kind: 'blockhash', value: message.lifetimeToken }
        : { kind: 'nonce', account: nonce, value: message.lifetimeToken },
    actions: read.actions,
    computeLimit: compute.limit,
    computePrice: compute.price,
  }
}

/** Null for content that no message can have, such as a program that is paid. */
function rebuilt(content: SolanaContent): SolanaMessage | null {
  try {
    return messageOf(content)
  } catch (error) {
    if (isMalformed(error)) return null
    throw error
  }
}

function foundIn(
  { staticAccounts }: LegacyMessage,
  {
    programAddressIndex,
    accountIndices = [],
    data = new Uint8Array(),
  }: LegacyMessage['instructions'][number],
): FoundInstruction | null {
  const program = staticAccounts[programAddressIndex]
  const accounts = accountIndices.map((index) => staticAccounts[index])
  if (program === undefined || !accounts.every((account) => account !== undefined)) return null
  return { program, accounts, data: Uint8Array.from(data) }
}

/** By the strict rules of RFC 8032: a point has only one encoding, so that no one can give a transaction a second id. */
function isValid(signature: Uint8Array | undefined, message: Uint8Array, publicKey: Uint8Array): boolean {
  return (
    signature !== undefined &&
    signature.length === ed25519.lengths.signature &&
    publicKey.length === ed25519.lengths.publicKey &&
    ed25519.verify(signature, message, publicKey, { zip215: false })
  )
}
