import type { BlockRef } from '../../domain/chain.ts'
import { GateOutageError } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { readHash, readList, readNumber, readObject } from './node-answers.ts'
import { askUnless } from './node-rpc.ts'

/** A validated ledger. Its transactions are as the server shows them, with metadata; none were asked for in a header. */
export type NodeLedger = BlockRef & {
  readonly parentHash: string
  readonly minedAt: Date
  readonly transactions: readonly unknown[]
}

// The ledger counts seconds from 2000-01-01.
const epochSeconds = 946_684_800
const msPerSecond = 1_000
export const maxLedgerIndex = 2n ** 32n - 1n
// A ledger has had up to some hundred transactions. What is longer does not fit into an answer.
const maxTransactions = 20_000

/** The newest validated ledger. */
export async function askValidated(rpc: NodeRpc): Promise<NodeLedger> {
  return readLedger(await rpc.call('ledger', { ledger_index: 'validated', transactions: false }), null)
}

/** Whether the contents of a ledger are asked for too. */
export type Contents = 'header' | 'transactions'

/** The validated ledger with this number; null when the server does not have it. */
export async function askLedger(rpc: NodeRpc, height: bigint, what: Contents): Promise<NodeLedger | null> {
  const isWhole = what === 'transactions'
  const answer = await askUnless(rpc, ['lgrNotFound'], 'ledger', {
    ledger_index: Number(height),
    transactions: isWhole,
    ...(isWhole && { expand: true }),
  })
  return answer === null ? null : readLedger(answer, height)
}

/** The transactions of the open ledger: proposed, without metadata, and perhaps never in a validated one. */
export async function askOpen(rpc: NodeRpc): Promise<readonly unknown[]> {
  const answer = readObject(
    await rpc.call('ledger', { ledger_index: 'current', transactions: true, expand: true }),
    'it shows no open ledger',
  )
  const { transactions = [] } = readObject(answer.ledger, 'it shows no open ledger')
  return listOf(transactions)
}

/** The validated ledger with this hash, without its contents. */
export async function askLedgerByHash(rpc: NodeRpc, hash: string): Promise<NodeLedger> {
  return readLedger(await rpc.call('ledger', { ledger_hash: hash, transactions: false }), null)
}

/** When it was that the ledger's clock showed these seconds. */
export function timeOf(seconds: number): Date {
  return new Date((seconds + epochSeconds) * msPerSecond)
}

/** Throws because a ledger is missing that the server should have; `held` are the ones it says it has. */
export function missing(height: bigint, held: string): never {
  throw new GateOutageError(
    `The server does not have ledger ${height}; it has ${held}. Nothing in it may be passed over: use a server that has it, ` +
      'such as one with full history.',
  )
}

function readLedger(answer: unknown, height: bigint | null): NodeLedger {
  const { ledger, validated } = readObject(answer, 'it shows no ledger')
  // What is not validated may be replaced.
  if (validated !== true) unbelievable('it shows a ledger that is not validated')
  const said = readObject(ledger, 'it shows no ledger')
  const found = BigInt(readNumber(said.ledger_index, 'the number of a ledger'))
  if (height !== null && found !== height) unbelievable(`it shows ledger ${found} in place of ${height}`)
  return {
    height: found,
    hash: readHash(said.ledger_hash),
    parentHash: readHash(said.parent_hash),
    minedAt: timeOf(readNumber(said.close_time, 'the time of a ledger')),
    transactions: listOf(said.transactions ?? []),
  }
}

/** The transactions of a ledger, which are not more than one can have. */
export function listOf(transactions: unknown): readonly unknown[] {
  const list = readList(transactions, 'a ledger has no list of transactions')
  if (list.length > maxTransactions) unbelievable(`a ledger has ${list.length} transactions`)
  return list
}
