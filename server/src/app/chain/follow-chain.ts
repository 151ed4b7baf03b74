import type { Block, BlockRef, Step, Transfer } from '../../domain/chain.ts'
import {
  type Gate,
  hotAddressOf,
  StillReadingError,
  type WatchedAddresses,
  WrongChainError,
} from '../../gates/gate.ts'
import type { FollowedChain } from '../../store/followed-chains.ts'
import type { KnownPayment, Touched } from '../../store/payments.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteProgress } from '../gates/note-progress.ts'
import { attribute, type Sighting } from './attribute-transfers.ts'
import { beginFollowing } from './begin-following.ts'
import { type BalanceCheck, checkBalances } from './check-balances.ts'
import { fromOutside, leaveOutOwnMoves } from './leave-out-own-moves.ts'
import { readBranch } from './read-branch.ts'

// Long enough that others do not do the same work, short enough that they take over soon.
const holdMs = 5_000

export type FollowOutcome =
  /** Nothing new. */
  | 'idle'
  /** Something was written; there may be more. */
  | 'advanced'
  /** The chain moved while it was looked at: there is more, and nothing was written. */
  | 'moving'
  /** Another process follows this chain at present, or was faster. */
  | 'held'
  /** A reorganisation deeper than allowed: a person has to look at it. */
  | 'halted'

/**
 * Looks at one gate's chain and mempool once and takes up what is new: blocks, or a whole new branch, with the payments
 * in them, and what waits in the mempool. One transaction, fenced by the chain's revision, writes it all together with
 * the list of invoices to assess; nothing is held while the node takes its time.
 */
export async function followChain(
  app: App,
  gate: Gate,
  {
    evenIfHeld = false,
    blocksOnly = false,
  }: {
    /** Follows although another holds the chain: safe, as only one of them can write. */
    evenIfHeld?: boolean
    /** Leaves the mempool alone: to read all of it for the first time may take long. */
    blocksOnly?: boolean
  } = {},
): Promise<FollowOutcome> {
  const { holder, maxDepth } = app.following
  const chain = await app.store.followedChains.find(gate.id)
  if (chain === null) {
    await beginFollowing(app.store, gate, maxDepth)
    return 'advanced'
  }
  // Only its node can name its chain, where it has not yet.
  if (gate.chain === null) await gate.tip()
  if (chain.chain !== gate.chain)
    throw new WrongChainError(
      `${gate.id} was followed on ${chain.chain} before, and its node is on ${gate.chain} now. Point rpc_url at a node of the ` +
        'first, or use another database.',
    )
  if (chain.haltReason !== null) return 'halted'
  if (chain.isHeld && chain.holder !== holder && !evenIfHeld) return 'held'

  const watched = watchedBy(app, gate)
  const seen = await lookAtEnd(gate, watched, blocksOnly)
  const read = await readBranch(gate, chain.tip, watched, {
    nodeTip: seen.tip,
    hashes: () => app.store.followedChains.hashes(gate.id),
    maxDepth,
  })
  if (read.kind === 'too_deep') return halt(app, gate, chain)
  const step = await leaveOutOwnMoves(app, gate, read)

  const blocks = step.kind === 'extend' || step.kind === 'rewind' ? step.blocks : []
  const tip: BlockRef = blocks.at(-1) ?? chain.tip
  // The mempool says something only about the chain's end.
  const isAtEnd = !blocksOnly && step.kind !== 'lagging' && tip.height === step.nodeTip.height
  const pending = isAtEnd ? await readMempool(app, gate, tip, watched, seen) : null
  const mempoolChanged = pending !== null && (await isMempoolChanged(app, gate, pending))
  if (blocks.length === 0 && !mempoolChanged && !(pending !== null && chain.scanIsAwaited)) {
    await noteProgress(app, gate, { tip, nodeTip: step.nodeTip, balances: 'not_asked' })
    return isAtEnd && pending === null ? 'moving' : 'idle'
  }

  const base = step.kind === 'rewind' ? step.base.height : chain.tip.height
  const checked = isAtEnd ? await checkBalances(app, gate, chain, base, blocks) : null
  const check = checked === 'unknown' ? null : checked
  const look = { step: withFound(step, check), tip, pending, takesHold: !evenIfHeld }
  const shortfalls = await app.transaction(async (tx) => {
    if (!(await write(app, tx, gate, chain, look))) return null
    return check === null ? [] : tx.nativeBalances.note(check)
  })
  if (shortfalls === null) return 'held'
  for (const shortfall of shortfalls) app.following.onShortfall(gate, shortfall)
  const balances = checked === 'unknown' ? 'unknown' : checked === null ? 'not_asked' : 'known'
  await noteProgress(app, gate, { tip, nodeTip: step.nodeTip, balances })
  return 'advanced'
}

/** The same with what the balances have shown, in the last block. */
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

/** Where the node's chain ends, and what waits on top of exactly that, where the gate can tell both at once. */
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
 * What waits, if the chain still ends where it did: otherwise what is missing may be in a block we have not seen. Null too while
 * all of it is read for the first time, which no block has to wait for.
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

