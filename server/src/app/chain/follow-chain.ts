import { type Block, type BlockRef, type Step, type Transfer, transactionsOf } from '../../domain/chain.ts'
import { say } from '../../domain/reasons/reasons.ts'
import {
  type Gate,
  hotAddressOf,
  StillReadingError,
  type WatchedAddresses,
  WrongChainError,
} from '../../gates/gate.ts'
import type { FollowedChain } from '../../store/chains/followed-chains.ts'
import type { KnownPayment, Touched } from '../../store/invoices/payments.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteProgress } from '../gates/note-progress.ts'
import { traceSighting } from '../tracing/trace-sighting.ts'
import { attribute } from './attribute-transfers.ts'
import { beginFollowing } from './begin-following.ts'
import { type BalanceCheck, checkBalances } from './check-balances.ts'
import { fromOutside, leaveOutOwnMoves } from './leave-out-own-moves.ts'
import { readBranch } from './read-branch.ts'
import type { Sighting } from './sightings.ts'

// Long enough to keep other processes from duplicating the work, short enough for a quick takeover.
const holdMs = 5_000

export type FollowOutcome =
  /** Nothing new. */
  | 'idle'
  /** Something new was written; there may be more. */
  | 'advanced'
  /** The chain moved while it was being read: nothing was written, and there is more. */
  | 'moving'
  /** Another process follows this chain, or was faster. */
  | 'held'
  /** A reorganisation was deeper than allowed: the operator must investigate. */
  | 'halted'

/** What one reading did. */
export type Followed = {
  readonly outcome: FollowOutcome
  /** Whether everything that was on the chain and in the mempool when the reading began is stored. */
  readonly isAtEnd: boolean
  /** Whether blocks were replaced. */
  readonly isRewound: boolean
  /** Whether there are jobs to run now. */
  readonly hasJobs: boolean
}

type FollowOptions = {
  /** Follows even if another process holds the chain. Safe, as only one of them can write. */
  readonly evenIfHeld?: boolean
  /** Skips the mempool: the first full read may take long. */
  readonly blocksOnly?: boolean
}

/** The same as `readChain`, for callers that need only the outcome. */
export async function followChain(app: App, gate: Gate, options: FollowOptions = {}): Promise<FollowOutcome> {
  return (await readChain(app, gate, options)).outcome
}

/**
 * Reads one gate's chain and mempool once and stores what is new: blocks or a whole new branch, with their payments, and
 * pending transfers. One transaction, fenced by the chain's revision, writes all of it together with the list of invoices
 * to assess. No transaction is open while the node answers.
 */
export async function readChain(
  app: App,
  gate: Gate,
  { evenIfHeld = false, blocksOnly = false }: FollowOptions = {},
): Promise<Followed> {
  const { holder, maxDepth } = app.following
  const chain = await app.store.followedChains.find(gate.id)
  if (chain === null) {
    await beginFollowing(app.store, gate, maxDepth)
    return plainly('advanced')
  }
  // Until the node has answered once, the gate does not know its chain.
  if (gate.chain === null) await gate.tip()
  if (chain.chain !== gate.chain)
    throw new WrongChainError(
      `This database follows ${gate.id} on chain ${chain.chain}, but its node is on chain ${gate.chain}. Point rpc_url at a ` +
        'node of the first chain, or use another database.',
    )
  if (chain.haltReason !== null) return plainly('halted')
  if (chain.isHeld && chain.holder !== holder && !evenIfHeld) return plainly('held')

  const watched = watchedBy(app, gate)
  const seen = await lookAtEnd(gate, watched, blocksOnly)
  const read = await readBranch(gate, chain.tip, watched, {
    nodeTip: seen.tip,
    hashes: () => app.store.followedChains.hashes(gate.id),
    maxDepth,
  })
  if (read.kind === 'too_deep') return plainly(await halt(app, gate, chain))
  const step = await leaveOutOwnMoves(app, gate, read)

  const blocks = step.kind === 'extend' || step.kind === 'rewind' ? step.blocks : []
  const tip: BlockRef = blocks.at(-1) ?? chain.tip
  // The mempool is meaningful only at the chain's tip.
  const isAtEnd = !blocksOnly && step.kind !== 'lagging' && tip.height === step.nodeTip.height
  const pending = isAtEnd ? await readMempool(app, gate, tip, watched, seen) : null
  const known = pending === null ? [] : await waitingAt(app, gate, chain.revision)
  const mempoolChanged = pending !== null && (await isMempoolChanged(app, gate, pending, known))
  if (blocks.length === 0 && !mempoolChanged && !(pending !== null && chain.scanIsAwaited)) {
    await noteProgress(app, gate, { tip, nodeTip: step.nodeTip, balances: 'not_asked' })
    return { ...plainly(isAtEnd && pending === null ? 'moving' : 'idle'), isAtEnd: pending !== null }
  }

  const base = step.kind === 'rewind' ? step.base.height : chain.tip.height
  const checked = isAtEnd ? await checkBalances(app, gate, chain, base, blocks) : null
  const check = checked === 'unknown' ? null : checked
  const look = { step: withFound(step, check), tip, pending, known, takesHold: !evenIfHeld }
  const from = new Date()
  const done = await app.transaction(async (tx) => {
    const written = await write(app, tx, gate, chain, look)
    if (written === null) return null
    return { ...written, shortfalls: check === null ? [] : await tx.nativeBalances.note(check) }
  })
  if (done === null) return plainly('held')
  await traceSighting(app, gate.id, done.invoiceIds, { from, to: new Date() })
  // Each waiting payment is in these blocks or has vanished.
  if (pending?.length === 0) noteWaiting(app, gate, chain.revision + 1n, [])
  for (const shortfall of done.shortfalls) app.reports.shortfall(gate, shortfall)
  const balances = checked === 'unknown' ? 'unknown' : checked === null ? 'not_asked' : 'known'
  await noteProgress(app, gate, { tip, nodeTip: step.nodeTip, balances })
  return {
    outcome: 'advanced',
    isAtEnd: pending !== null,
    isRewound: step.kind === 'rewind',
    hasJobs: done.hasJobs,
  }
}

