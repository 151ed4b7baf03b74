import { base58 } from '@scure/base'
import { GateOutageError } from '../gate.ts'
import type { NodeRpc, RpcCall } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { systemProgram } from './derived-address.ts'
import { readCount, readKey, readLamports, readSignature } from './node-answers.ts'
import type { Commitment } from './node-blocks.ts'

/** A transaction that the network has executed, with or without success. */
export type Executed = {
  readonly signature: string
  readonly slot: number
  readonly succeeded: boolean
  readonly feeUnits: bigint
  /** The hash of a recent block, or the value of a nonce account. */
  readonly lifetime: string
  /** Whether the address has signed. */
  isSignedBy(address: string): boolean
  /** What it does by the system program itself, in order; null in the place of every other step. */
  readonly steps: readonly (SystemStep | null)[]
  /** The lamports at an address before and after; null for addresses that it does not name. */
  balanceOf(address: string): { readonly before: bigint; readonly after: bigint } | null
}

/** An instruction of the system program: its number, and the accounts that it names. */
export type SystemStep = { readonly tag: number; readonly accounts: readonly string[] }

// Legacy transactions, and those with address tables.
const newestVersion = 0
const tagBytes = 4

/** Asks for a transaction, which `readExecuted` reads. */
export function executedCall(signature: string, commitment: Commitment): RpcCall {
  const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: newestVersion }
  return ['getTransaction', signature, options]
}

/** A transaction; null if the node does not have it, or not with this commitment. */
export async function askExecuted(
  rpc: NodeRpc,
  signature: string,
  commitment: Commitment,
): Promise<Executed | null> {
  return readExecuted(await rpc.call(...executedCall(signature, commitment)), signature)
}

export function readExecuted(answer: unknown, signature: string): Executed | null {
  if (answer === null) return null
  const { slot, transaction, meta } = answer as Record<string, Record<string, unknown> | null | undefined>
  if (transaction == null) return unbelievable('a transaction has no content')
  if (meta == null)
    throw new GateOutageError(
      'The node does not say what transactions did. It must keep their history: use another node.',
    )
  if (meta.err === undefined) return unbelievable('it does not say whether a transaction succeeded')
  const [first] = listOf(transaction.signatures)
  if (readSignature(first) !== signature)
    return unbelievable('it shows a different transaction from the requested one')
  const { accounts, signers, lifetime, steps } = readMessage(transaction.message, meta.loadedAddresses)
  const [before, after] = [listOf(meta.preBalances), listOf(meta.postBalances)]
  if (before.length !== accounts.length || after.length !== accounts.length)
    return unbelievable('a transaction does not have one balance for each account')
  return {
    signature,
    slot: readCount(slot, 'a transaction is in no slot'),
    succeeded: meta.err === null,
    feeUnits: readLamports(meta.fee),
    lifetime,
    isSignedBy: (address) => accounts.slice(0, signers).includes(address),
    steps,
    balanceOf(address) {
      const at = accounts.indexOf(address)
      return at === -1 ? null : { before: readLamports(before[at]), after: readLamports(after[at]) }
    },
  }
}

function readMessage(message: unknown, loaded: unknown) {
  const { accountKeys, recentBlockhash, header, instructions } = (message ?? {}) as Record<string, unknown>
  const { writable, readonly } = (loaded ?? {}) as Record<string, unknown>
  const tables = loaded == null ? [] : [...listOf(writable), ...listOf(readonly)]
  const accounts = [...listOf(accountKeys), ...tables].map((key) => readKey(key, 'an account is invalid'))
  const { numRequiredSignatures } = (header ?? {}) as Record<string, unknown>
  return {
    accounts,
    signers: readCount(numRequiredSignatures, 'a transaction does not say who signed it'),
    lifetime: readKey(recentBlockhash, 'a transaction has no lifetime'),
    steps: listOf(instructions).map((each) => readStep(each, accounts)),
  }
}

function readStep(instruction: unknown, accounts: readonly string[]): SystemStep | null {
  const { programIdIndex, accounts: named, data } = (instruction ?? {}) as Record<string, unknown>
  if (accountAt(accounts, programIdIndex) !== systemProgram) return null
  if (typeof data !== 'string') return unbelievable('an instruction has no data')
  const bytes = decoded(data)
  return {
    tag: bytes.length < tagBytes ? -1 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true),
    accounts: listOf(named).map((index) => accountAt(accounts, index)),
  }
}

function decoded(data: string): Uint8Array {
  try {
    return base58.decode(data)
  } catch (cause) {
    throw new GateOutageError('The node’s answer is not trusted: an instruction has no data.', { cause })
  }
}

function accountAt(accounts: readonly string[], index: unknown): string {
  return (
    accounts[readCount(index, 'an instruction names no account')] ??
    unbelievable('an instruction names an account that is missing')
  )
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : unbelievable('a transaction is not complete')
}
