import { hex } from '@scure/base'
import type { SignedTransaction } from '../../domain/spends.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { shownText } from '../shown-text.ts'
import { askProposed } from './node-accounts.ts'
import { readObject } from './node-answers.ts'
import { askTransaction } from './node-executed.ts'
import { askOpen } from './node-ledgers.ts'
import { hashOf, readTransaction } from './transaction.ts'

// https://xrpl.org/docs/references/protocol/transactions/transaction-results: what a code means is in how it begins. `tec`: it will
// cost its fee and do nothing else, unless the ledger changes before. `ter`: not yet.
const taken = /^(?:tes|tec|ter)/

/**
 * Submits signed bytes; safe to repeat. Null when the server has them; otherwise why not. Its word on what they will do is
 * preliminary and counts for nothing: validated ledgers decide.
 */
export async function nodeBroadcast(
  rpc: NodeRpc,
  { hash, bytes }: SignedTransaction,
): Promise<string | null> {
  const named = hashOf(bytes)
  if (named !== hash) return `Its hash is ${named}, not ${hash}.`
  const blob = hex.encode(bytes).toUpperCase()
  const answer = readObject(await rpc.call('submit', { tx_blob: blob }), 'it does not say what it did')
  const { engine_result: code, engine_result_message: message, kept, queued, applied } = answer
  const isTaken = typeof code === 'string' && taken.test(code)
  if (isTaken && (kept !== false || queued === true || applied === true)) return null
  // What the server has already is refused too, for its sequence number or its fee.
  return (await isThere(rpc, hash, bytes))
    ? null
    : `The server refused it: ${shownText(code)} (${shownText(message)})`
}

/** Whether a transaction is in a validated ledger, in the open one, or in the queue. */
async function isThere(rpc: NodeRpc, hash: string, bytes: Uint8Array): Promise<boolean> {
  const known = await askTransaction(rpc, hash)
  if (known === null || known.ledger !== null) return known !== null
  const read = readTransaction(bytes)
  if ('refused' in read) return false
  const { account, sequence, fee } = read.transaction
  const proposed = await askProposed(rpc, account)
  if (proposed === null) return false
  // The queue names no hashes. Of two with the same sequence number, one pays more.
  if (proposed.queued.has(sequence)) return proposed.queued.get(sequence) === fee
  if (proposed.next <= sequence) return false
  const open = await askOpen(rpc)
  return open.some((each) => readObject(each, 'a transaction is none').hash === hash)
}
