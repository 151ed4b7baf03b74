import type { BlockRef } from '../../domain/chain.ts'
import { say } from '../../domain/reasons/reasons.ts'
import type { AccountPlan, Fate, SpendPlan } from '../../domain/spends.ts'
import { GateOutageError } from '../gate.ts'
import { type NodeRpc, RpcRefusal } from '../json-rpc.ts'
import { shownText } from '../shown-text.ts'
import { unbelievable } from '../unbelievable.ts'
import { askAccount, askProposed } from './node-accounts.ts'
import { readObject } from './node-answers.ts'
import { askTransaction } from './node-executed.ts'
import { askLedger, askValidated } from './node-ledgers.ts'
import { errorName } from './node-rpc.ts'
import { sequenceOf } from './sign-plan.ts'

type Candidate = { readonly hash: string; readonly plan: AccountPlan }

/**
 * What has become of transactions with the same sequence number of one account, by validated ledgers. That a server does not know a
 * transaction rules nothing out: only another one in a validated ledger, with that sequence number, does.
 */
export async function nodeFate(
  rpc: NodeRpc,
  given: readonly { readonly hash: string; readonly plan: SpendPlan }[],
): Promise<Fate> {
  const candidates = given.map(({ hash, plan }) => {
    if (plan.kind !== 'account')
      throw new Error('This network has no coins; a plan must pay from an account.')
    return { hash, plan }
  })
  const [first] = candidates
  if (first === undefined) return { kind: 'unknown' }
  const { address } = first.plan.from
  const sequence = sequenceOf(first.plan)
  const tip = await askValidated(rpc)
  const used = ((await askAccount(rpc, address, tip.height))?.sequence ?? 0) > sequence
  let known: string | null = null
  for (const { hash } of candidates) {
    const found = await askTransaction(rpc, hash)
    if (found?.ledger != null && found.ledger.height <= tip.height) return minedAt(rpc, hash, found.ledger)
    if (found !== null) known = hash
  }
  if (used) return usedUp(rpc, candidates, address, sequence, tip.height)
  if (known === null) return { kind: 'unknown' }
  // A server remembers what it has dropped. What it still has is in the open ledger, in the queue, or waits for its turn.
  const proposed = await askProposed(rpc, address)
  const isThere = proposed !== null && (proposed.next !== sequence || proposed.queued.has(sequence))
  return isThere ? { kind: 'waiting', hash: known } : { kind: 'unknown' }
}

async function minedAt(
  rpc: NodeRpc,
  hash: string,
  { height, feeUnits, succeeded }: { height: bigint; feeUnits: bigint; succeeded: boolean },
): Promise<Fate> {
  return { kind: 'mined', hash, block: await refAt(rpc, height), feeUnits, succeeded }
}

/** Finds out who used the sequence number when it is used and no candidate is in a ledger. */
async function usedUp(
  rpc: NodeRpc,
  candidates: readonly Candidate[],
  address: string,
  sequence: number,
  tipHeight: bigint,
): Promise<Fate> {
  const { height, isFirst } = await firstAbove(rpc, address, sequence, tipHeight)
  const ledger = await askLedger(rpc, height, 'transactions')
  if (ledger === null) throw new GateOutageError(`The server does not have ledger ${height} any more.`)
  const user = ledger.transactions
    .map((each) => readObject(each, 'a transaction is none'))
    .find(({ Account, Sequence }) => Account === address && Sequence === sequence)
  if (user !== undefined && candidates.some(({ hash }) => hash === user.hash))
    throw new GateOutageError(
      `The server shows ${shownText(user.hash)} in ledger ${height}, but not by itself yet.`,
    )
  if (user === undefined && isFirst)
    return unbelievable(
      `ledger ${height} uses sequence number ${sequence} of ${address} without a transaction`,
    )
  const nonce = candidates[0]?.plan.nonce ?? 0n
  return {
    kind: 'ruled_out',
    block: { height, hash: ledger.hash },
    reason:
      user === undefined
        ? say('nonce_used_before', { nonce, height })
        : say('nonce_used_by', { nonce, hash: shownText(user.hash), height }),
  }
}

/**
 * The first ledger after which the account's sequence number is above `sequence`, as far back as the server has ledgers. `isFirst`
 * is false when it may have been an earlier one.
 */
async function firstAbove(
  rpc: NodeRpc,
  address: string,
  sequence: number,
  tipHeight: bigint,
): Promise<{ height: bigint; isFirst: boolean }> {
  let [below, above] = [0n, tipHeight]
  let isFirst = true
  let stride = 1n
  // It is usually one of the newest ledgers: search there first, in growing strides, then halve the rest.
  while (above - below > 1n) {
    let height = (above + below) >> 1n
    if (above - stride > height) height = above - stride
    stride *= 2n
    const found = await sequenceAt(rpc, address, height)
    if (found !== null && found > sequence) above = height
    else {
      below = height
      isFirst = found !== null
    }
  }
  return { height: above, isFirst }
}

/** Zero where there is no account yet; null where the server does not have the ledger. */
async function sequenceAt(rpc: NodeRpc, address: string, height: bigint): Promise<number | null> {
  try {
    return (await askAccount(rpc, address, height))?.sequence ?? 0
  } catch (error) {
    if (error instanceof RpcRefusal && errorName(error) === 'lgrNotFound') return null
    throw error
  }
}

async function refAt(rpc: NodeRpc, height: bigint): Promise<BlockRef> {
  const ledger = await askLedger(rpc, height, 'header')
  if (ledger === null) throw new GateOutageError(`The server does not have ledger ${height} any more.`)
  return { height, hash: ledger.hash }
}
