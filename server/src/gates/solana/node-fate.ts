import type { BlockRef } from '../../domain/chain.ts'
import { say } from '../../domain/reasons/reasons.ts'
import { type Fate, isCancelling, type SolanaPlan, type SpendPlan } from '../../domain/spends.ts'
import { GateOutageError } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { associatedTokenAccount, nonceAccount } from './derived-address.ts'
import { askAccounts } from './node-accounts.ts'
import { askHeader, type Commitment } from './node-blocks.ts'
import { askExecuted, type Executed } from './node-executed.ts'
import { createsNonce, findInHistory, usesNonce } from './node-history.ts'
import { nonceIn } from './node-nonces.ts'
import { type SlotIndex, slotIndex } from './node-slots.ts'
import { askStatuses, isAtLeast, type Status } from './node-statuses.ts'

type Candidate = { readonly hash: string; readonly plan: SolanaPlan }
type Creation = Extract<SolanaPlan['lifetime'], { kind: 'creation' }>

// A transaction may move to another slot between two requests; then all are repeated.
const maxTries = 5
// How far below the newest block the block that outlived a transaction is looked for: deeper than any confirmation.
const maxBelow = 1_000n

/**
 * What has become of transactions that hold the same nonce, or that create the same nonce account, as far as the chain is
 * followed. One that the node knows was executed. While the nonce account still holds the value, none of them was. Once it
 * holds another, the account's own history shows which transaction used the value up. A node that does not show it proves
 * nothing, and a transaction is never ruled out because it is missing.
 */
export async function nodeFate(
  rpc: NodeRpc,
  given: readonly { readonly hash: string; readonly plan: SpendPlan }[],
  commitment: Commitment,
): Promise<Fate> {
  const candidates = given.map(({ hash, plan }) => {
    if (plan.kind !== 'solana') throw new Error('A plan for Solana must be one of its own kind.')
    return { hash, plan }
  })
  for (let tries = 0; tries < maxTries; tries++) {
    const fate = await look(rpc, candidates, commitment)
    if (fate !== null) return fate
  }
  throw new GateOutageError('The chain changed during the search for a transaction.')
}

/** Null when the branch changed meanwhile. */
async function look(
  rpc: NodeRpc,
  candidates: readonly Candidate[],
  commitment: Commitment,
): Promise<Fate | null> {
  const [first] = candidates
  if (first === undefined) return { kind: 'unknown' }
  const { lifetime } = first.plan
  // Asked before anything else: what was not executed, although its time was over, is dead.
  const finalized = slotIndex(rpc, 'finalized')
  if (lifetime.kind === 'creation') await finalized.newest()
  const { slot, statuses } = await askStatuses(
    rpc,
    candidates.map(({ hash }) => hash),
  )
  const known = candidates.flatMap((candidate, at) => {
    const status = statuses[at]
    return status == null ? [] : [{ ...candidate, status }]
  })
  const executed = known.filter(({ status }) => isAtLeast(status.level, commitment))
  // Of several that create the same account, one succeeds, and others may have failed before or fail after it.
  const isOver = lifetime.kind === 'nonce' || executed.length === candidates.length
  const mined = executed.find(({ status }) => !status.hasFailed) ?? (isOver ? executed[0] : undefined)
  if (mined !== undefined) return minedOf(rpc, mined, commitment)
  const waiting = known.find((each) => !executed.includes(each))
  if (waiting !== undefined) return { kind: 'waiting', hash: waiting.hash }
  if (lifetime.kind === 'nonce') return byNonce(rpc, candidates, commitment)
  const fate = await byCreation(rpc, candidates, { finalized, slot }, commitment)
  const [failed] = executed
  return fate.kind === 'ruled_out' && failed !== undefined ? minedOf(rpc, failed, commitment) : fate
}

/** The fate of a candidate with a status; null when it is in another slot by now. */
async function minedOf(
  rpc: NodeRpc,
  { hash, plan, status }: Candidate & { readonly status: Status },
  commitment: Commitment,
): Promise<Fate | null> {
  const found = await askExecuted(rpc, hash, commitment)
  if (found === null) throw notKept(hash)
  return found.slot === status.slot ? minedFate(rpc, plan, found, commitment) : null
}

/** The fate of candidates that the node does not know, by what became of their nonce. */
async function byNonce(
  rpc: NodeRpc,
  candidates: readonly Candidate[],
  commitment: Commitment,
): Promise<Fate> {
  const { from, lifetime } = (candidates[0] as Candidate).plan
  if (lifetime.kind !== 'nonce') throw new Error('The plan holds no nonce.')
  const authority = from.address
  const account = nonceAccount(authority, lifetime.index)
  const { accounts } = await askAccounts(rpc, [account], commitment)
  if (nonceIn(accounts[0] ?? null, authority) === lifetime.value) return { kind: 'unknown' }
  const nonce = { account, authority, value: lifetime.value }
  const user = await findInHistory(rpc, account, commitment, (each) => usesNonce(each, nonce))
  if (user === null)
    throw new GateOutageError(
      `The nonce account ${account} no longer holds the value that the transaction needs, and the node does not show which ` +
        'transaction has used it. Nothing is signed anew before that is known. Add a node to rpc_urls that keeps older ' +
        'transactions.',
    )
  return decidedBy(rpc, candidates, user, commitment, 'nonce_value_used')
}

