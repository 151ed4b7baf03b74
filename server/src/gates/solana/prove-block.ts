import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { base58, base64urlnopad } from '@scure/base'
import { getTransactionDecoder } from '@solana/transactions'
import type { Block } from '../../domain/chain.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { Untestable, UntrueAnswer } from '../trial/untrue.ts'
import { unbelievable } from '../unbelievable.ts'
import { isMalformed } from './malformed.ts'
import { readHeader } from './node-answers.ts'
import type { Commitment } from './node-blocks.ts'

type Answer = Readonly<Record<string, unknown>>

// Legacy transactions, and those with address tables.
const newestVersion = 0
const signatureBytes = 64

/**
 * A block's hash comes from work that no answer shows, so it cannot be recomputed. What can be: whoever a transaction names as a
 * signer has signed its bytes, and no transaction leaves more SOL than there was before.
 */
export async function proveBlock(
  rpc: NodeRpc,
  { hash, height }: Block,
  slot: number,
  commitment: Commitment,
): Promise<string> {
  const call = `getBlock ${slot} (block ${height})`
  const answer = (await rpc.call('getBlock', slot, {
    commitment,
    encoding: 'base64',
    transactionDetails: 'full',
    rewards: false,
    maxSupportedTransactionVersion: newestVersion,
  })) as Answer | null
  if (answer === null) throw new UntrueAnswer({ call, said: 'that there is none', truth: `it is ${hash}` })
  const found = readHeader(answer, slot)
  if (found.hash !== hash)
    throw new UntrueAnswer({
      call,
      said: `that it is ${found.hash}`,
      truth: `without its transactions it was said to be ${hash}`,
    })
  const { transactions } = answer
  if (!Array.isArray(transactions)) return unbelievable('a block has no transactions')
  // Votes of the same validators fill most of a block.
  const keys = new Map<string, KeyObject>()
  for (const each of transactions) {
    const { transaction, meta } = (each ?? {}) as { transaction?: unknown; meta?: Answer | null }
    const name = proveSignatures(call, transaction, keys)
    proveBalances(call, name, meta ?? {})
  }
  return 'the signatures of all transactions, and that none makes SOL out of nothing'
}

/** The transaction's name, which is its first signature. */
function proveSignatures(call: string, transaction: unknown, keys: Map<string, KeyObject>): string {
  const { bytes, signatures } = decoded(transaction)
  const [first] = signatures
  const name = first === undefined ? 'a transaction' : base58.encode(first.signature)
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
  return name
}

function decoded(transaction: unknown) {
  const [text] = Array.isArray(transaction) ? transaction : []
  try {
    const bytes = Uint8Array.from(Buffer.from(String(text), 'base64'))
    const { messageBytes, signatures } = getTransactionDecoder().decode(bytes)
    const signed = Object.entries(signatures).map(([signer, signature]) => ({
      signer,
      signature: Uint8Array.from(signature ?? new Uint8Array(signatureBytes)),
    }))
    return { bytes: Uint8Array.from(messageBytes), signatures: signed }
  } catch (error) {
    if (!isMalformed(error)) throw error
    throw new Untestable('It does not show the bytes of transactions in a form that can be read.')
  }
}

function publicKey(address: string): KeyObject {
  const x = base64urlnopad.encode(base58.decode(address))
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

function proveBalances(call: string, name: string, { preBalances, postBalances, fee }: Answer): void {
  const [before, after] = [totalOf(preBalances), totalOf(postBalances)]
  // Lamports are JSON numbers, and the largest lose digits.
  if (before === null || after === null || typeof fee !== 'number' || !Number.isSafeInteger(fee)) return
  const made = after + BigInt(fee) - before
  if (made > 0n)
    throw new UntrueAnswer({
      call,
      said: `that ${name} leaves ${after} lamports and pays a fee of ${fee}`,
      truth: `its accounts had ${before} before, which is ${made} less`,
    })
}

function totalOf(balances: unknown): bigint | null {
  if (!Array.isArray(balances))
    return unbelievable('a transaction does not have one balance for each account')
  return balances.every((each) => Number.isSafeInteger(each))
    ? balances.reduce<bigint>((sum, each) => sum + BigInt(each), 0n)
    : null
}