function plainly(outcome: FollowOutcome): Followed {
  return { outcome, isAtEnd: false, isRewound: false, hasJobs: false }
}

type Waiting = { readonly revision: bigint; readonly payments: readonly KnownPayment[] }
const lastWaiting = new WeakMap<Store, Map<string, Waiting>>()

/**
 * The payments known to be in the mempool at a revision of the chain. Only the transaction that makes a revision changes
 * them, so those of the last revision are remembered.
 */
async function waitingAt(app: App, gate: Gate, revision: bigint): Promise<readonly KnownPayment[]> {
  const last = lastWaiting.get(app.store)?.get(gate.id)
  if (last?.revision === revision) return last.payments
  const payments = await app.store.payments.waiting(gate.id)
  // If the chain has moved meanwhile, no one asks for this revision again.
  noteWaiting(app, gate, revision, payments)
  return payments
}

function noteWaiting(app: App, gate: Gate, revision: bigint, payments: readonly KnownPayment[]): void {
  const ofGates = lastWaiting.get(app.store) ?? new Map<string, Waiting>()
  lastWaiting.set(app.store, ofGates.set(gate.id, { revision, payments }))
}

/** The step with the transfers found by balance added to its last block. */
function withFound<S extends Step>(step: S, check: BalanceCheck | null): S {
  if (check === null || (step.kind !== 'extend' && step.kind !== 'rewind')) return step
  const last = step.blocks.length - 1
  return {
    ...step,
    blocks: step.blocks.map((block, at) =>
      at === last ? { ...block, transfers: [...block.transfers, ...check.found] } : block,
    ),
  }
}

/** The tip of the node's chain, and the transfers pending on exactly that tip if the gate can read both at once. */
type Seen = { readonly tip: BlockRef; readonly pending: readonly Transfer[] | null }

async function lookAtEnd(gate: Gate, watched: WatchedAddresses, blocksOnly: boolean): Promise<Seen> {
  if (gate.look !== undefined && !blocksOnly)
    try {
      return await gate.look(watched)
    } catch (error) {
      if (!(error instanceof StillReadingError)) throw error
    }
  return { tip: await gate.tip(), pending: null }
}

/**
 * The pending transfers, or null if the tip has moved: a transfer missing from the mempool may then be in a block not read
 * yet. Also null while the gate reads the mempool for the first time: blocks do not wait for that.
 */
