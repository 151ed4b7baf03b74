import type { NodeRpc } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { readContext } from './node-accounts.ts'
import { readCount } from './node-answers.ts'
import type { Commitment } from './node-blocks.ts'

/** That a transaction was executed, in which slot, and how sure the network is of it. */
export type Status = {
  readonly slot: number
  readonly level: Level
  /** Whether it was executed with an error: then only its fee and its nonce were taken. */
  readonly hasFailed: boolean
}

export type Level = 'processed' | Commitment

const levels: readonly Level[] = ['processed', 'confirmed', 'finalized']
// Nodes take 256 at once.
const maxSignatures = 256

/** What the node knows of transactions, in the order of their signatures; null for those that it does not know. */
export async function askStatuses(
  rpc: NodeRpc,
  signatures: readonly string[],
): Promise<{ readonly slot: number; readonly statuses: readonly (Status | null)[] }> {
  if (signatures.length > maxSignatures)
    throw new RangeError(`At most ${maxSignatures} transactions at once.`)
  // Without its history, a node only knows the last minute or two.
  const answer = await rpc.call('getSignatureStatuses', signatures, { searchTransactionHistory: true })
  const { slot, value } = readContext(answer)
  if (!Array.isArray(value) || value.length !== signatures.length)
    return unbelievable('it does not have one status for each transaction')
  return { slot, statuses: value.map(readStatus) }
}

function readStatus(answer: unknown): Status | null {
  if (answer === null) return null
  const { slot, err, confirmations, confirmationStatus } = (answer ?? {}) as Record<string, unknown>
  if (err === undefined) return unbelievable('it does not say whether a transaction succeeded')
  // Older nodes name no level: without a count of confirmations it is finalized.
  const level = confirmationStatus ?? (confirmations === null ? 'finalized' : 'processed')
  if (!levels.includes(level as Level)) return unbelievable('it does not say how sure a transaction is')
  return {
    slot: readCount(slot, 'a transaction is in no slot'),
    level: level as Level,
    hasFailed: err !== null,
  }
}

/** Whether it is as sure as asked for. */
export function isAtLeast(level: Level, wanted: Commitment): boolean {
  return levels.indexOf(level) >= levels.indexOf(wanted)
}
