import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Marks } from '../../domain/address-demand.ts'
import type { Place, ProvedPlace, Stock } from '../../store/addresses/deposit-addresses.ts'
import type { App } from '../app.ts'

/** Derives the deposit addresses of one network, or of several that share them. */
export type Keychain = {
  readonly id: string
  /** The deposit address at `index`, from 0; null where only the holder of the seed can derive it. */
  depositAddress(index: number): Place | null
  /**
   * The addresses at `count` positions from `from` on, from another process and checked; left out where this process derives
   * them all. Throws an OutageError when it cannot have them.
   */
  deriveMany?(from: number, count: number): Promise<readonly Place[]>
}

/** Every keychain gets this many addresses before any gets more: the first invoices must not wait. */
const firstMark = 20
/** The most addresses added at once. */
const chunkSize = 100
// Deriving an address blocks the thread for a millisecond or more: after this many, pending requests get their turn.
const groupSize = 4
/** How many addresses a request that found the pool empty derives, for itself and the requests right behind it. */
const topUpSize = 8
// The signer grants more addresses as soon as it is asked.
const grantPauseMs = 100
// A batch takes a tenth of a second or two.
const fillPauseMs = 50
// A process that was killed holds its pools for a while yet. A request waits for it only so often, about a second.
const mostPauses = 20
// Renewed for every batch. A process that died is replaced after this.
const holdMs = 10_000

/** The one process that fills a pool. */
export type Filling = {
  readonly signal?: AbortSignal
  /**
   * Names this process, so that no two of them derive for one pool at once; left out by what runs alone, such as commands.
   */
  readonly filler?: string
}

/**
 * Fills the pool of every keychain with fewer ready deposit addresses than the low mark. Only reads when no pool is short.
 * Safe to run in several processes at once. Returns how many addresses were added.
 */
export async function fillPool(
  app: Pick<App, 'store' | 'proofs'>,
  keychains: readonly Keychain[],
  marks: Marks | ((stock: Stock) => Marks),
  { signal, filler }: Filling = {},
): Promise<number> {
  const marksOf = typeof marks === 'function' ? marks : () => marks
  const stocks = await app.store.depositAddresses.stocks(keychains.map(({ id }) => id))
  const byId = new Map(keychains.map((keychain) => [keychain.id, keychain]))
  let pools = stocks
    .map((stock) => ({ ...stock, marks: marksOf(stock) }))
    .filter((pool) => pool.ready < pool.marks.low)
  const all = pools.map(({ keychain }) => keychain)
  let added = 0
  try {
    while (pools.length > 0 && !signal?.aborted) {
      // Rises by at most one chunk, so that all pools grow together.
      const lowest = Math.min(...pools.map(({ ready }) => ready))
      const goal = lowest < firstMark ? firstMark : lowest + chunkSize
      const held = await hold(app, pools, filler)
      const unfilled: typeof pools = []
      for (const pool of pools) {
        const keychain = byId.get(pool.keychain)
        const { full } = pool.marks
        if (keychain === undefined || !held.has(pool.keychain) || signal?.aborted) continue
        const count = Math.min(Math.max(Math.min(goal, full) - pool.ready, 0), chunkSize)
        const places = await derive(app, keychain, pool.from, count, signal)
        // Only the holder of the seed can derive it, or the signal aborted.
        if (places === null) continue
        // Another process is filling this pool; the next run sees whether that was enough.
        if (!(await app.store.depositAddresses.add(keychain.id, pool.from, places))) continue
        added += places.length
        const ready = pool.ready + places.length
        if (ready < full) unfilled.push({ ...pool, ready, from: pool.from + places.length })
      }
      pools = unfilled
    }
  } finally {
    if (filler !== undefined) await app.store.addressFills.release(all, filler)
  }
  return added
}

async function hold(
  { store }: Pick<App, 'store'>,
  pools: readonly Stock[],
  filler: string | undefined,
): Promise<ReadonlySet<string>> {
  const ids = pools.map(({ keychain }) => keychain)
  return filler === undefined ? new Set(ids) : store.addressFills.hold(ids, filler, holdMs)
}

/**
 * Adds a few addresses to one keychain's pool, for a request that found it empty. False when this process cannot derive
 * them; true also when another process was faster, or is at it, unless this is one try too many. If the pool has addresses
 * but the signer has granted none of them, asks for some and waits a moment.
 */
export async function topUpPool(
  app: Pick<App, 'store' | 'proofs'>,
  keychain: Keychain,
  { filler, tries = 1 }: Pick<Filling, 'filler'> & { readonly tries?: number } = {},
): Promise<boolean> {
  const [pool] = await app.store.depositAddresses.shortage([keychain.id], 1)
  if (pool === undefined) {
    if (await app.store.addressGrants.mayGive(keychain.id)) return true
    await app.store.addressGrants.ask()
    await delay(grantPauseMs)
    return true
  }
  if (keychain.deriveMany === undefined && keychain.depositAddress(pool.from) === null) return false
  if (filler !== undefined) {
    const held = await app.store.addressFills.hold([keychain.id], filler, holdMs)
    // The whole batch that another process is deriving comes sooner than a few that we would derive beside it, in vain.
    if (held.size === 0 && tries <= mostPauses) {
      await delay(fillPauseMs)
      return true
    }
  }
  try {
    const count = Math.min(topUpSize - pool.ready, chunkSize)
    const places = await derive(app, keychain, pool.from, count, undefined)
    if (places === null) return false
    await app.store.depositAddresses.add(keychain.id, pool.from, places)
    return true
  } finally {
    if (filler !== undefined) await app.store.addressFills.release([keychain.id], filler)
  }
}

async function derive(
  { proofs }: Pick<App, 'proofs'>,
  keychain: Keychain,
  from: number,
  count: number,
  signal: AbortSignal | undefined,
): Promise<ProvedPlace[] | null> {
  const prove = ({ address, tag }: Place, position: number): ProvedPlace => {
    return { address, tag, proof: proofs.prove({ keychain: keychain.id, position, address, tag }) }
  }
  if (keychain.deriveMany !== undefined) {
    const made = await keychain.deriveMany(from, count)
    return signal?.aborted ? null : made.map((place, nth) => prove(place, from + nth))
  }
  const places: ProvedPlace[] = []
  for (let position = from; position < from + count; position++) {
    const place = keychain.depositAddress(position)
    if (place === null) return null
    places.push(prove(place, position))
    if (places.length % groupSize === 0) await nextTurn()
    if (signal?.aborted) return null
  }
  return places
}