async function readMempool(
  app: App,
  gate: Gate,
  tip: BlockRef,
  watched: WatchedAddresses,
  seen: Seen,
): Promise<readonly Transfer[] | null> {
  if (seen.pending !== null && seen.tip.hash === tip.hash)
    return fromOutside(app, gate, seen.pending.filter(isSomething))
  try {
    const pending = await fromOutside(app, gate, (await gate.pending(watched)).filter(isSomething))
    return (await gate.tip()).hash === tip.hash ? pending : null
  } catch (error) {
    if (error instanceof StillReadingError) return null
    throw error
  }
}

/** Whether the pending transfers changed. A mempool may lag behind its chain: transfers already in a block do not count. */
async function isMempoolChanged(
  app: App,
  gate: Gate,
  pending: readonly Transfer[],
  known: readonly KnownPayment[],
): Promise<boolean> {
  if (isSame(pending, known)) return false
  const seen = await app.store.payments.known(gate.id, pending)
  const mined = new Set(seen.filter(({ blockHash }) => blockHash !== null).map(nameOf))
  return !isSame(
    pending.filter((transfer) => !mined.has(nameOf(transfer))),
    known,
  )
}

async function halt(app: App, gate: Gate, chain: FollowedChain): Promise<FollowOutcome> {
  const reason = say('chain_reorganised', { depth: app.following.maxDepth, height: chain.tip.height })
  if (!(await app.store.followedChains.halt(gate.id, chain.revision, reason))) return 'held'
  app.reports.halted(gate, reason)
  return 'halted'
}

/** The result of reading a chain once. */
type Look = {
  readonly step: Step
  readonly tip: BlockRef
  readonly pending: readonly Transfer[] | null
  /** The payments that were known to be in the mempool before. */
  readonly known: readonly KnownPayment[]
  /** Whether this process goes on following, so that others need not. */
  readonly takesHold: boolean
}

/** Tells which addresses are ours on this gate's network: deposit addresses, the hot wallet and past change addresses. */
export function watchedBy(app: Pick<App, 'store'>, gate: Gate): WatchedAddresses {
  const { keychain } = gate
  const hot = hotAddressOf(gate)
  return {
    async among(addresses) {
      const deposits = app.store.depositAddresses.among(keychain, addresses)
      if (gate.spending.kind === 'coins') {
        const all = await Promise.all([deposits, app.store.ownAddresses.among(keychain, addresses)])
        return new Set(all.flatMap((some) => [...some]))
      }
      const ours = await deposits
      return hot !== null && addresses.includes(hot) ? new Set([...ours, hot]) : ours
    },
    async amongLower(addresses) {
      const ours = await app.store.depositAddresses.amongLower(keychain, addresses)
      return hot !== null && addresses.includes(hot.toLowerCase()) ? new Set([...ours, hot]) : ours
    },
  }
}

/**
 * Writes the result of one reading. Returns null, and writes nothing, if another process has moved the chain since; otherwise
 * whether there are jobs to run now.
 */
export async function write(
  app: App,
  tx: Store,
  gate: Gate,
  chain: FollowedChain,
  look: Look,
): Promise<{ readonly hasJobs: boolean; readonly invoiceIds: readonly string[] } | null> {
  const { step, tip, pending } = look
  const moved = await tx.followedChains.advance({
    gateId: gate.id,
    revision: chain.revision,
    tip,
    hold: look.takesHold ? { holder: app.following.holder, ms: holdMs } : null,
    scannedAt: pending === null ? null : chain.now,
  })
  if (!moved) return null

  const touched: Touched[] = []
  if (step.kind === 'rewind') {
    await tx.followedChains.dropBlocksAbove(gate.id, step.base.height)
    touched.push(...(await tx.payments.detachAbove(gate.id, step.base.height)))
  }
  const blocks = step.kind === 'extend' || step.kind === 'rewind' ? step.blocks : []
  await tx.followedChains.addBlocks(gate.id, blocks, app.following.maxDepth)
  await tx.previousTransactions.add(
    gate.id,
    blocks.flatMap((block) => transactionsOf(block, block.transfers)),
  )
  touched.push(...(await takeUp(app, tx, gate, chain, sightings(blocks, pending ?? [], chain.now))))
  if (pending !== null) {
    // Payments of replaced blocks wait now too.
    const waited = step.kind === 'rewind' ? await tx.payments.waiting(gate.id) : outside(blocks, look.known)
    touched.push(...(await forgetVanished(tx, pending, waited)))
  }
  if (tip.height !== chain.tip.height) {
    const [low, high] =
      tip.height > chain.tip.height ? [chain.tip.height, tip.height] : [tip.height, chain.tip.height]
    touched.push(...(await tx.payments.maturingBetween(gate.id, low + 1n, high)))
  }

  const invoices = touched.flatMap(({ invoiceId }) => (invoiceId === null ? [] : [invoiceId]))
  const strays = touched.flatMap(({ invoiceId, paymentId }) => (invoiceId === null ? [paymentId] : []))
  await tx.jobs.ask('assess_invoice', invoices, gate.id)
  await tx.jobs.ask('book_suspense', strays, gate.id)
  if (tip.hash !== chain.tip.hash) await tx.spends.lookAtAll(gate.id)
  return { hasJobs: touched.length > 0, invoiceIds: invoices }
}

