import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { base58, base64urlnopad } from '@scure/base'
import { getCompiledTransactionMessageDecoder } from '@solana/transaction-messages'
import { getTransactionDecoder } from '@solana/transactions'
import { Failed } from '../trial/findings.ts'
import { Untestable, UntrueAnswer } from '../trial/untrue.ts'
import { isMalformed } from './malformed.ts'

/** What is signed of a transaction, as far as a block's other answers can be held against it. */
export type Signed = {
  /** Its first signature. */
  readonly name: string
  /** The accounts that it names itself, in order. Those from address tables follow them. */
  readonly accounts: readonly string[]
  readonly fromTables: number
}

const signatureBytes = 64

/** The transactions of a block, shown as text of their bytes. Each is signed by all the signers that it names. */
export function readSigned(call: string, shown: readonly unknown[]): readonly Signed[] {
  // Votes of the same validators fill most of a block.
  const keys = new Map<string, KeyObject>()
  const read = shown.map((each) => {
    const found = decoded(each)
    if (found !== null) proveSignatures(call, found, keys)
    return found
  })
  const readable = read.filter((each) => each !== null)
  if (readable.length === read.length) return readable
  if (readable.length === 0)
    throw new Untestable('It does not show the bytes of transactions in a form that can be read.')
  throw new Failed(
    `By ${call} it shows the bytes of ${readable.length} transactions in a form that can be read, and of ${read.length - readable.length} not.`,
    'Ask a second server with another --url. If both show the same, send us this report: Sluice may need an update.',
  )
}

type Decoded = Signed & {
  readonly signers: number
  readonly bytes: Uint8Array
  readonly signatures: readonly { readonly signer: string; readonly signature: Uint8Array }[]
}

function proveSignatures(
  call: string,
  { name, signers, bytes, signatures }: Decoded,
  keys: Map<string, KeyObject>,
): void {
  // Someone pays for every transaction. A signer who is named twice would count once.
  if (signers === 0 || signatures.length !== signers)
    throw new UntrueAnswer({
      call,
      said: `that ${name} is signed by ${signatures.length}`,
      truth: signers === 0 ? 'no transaction is without a signer' : `it names ${signers} signers`,
    })
  for (const { signer, signature } of signatures) {
    const key = keys.get(signer) ?? publicKey(signer)
    keys.set(signer, key)
    if (!verify(null, bytes, key, signature))
      throw new UntrueAnswer({
        call,
        said: `that ${signer} has signed ${name}`,
        truth: 'the signature is not one of the bytes that it shows',
      })
  }
}

/** Null where it is not a transaction's bytes in base64. */
function decoded(transaction: unknown): Decoded | null {
  const [text] = Array.isArray(transaction) ? transaction : []
  if (typeof text !== 'string') return null
  try {
    const whole = getTransactionDecoder().decode(Uint8Array.from(Buffer.from(text, 'base64')))
    const message = getCompiledTransactionMessageDecoder().decode(whole.messageBytes)
    const tables = (message.version === 0 && message.addressTableLookups) || []
    const signatures = Object.entries(whole.signatures).map(([signer, signature]) => ({
      signer,
      signature: Uint8Array.from(signature ?? new Uint8Array(signatureBytes)),
    }))
    const [first] = signatures
    return {
      name: first === undefined ? 'a transaction' : base58.encode(first.signature),
      accounts: message.staticAccounts,
      fromTables: tables.reduce(
        (sum, { readonlyIndexes, writableIndexes }) => sum + readonlyIndexes.length + writableIndexes.length,
        0,
      ),
      signers: message.header.numSignerAccounts,
      bytes: Uint8Array.from(whole.messageBytes),
      signatures,
    }
  } catch (error) {
    if (isMalformed(error)) return null
    throw error
  }
}

function publicKey(address: string): KeyObject {
  const x = base64urlnopad.encode(base58.decode(address))
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