/** Whether what waits is not what is known to wait. A mempool may lag behind its own chain: what we have in a block is out. */
async function isMempoolChanged(app: App, gate: Gate, pending: readonly Transfer[]): Promise<boolean> {
  const known = await app.store.payments.waiting(gate.id)
  if (isSame(pending, known)) return false
  const met = await app.store.payments.known(gate.id, pending)
  const mined = new Set(met.filter(({ blockHash }) => blockHash !== null).map(nameOf))
  return !isSame(
    pending.filter((transfer) => !mined.has(nameOf(transfer))),
    known,
  )
}

async function halt(app: App, gate: Gate, chain: FollowedChain): Promise<FollowOutcome> {
  const reason = `The chain was reorganised deeper than ${app.following.maxDepth} blocks below height ${chain.tip.height}.`
  if (!(await app.store.followedChains.halt(gate.id, chain.revision, reason))) return 'held'
  app.following.onHalt(gate, reason)
  return 'halted'
}

/** What one look at a chain has shown. */
type Look = {
  readonly step: Step
  readonly tip: BlockRef
  readonly pending: readonly Transfer[] | null
  /** Whether whoever looks goes on following, so that others need not. */
  readonly takesHold: boolean
}

/** Which addresses are ours on this gate's network: every deposit address, the hot wallet, and where change once went. */
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

/** Writes what one look has shown, if nobody else has moved the chain since it was read. */
export async function write(
  app: App,
  tx: Store,
  gate: Gate,
  chain: FollowedChain,
  look: Look,
): Promise<boolean> {
  const { step, tip, pending } = look
  const moved = await tx.followedChains.advance({
    gateId: gate.id,
    revision: chain.revision,
    tip,
    hold: look.takesHold ? { holder: app.following.holder, ms: holdMs } : null,
    scannedAt: pending === null ? null : chain.now,
  })
  if (!moved) return false

  const touched: Touched[] = []
  if (step.kind === 'rewind') {
    await tx.followedChains.dropBlocksAbove(gate.id, step.base.height)
    touched.push(...(await tx.payments.detachAbove(gate.id, step.base.height)))
  }
  const blocks = step.kind === 'extend' || step.kind === 'rewind' ? step.blocks : []
  await tx.followedChains.addBlocks(gate.id, blocks, app.following.maxDepth)
  touched.push(...(await takeUp(app, tx, gate, chain, sightings(blocks, pending ?? [], chain.now))))
  if (pending !== null) touched.push(...(await forgetVanished(tx, gate, pending)))
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
  return true
}

/** Every transfer with where it was met; what a block holds is no longer waiting. */
function sightings(blocks: readonly Block[], pending: readonly Transfer[], now: Date): Sighting[] {
  const mined = blocks.flatMap((block) =>
    block.transfers.filter(isSomething).map((transfer) => ({
      ...transfer,
      block: { height: block.height, hash: block.hash },
      // First met in a block: seen then, or when the block was made if that is earlier.
      seenAt: block.minedAt < now ? block.minedAt : now,
    })),
  )
  const inBlocks = new Set(mined.map(nameOf))
  const waiting = pending
    .filter((transfer) => !inBlocks.has(nameOf(transfer)))
    .map((transfer) => ({ ...transfer, block: null, seenAt: now }))
  return [...mined, ...waiting]
}

/** Inserts payments met for the first time and moves the others to where they are now. */
async function takeUp(
  app: App,
  tx: Store,
  gate: Gate,
  chain: FollowedChain,
  met: readonly Sighting[],
): Promise<Touched[]> {
  const known = new Map((await tx.payments.known(gate.id, met)).map((payment) => [nameOf(payment), payment]))
  const fresh = met.filter((sighting) => !known.has(nameOf(sighting)))
  const inserted = await attribute(app, tx, gate, fresh, chain.now)

  const changed: { payment: KnownPayment; block: BlockRef | null; seenAt: Date }[] = []
  for (const sighting of met) {
    const payment = known.get(nameOf(sighting))
    if (payment === undefined) continue
    const same = sighting.block === null ? payment.waiting : payment.blockHash === sighting.block.hash
    // A payment in a block of ours does not return to the mempool: only a rewind takes it out.
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

/** What waited and is in neither a block nor the mempool any more was replaced or dropped. */
async function forgetVanished(tx: Store, gate: Gate, pending: readonly Transfer[]): Promise<Touched[]> {
  const still = new Set(pending.map(nameOf))
  const vanished = (await tx.payments.waiting(gate.id)).filter((payment) => !still.has(nameOf(payment)))
  await tx.payments.setWaiting(
    vanished.map(({ paymentId }) => paymentId),
    false,
  )
  return vanished
}

function isSame(pending: readonly Transfer[], known: readonly KnownPayment[]): boolean {
  const names = new Set(pending.map(nameOf))
  return names.size === known.length && known.every((payment) => names.has(nameOf(payment)))
}

function nameOf({ txHash, outputIndex }: Pick<Transfer, 'txHash' | 'outputIndex'>): string {
  return `${txHash}:${outputIndex}`
}

// Some chains let anybody send nothing to anyone; it is no payment.
function isSomething({ units }: Transfer): boolean {
  return units > 0n
}