/** Every transfer with where it was seen; a transfer in a block is no longer pending. */
function sightings(blocks: readonly Block[], pending: readonly Transfer[], now: Date): Sighting[] {
  const mined = blocks.flatMap((block) =>
    block.transfers.filter(isSomething).map((transfer) => ({
      ...transfer,
      block: { height: block.height, hash: block.hash },
      // A transfer first seen in a block counts as seen now, or when the block was mined if that is earlier.
      seenAt: block.minedAt < now ? block.minedAt : now,
    })),
  )
  const inBlocks = new Set(mined.map(nameOf))
  const waiting = pending
    .filter((transfer) => !inBlocks.has(nameOf(transfer)))
    .map((transfer) => ({ ...transfer, block: null, seenAt: now }))
  return [...mined, ...waiting]
}

/** Inserts payments seen for the first time and updates where the others are now. */
async function takeUp(
  app: App,
  tx: Store,
  gate: Gate,
  chain: FollowedChain,
  sightings: readonly Sighting[],
): Promise<Touched[]> {
  const known = new Map(
    (await tx.payments.known(gate.id, sightings)).map((payment) => [nameOf(payment), payment]),
  )
  const fresh = sightings.filter((sighting) => !known.has(nameOf(sighting)))
  const inserted = await attribute(app, tx, gate, fresh, chain.now)

  const changed: { payment: KnownPayment; block: BlockRef | null; seenAt: Date }[] = []
  for (const sighting of sightings) {
    const payment = known.get(nameOf(sighting))
    if (payment === undefined) continue
    const same = sighting.block === null ? payment.waiting : payment.blockHash === sighting.block.hash
    // A payment in a stored block does not return to the mempool; only a rewind removes it from the block.
    const isStale = sighting.block === null && payment.blockHash !== null
    if (!same && !isStale) changed.push({ payment, block: sighting.block, seenAt: sighting.seenAt })
  }
  await tx.payments.place(
    changed.flatMap(({ payment, block, seenAt }) =>
      block === null ? [] : [{ paymentId: payment.paymentId, block, seenAt }],
    ),
  )
  await tx.payments.setWaiting(
    changed.flatMap(({ payment, block }) => (block === null ? [payment.paymentId] : [])),
    true,
  )
  return [...inserted, ...changed.map(({ payment }) => payment)]
}

/** Marks payments that have left the mempool without reaching a block: they were replaced or dropped. */
async function forgetVanished(
  tx: Store,
  pending: readonly Transfer[],
  waited: readonly KnownPayment[],
): Promise<Touched[]> {
  const still = new Set(pending.map(nameOf))
  const vanished = waited.filter((payment) => !still.has(nameOf(payment)))
  await tx.payments.setWaiting(
    vanished.map(({ paymentId }) => paymentId),
    false,
  )
  return vanished
}

/** Those of the payments that none of these blocks holds. */
function outside(blocks: readonly Block[], payments: readonly KnownPayment[]): readonly KnownPayment[] {
  if (payments.length === 0) return payments
  const mined = new Set(blocks.flatMap(({ transfers }) => transfers.map(nameOf)))
  return payments.filter((payment) => !mined.has(nameOf(payment)))
}

function isSame(pending: readonly Transfer[], known: readonly KnownPayment[]): boolean {
  const names = new Set(pending.map(nameOf))
  return names.size === known.length && known.every((payment) => names.has(nameOf(payment)))
}

function nameOf({ txHash, outputIndex }: Pick<Transfer, 'txHash' | 'outputIndex'>): string {
  return `${txHash}:${outputIndex}`
}

// Some chains allow transfers of zero; they are not payments.
function isSomething({ units }: Transfer): boolean {
  return units > 0n
}
