import { type NodeRpc, resultOf } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { tags } from './instructions.ts'
import { readCount, readSignature } from './node-answers.ts'
import type { Commitment } from './node-blocks.ts'
import { type Executed, executedCall, readExecuted } from './node-executed.ts'

// A nonce account is rarely used by others. An attacker who fills its history to hide what happened pays for each transaction.
const maxListed = 1_000
const perPage = 100
const perBatch = 20
// The system program's number for it.
const advanceNonce = 4

/**
 * The newest transaction in an account's history that `isWanted`; null if the node shows none, which proves nothing: it may
 * not keep its history for long enough, or there is too much of it.
 */
export async function findInHistory(
  rpc: NodeRpc,
  account: string,
  commitment: Commitment,
  isWanted: (transaction: Executed) => boolean,
): Promise<Executed | null> {
  let before: string | undefined
  for (let listed = 0; listed < maxListed; listed += perPage) {
    const page = readPage(
      await rpc.call('getSignaturesForAddress', account, {
        commitment,
        limit: perPage,
        ...(before !== undefined && { before }),
      }),
    )
    for (let at = 0; at < page.length; at += perBatch) {
      const signatures = page.slice(at, at + perBatch)
      const answers = await rpc.batch(signatures.map((each) => executedCall(each, commitment)))
      for (const [place, signature] of signatures.entries()) {
        const found = readExecuted(resultOf(answers[place]), signature)
        if (found !== null && isWanted(found)) return found
      }
    }
    if (page.length < perPage) return null
    before = page.at(-1)
  }
  return null
}

function readPage(answer: unknown): string[] {
  if (!Array.isArray(answer) || answer.length > perPage)
    return unbelievable('the history of an account is not a list')
  let slot = Number.POSITIVE_INFINITY
  return answer.map((each) => {
    const { signature, slot: found } = (each ?? {}) as Record<string, unknown>
    const next = readCount(found, 'a transaction is in no slot')
    if (next > slot) return unbelievable('the history of an account is not in order')
    slot = next
    return readSignature(signature)
  })
}

/**
 * Whether a transaction used up this value of a nonce account. Accounts that were advanced in the same block have the same
 * value, so the transaction must hold exactly this one, and its authority must have signed.
 */
export function usesNonce(
  { lifetime, steps: [first], isSignedBy }: Executed,
  nonce: { readonly account: string; readonly value: string; readonly authority: string },
): boolean {
  return (
    lifetime === nonce.value &&
    first?.tag === advanceNonce &&
    first.accounts[0] === nonce.account &&
    isSignedBy(nonce.authority)
  )
}

/** Whether a transaction made an account a nonce account. */
export function createsNonce({ succeeded, steps }: Executed, account: string): boolean {
  return (
    succeeded &&
    steps.some((step) => step?.tag === tags.initializeNonceAccount && step.accounts[0] === account)
  )
}
