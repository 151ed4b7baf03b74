import { base58, base64 } from '@scure/base'
import type { SignedTransaction } from '../../domain/spends.ts'
import { type NodeRpc, RpcRefusal } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { readSignature } from './node-answers.ts'
import { failsForGood, failureOf, shown } from './node-refusals.ts'
import { askStatuses } from './node-statuses.ts'

const signatureBytes = 64
// A node passes it on every two seconds, until it is executed. After half a minute we send it again ourselves.
const maxRetries = 20

/**
 * Sends signed bytes, as often as one likes. Null if the node took them or knows what became of them; otherwise why not, in
 * words.
 *
 * The node simulates them first ("preflight"). Where they are short of SOL or tokens they are not executed: that would cost
 * their fee and use up their nonce, and funds may still arrive. Where they fail for good, they are sent without a simulation:
 * the network executes them without effect, which ends the spend. Otherwise it would wait for a receiver to unfreeze an account.
 */
export async function nodeBroadcast(
  rpc: NodeRpc,
  { hash, bytes }: SignedTransaction,
): Promise<string | null> {
  const named = signatureOf(bytes)
  if (named !== hash) return `Its first signature is ${named}, not ${hash}.`
  const refusal = await send(rpc, { hash, bytes }, false)
  if (refusal === null) return null
  const { err, logs } = dataOf(refusal)
  if (failsForGood(err, logs) && (await send(rpc, { hash, bytes }, true)) === null) return null
  // Once executed, its nonce is used up, and each node has its own words for that.
  const [known] = (await askStatuses(rpc, [hash])).statuses
  return known == null ? wordsOf(refusal) : null
}

/** Null if the node has it. */
async function send(
  rpc: NodeRpc,
  { hash, bytes }: SignedTransaction,
  skipPreflight: boolean,
): Promise<RpcRefusal | null> {
  try {
    const answer = await rpc.call('sendTransaction', base64.encode(bytes), {
      encoding: 'base64',
      skipPreflight,
      preflightCommitment: 'confirmed',
      maxRetries,
    })
    return readSignature(answer) === hash
      ? null
      : unbelievable('it names a different transaction from the one sent')
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error
    return alreadyProcessed.test(error.message) ? null : error
  }
}

const alreadyProcessed = /already (been )?processed/i

function signatureOf(bytes: Uint8Array): string {
  return base58.encode(bytes.subarray(1, 1 + signatureBytes))
}

function wordsOf(refusal: RpcRefusal): string {
  const { message } = refusal
  const { err, logs } = dataOf(refusal)
  if (err != null) return `The node refused it: ${failureOf(err, logs)} (${shown(message)}).`
  return /blockhash not found/i.test(message)
    ? `The node refused it: ${failureOf('BlockhashNotFound', null)}.`
    : `The node refused it: ${shown(message)}.`
}

/** What a node says about a transaction that it tried. */
function dataOf({ data }: RpcRefusal): { readonly err?: unknown; readonly logs?: unknown } {
  return typeof data === 'object' && data !== null ? data : {}
}
