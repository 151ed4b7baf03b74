import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Place, ProvedPlace, Shortage } from '../../store/addresses/deposit-addresses.ts'
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

/** A pool with fewer addresses ready than `low` is filled up to `full`. */
export type Marks = { readonly low: number; readonly full: number }

/** The marks of pools that keep `ready` addresses: half of them may be used before a pool is refilled. */
export function marksFor(ready: number): Marks {
  return { low: Math.ceil(ready / 2), full: ready }
}

/**
 * Fills the pool of every keychain with fewer ready deposit addresses than the low mark. Only reads when no pool is short.
 * Safe to run in several processes at once. Returns how many addresses were added.
 */
export async function fillPool(
  app: Pick<App, 'store' | 'proofs'>,
  keychains: readonly Keychain[],
  marks: Marks,
  { signal }: { signal?: AbortSignal } = {},
): Promise<number> {
  const short = await app.store.depositAddresses.shortage(
    keychains.map(({ id }) => id),
    marks.low,
  )
  const byId = new Map(keychains.map((keychain) => [keychain.id, keychain]))
  let added = 0
  let pools = short
  for (let goal = Math.min(firstMark, marks.full); pools.length > 0; goal = nextGoal(goal, marks)) {
    const unfilled: Shortage[] = []
    for (const pool of pools) {
      const keychain = byId.get(pool.keychain)
      if (keychain === undefined || signal?.aborted) continue
      const count = Math.min(Math.max(goal - pool.ready, 0), chunkSize)
      const places = await derive(app, keychain, pool.from, count, signal)
      // Only the holder of the seed can derive it, or the signal aborted.
      if (places === null) continue
      // Another process is filling this pool; the next run sees whether that was enough.
      if (!(await app.store.depositAddresses.add(keychain.id, pool.from, places))) continue
      added += places.length
      const ready = pool.ready + places.length
      if (ready < marks.full) unfilled.push({ ...pool, ready, from: pool.from + places.length })
    }
    pools = unfilled
  }
  return added
}

/**
 * Adds a few addresses to one keychain's pool, for a request that found it empty. False when this process cannot derive
 * them; true also when another process was faster. If the pool has addresses but the signer has granted none of them, asks
 * for some and waits a moment.
 */
export async function topUpPool(app: Pick<App, 'store' | 'proofs'>, keychain: Keychain): Promise<boolean> {
  const [pool] = await app.store.depositAddresses.shortage([keychain.id], 1)
  if (pool === undefined) {
    if (await app.store.addressGrants.mayGive(keychain.id)) return true
    await app.store.addressGrants.ask()
    await delay(grantPauseMs)
    return true
  }
  const places = await derive(
    app,
    keychain,
    pool.from,
    Math.min(topUpSize - pool.ready, chunkSize),
    undefined,
  )
  if (places === null) return false
  await app.store.depositAddresses.add(keychain.id, pool.from, places)
  return true
}

// Rises by at most one chunk, so that all pools grow together.
function nextGoal(goal: number, { full }: Marks): number {
  return Math.min(goal + chunkSize, full)
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