/** The fate of candidates that the node does not know, by whether the account that they create can still be created. */
async function byCreation(
  rpc: NodeRpc,
  candidates: readonly Candidate[],
  asked: { readonly finalized: SlotIndex; readonly slot: number },
  commitment: Commitment,
): Promise<Fate> {
  const tip = asked.finalized.top
  const lifetimes = candidates.map(({ plan }) => plan.lifetime as Creation)
  const [{ index }] = lifetimes as [Creation]
  const authority = (candidates[0] as Candidate).plan.from.address
  const account = nonceAccount(authority, index)
  const { slot, accounts } = await askAccounts(rpc, [account], commitment)
  if (tip === null || slot < tip.slot || asked.slot < tip.slot) throw behind()
  if (nonceIn(accounts[0] ?? null, authority) !== null) {
    const creator = await findInHistory(rpc, account, commitment, (each) => createsNonce(each, account))
    if (creator === null)
      throw new GateOutageError(
        `The nonce account ${account} exists, and the node does not show which transaction has created it. Add a node to ` +
          'rpc_urls that keeps older transactions.',
      )
    return decidedBy(rpc, candidates, creator, commitment, 'nonce_account_created')
  }
  let last = 0n
  for (const { lastValidHeight } of lifetimes) if (lastValidHeight > last) last = lastValidHeight
  if (tip.height <= last) return { kind: 'unknown' }
  const block = await blockBelow(rpc, asked.finalized, tip, last + 1n)
  return {
    kind: 'ruled_out',
    block,
    reason: say('too_late', { height: last }),
  }
}

/** The fate of all candidates once one transaction, ours or not, has taken their place. */
async function decidedBy(
  rpc: NodeRpc,
  candidates: readonly Candidate[],
  found: Executed,
  commitment: Commitment,
  what: 'nonce_account_created' | 'nonce_value_used',
): Promise<Fate> {
  const ours = candidates.find(({ hash }) => hash === found.signature)
  if (ours !== undefined) return minedFate(rpc, ours.plan, found, commitment)
  const block = await blockIn(rpc, found.slot, commitment)
  return {
    kind: 'ruled_out',
    block,
    reason: say(what, { hash: found.signature, height: block.height }),
  }
}

async function minedFate(
  rpc: NodeRpc,
  plan: SolanaPlan,
  found: Executed,
  commitment: Commitment,
): Promise<Fate> {
  const { signature: hash, succeeded } = found
  const block = await blockIn(rpc, found.slot, commitment)
  if (!succeeded) return { kind: 'mined', hash, block, feeUnits: found.feeUnits, succeeded }
  return { kind: 'mined', hash, block, feeUnits: found.feeUnits + rentOf(plan, found), succeeded }
}

/** The rent that the hot wallet deposited for accounts that were opened, less what came back from those that were closed. */
function rentOf(plan: SolanaPlan, found: Executed): bigint {
  const { from, to, lifetime, contractAddress: mint, token, sources = [], rentUnits } = plan
  const tokenAccountOf = (owner: string) =>
    token === null || mint === null ? null : associatedTokenAccount(owner, token.program, mint)
  const opened =
    lifetime.kind === 'creation' ? nonceAccount(from.address, lifetime.index) : tokenAccountOf(to.address)
  const depositedUnits = rentUnits === 0n || opened === null ? 0n : gainOf(found, opened)
  const recoveredUnits = sources.reduce((sum, { address }) => {
    const closed = tokenAccountOf(address)
    return closed === null ? sum : sum - gainOf(found, closed)
  }, 0n)
  // The balance of the hot wallet must have changed by exactly this, or our books would be wrong.
  const rent = depositedUnits - recoveredUnits
  if (gainOf(found, from.address) !== movedBy(plan) - found.feeUnits - rent)
    return unbelievable(`the balances of ${found.signature} do not add up`)
  return rent
}

/** What a plan itself brings to the hot wallet in SOL, or takes from it. */
function movedBy(plan: SolanaPlan): bigint {
  const { from, to, contractAddress, units, sources } = plan
  if (contractAddress !== null || isCancelling(plan)) return 0n
  if (sources === undefined) return -units
  return to.address === from.address ? units : 0n
}

function gainOf({ balanceOf, signature }: Executed, address: string): bigint {
  const balance = balanceOf(address)
  if (balance === null) return unbelievable(`${signature} does not name ${address}`)
  return balance.after - balance.before
}

async function blockIn(rpc: NodeRpc, slot: number, commitment: Commitment): Promise<BlockRef> {
  const header = await askHeader(rpc, slot, commitment)
  if (header === 'absent' || header === 'pruned')
    throw new GateOutageError(
      `The node shows a transaction in slot ${slot}, but not the block there. If this persists, it no longer keeps it: add a ` +
        'node to rpc_urls that keeps older blocks.',
    )
  return { height: header.height, hash: header.hash }
}

/** The block at a height, or one not far below the newest if that is long ago: all of them are final. */
async function blockBelow(rpc: NodeRpc, index: SlotIndex, tip: BlockRef, wanted: bigint): Promise<BlockRef> {
  const height = wanted < tip.height - maxBelow ? tip.height - maxBelow : wanted
  const slot = await index.slotAt(height)
  if (slot === 'above' || slot === 'below') throw behind()
  const block = await blockIn(rpc, slot, 'finalized')
  return block.height === height ? block : unbelievable('its list of blocks has gaps')
}

function behind(): GateOutageError {
  return new GateOutageError(
    'Of several nodes under one address, one is behind the other. The transaction is looked for again.',
  )
}

function notKept(hash: string): GateOutageError {
  return new GateOutageError(
    `The node says that ${hash} was executed, but does not show it. If this persists, it does not keep transactions for long ` +
      'enough: add a node to rpc_urls that does.',
  )
}
