import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Place, Shortage } from '../../store/deposit-addresses.ts'
import type { App } from '../app.ts'

/** What makes the deposit addresses of one network, or of several that share them. */
export type Keychain = {
  readonly id: string
  /** Deposit address number `index`, from 0; null where only the holder of the seed can make it. */
  depositAddress(index: number): Place | null
}

/** So many are there of every keychain before any keychain gets more: the first invoices must not wait. */
const firstMark = 20
/** The most that are added at once. */
const chunkSize = 100
// Deriving one takes a millisecond and more of pure computing: requests get their turn after this many.
const groupSize = 4
/** What a request that met an empty pool makes, for itself and those right behind it. */
const topUpSize = 8
// The signer looks several times a second whether more may be given.
const grantPauseMs = 100

/** A pool with fewer addresses ready than `low` is filled up to `full`. */
export type Marks = { readonly low: number; readonly full: number }

/** The marks of pools in which so many addresses are kept ready: half of them may be used before they are filled. */
export function marksFor(ready: number): Marks {
  return { low: Math.ceil(ready / 2), full: ready }
}

/**
 * Brings every keychain's pool of ready deposit addresses above the low mark. Reads and writes nothing more when none
 * is short. Any number of processes may do it at once. Returns how many addresses were added.
 */
export async function fillPool(
  app: Pick<App, 'store'>,
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
      const places = await derive(keychain, pool.from, count, signal)
      // Only the seed's holder can, or we are told to stop.
      if (places === null) continue
      // Somebody else fills this pool right now; whether that was enough shows at the next look.
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
 * Adds a few addresses to one keychain's pool, for a request that found it empty. False when this process cannot make them;
 * true also when somebody else was faster. Where there are some and the signer lets none of them be given, it waits a moment.
 */
export async function topUpPool(app: Pick<App, 'store'>, keychain: Keychain): Promise<boolean> {
  const [pool] = await app.store.depositAddresses.shortage([keychain.id], 1)
  if (pool === undefined) {
    if (!(await app.store.addressGrants.mayGive(keychain.id))) await delay(grantPauseMs)
    return true
  }
  const places = await derive(keychain, pool.from, Math.min(topUpSize - pool.ready, chunkSize), undefined)
  if (places === null) return false
  await app.store.depositAddresses.add(keychain.id, pool.from, places)
  return true
}

// Rises by no more than a chunk, so that all gates grow together.
function nextGoal(goal: number, { full }: Marks): number {
  return Math.min(goal + chunkSize, full)
}

async function derive(
  keychain: Keychain,
  from: number,
  count: number,
  signal: AbortSignal | undefined,
): Promise<Place[] | null> {
  const places: Place[] = []
  for (let index = from; index < from + count; index++) {
    const place = keychain.depositAddress(index)
    if (place === null) return null
    places.push(place)
    if (places.length % groupSize === 0) await nextTurn()
    if (signal?.aborted) return null
  }
  return places
}
