import { uuidv7 } from '../../domain/ids.ts'
import { coinName } from '../../domain/uses.ts'
import { GateOutageError } from '../../gates/gate.ts'
import type { FollowedChain } from '../../store/chains/followed-chains.ts'
import { beforeAll, type FoundOutput, type Rescan } from '../../store/chains/rescans.ts'
import type { NewPayment } from '../../store/invoices/payments.ts'
import type { App } from '../app.ts'
import { bookSuspense } from '../chain/book-suspense.ts'
import { nativeAsset } from '../spends/hot-wallet/native-asset.ts'
import { catchUp } from './catch-up.ts'
import { holdRescan } from './hold-rescan.ts'
import type { CoinGate } from './widen-window.ts'

/** A number of coins and their total. */
export type CoinSum = { readonly count: number; readonly units: bigint }
export type TakenCoins = {
  /** Booked by this run. */
  readonly taken: CoinSum
  /** Not taken, because a transaction in the mempool spends them. */
  readonly beingSpent: CoinSum
  readonly spent: number
}

// How often a new block may arrive between asking the node and writing.
const maxTries = 20

/**
 * Books the unspent outputs that a rescan found, as payments without an invoice. The transaction is fenced by the chain's
 * revision at exactly the block for which the node reported them unspent. So either the follower has seen an output, and it
 * is known, or the follower will never see it.
 */
export async function takeCoins(app: App, gate: CoinGate, rescan: Rescan): Promise<TakenCoins> {
  let taken: CoinSum = { count: 0, units: 0n }
  let beingSpent: CoinSum = taken
  let spent = 0
  let page = await next(beforeAll)
  for (; page.length > 0; page = await next(page.at(-1) as FoundOutput)) {
    const outcome = await takePage(app, gate, rescan, page)
    taken = added(taken, outcome.taken)
    beingSpent = added(beingSpent, outcome.beingSpent)
    spent += page.length - outcome.free - outcome.beingSpent.length
  }
  return { taken, beingSpent, spent }

  function next(after: Pick<FoundOutput, 'txHash' | 'outputIndex'>): Promise<FoundOutput[]> {
    return app.store.rescans.untaken(gate.id, after, gate.unspent.maxOutputs)
  }
}

type PageOutcome = {
  readonly free: number
  readonly taken: readonly FoundOutput[]
  readonly beingSpent: readonly FoundOutput[]
}

async function takePage(
  app: App,
  gate: CoinGate,
  rescan: Rescan,
  page: readonly FoundOutput[],
): Promise<PageOutcome> {
  for (let tries = 0; tries < maxTries; tries++) {
    const chain = await catchUp(app, gate)
    const unspent = await gate.unspent.look(page)
    if (unspent.tipHash !== chain.tip.hash) continue
    const [different] = unspent.different
    if (different !== undefined)
      throw new GateOutageError(
        `The node's answer cannot be right: output ${different} has a different amount from the one in its block.`,
      )
    const free = page.filter((output) => unspent.free.has(coinName(output)))
    const beingSpent = page.filter((output) => unspent.beingSpent.has(coinName(output)))
    const taken = free.length === 0 ? [] : await take(app, gate, rescan, chain, free)
    if (taken !== null) return { free: free.length, taken, beingSpent }
  }
  throw new GateOutageError(
    `The chain of ${gate.id} moves faster than coins can be booked. Run the command again: it continues where it stopped.`,
  )
}

/** Returns the outputs that were not known yet; null, with nothing written, when the chain has moved meanwhile. */
async function take(
  app: App,
  gate: CoinGate,
  rescan: Rescan,
  { revision, tip, now }: FollowedChain,
  free: readonly FoundOutput[],
): Promise<readonly FoundOutput[] | null> {
  return app.transaction(async (tx) => {
    const stands = { gateId: gate.id, revision, tip, hold: null, scannedAt: null }
    if (!(await tx.followedChains.advance(stands))) return null
    await holdRescan(tx, rescan, null)
    const known = new Set((await tx.payments.known(gate.id, free)).map(coinName))
    const fresh = free.filter((output) => !known.has(coinName(output)))
    const payments = fresh.map((output) => paymentOf(app, gate, output, now))
    await tx.payments.insert(gate.id, payments)
    await tx.rescans.markTaken(gate.id, free)
    await bookSuspense(
      app,
      tx,
      payments.map(({ id }) => id),
    )
    return fresh
  })
}

function paymentOf(app: Pick<App, 'now'>, gate: CoinGate, output: FoundOutput, now: Date): NewPayment {
  const { currency, decimals } = nativeAsset(gate)
  const { txHash, outputIndex, address, units, block, minedAt } = output
  return {
    txHash,
    outputIndex,
    address,
    tag: null,
    units,
    currency,
    decimals,
    block,
    id: uuidv7(app.now()),
    environment: gate.environment,
    network: gate.network.id,
    invoiceId: null,
    suspenseReason: 'recovered',
    sentTo: null,
    merchantId: null,
    requiredConfirmations: Math.max(gate.network.confirmations, output.leastConfirmations),
    // A miner's clock may be ahead of ours.
    seenAt: minedAt < now ? minedAt : now,
  }
}

function added({ count, units }: CoinSum, outputs: readonly FoundOutput[]): CoinSum {
  return {
    count: count + outputs.length,
    units: outputs.reduce((sum, output) => sum + output.units, units),
  }
}
