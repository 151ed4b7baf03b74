import type { PooledAddress } from '../../store/addresses/deposit-addresses.ts'

/** The most addresses one call can take. */
export const maxTake = 256

// Unused addresses of a claim are lost when the process ends: claims start small and grow while they are used up quickly.
const firstClaim = 8
const maxClaim = 256
const quickMs = 1_000
const slowMs = 10_000
// The pause between two claims from an empty pool while no taker waits.
const emptyPauseMs = 200
// Other processes may empty the pool repeatedly between our filling it and our claim.
const maxEmptyClaims = 50
const maxWaiting = 10_000

/** This process's stock of deposit addresses, so that few requests wait for one. */
export type AddressBook = {
  /**
   * Takes `count` addresses that were never given out, or returns null when the keychain's pool is empty and this process
   * cannot derive more. Takers are served in order.
   */
  take(keychain: string, count: number): Promise<readonly PooledAddress[] | null>
  /** Puts back an address that was taken but never shown to a payer. */
  giveBack(keychain: string, address: PooledAddress): void
}

type Taker = {
  readonly count: number
  resolve(addresses: readonly PooledAddress[] | null): void
  reject(error: unknown): void
}

type Shelf = {
  readonly keychain: string
  readonly stock: PooledAddress[]
  readonly takers: Taker[]
  claimSize: number
  claimedAt: number
  /** When a claim last returned nothing. */
  emptyAt: number
  restocking: boolean
}

export function createAddressBook(options: {
  claim: (keychain: string, count: number) => Promise<readonly PooledAddress[]>
  /**
   * Adds a few addresses to a keychain's empty pool; false when this process cannot derive them. `tries` counts the calls, from
   * 1, since the pool last had any.
   */
  derive: (keychain: string, tries: number) => Promise<boolean>
  /** Monotonic milliseconds. */
  now: () => number
  /** Called with a failure that no taker waits for. */
  onRestockFailed: (error: unknown) => void
}): AddressBook {
  const shelves = new Map<string, Shelf>()

  function shelfOf(keychain: string): Shelf {
    const known = shelves.get(keychain)
    if (known !== undefined) return known
    const never = Number.NEGATIVE_INFINITY
    const shelf: Shelf = {
      keychain,
      stock: [],
      takers: [],
      claimSize: firstClaim,
      claimedAt: never,
      emptyAt: never,
      restocking: false,
    }
    shelves.set(keychain, shelf)
    return shelf
  }

  /** Serves waiting takers, then restocks to more than half a claim. Runs once at a time per keychain. */
  async function restock(shelf: Shelf): Promise<void> {
    if (shelf.restocking) return
    shelf.restocking = true
    try {
      let emptyClaims = 0
      while (shelf.takers.length > 0 || wantsMore(shelf)) {
        if (await claim(shelf)) emptyClaims = 0
        // No taker waits: leave it to the loop that fills the pools.
        else if (shelf.takers.length === 0) return
        else if (++emptyClaims > maxEmptyClaims || !(await options.derive(shelf.keychain, emptyClaims)))
          sendAway(shelf)
        serve(shelf)
      }
    } catch (error) {
      if (shelf.takers.length === 0) options.onRestockFailed(error)
      for (const taker of shelf.takers.splice(0)) taker.reject(error)
    } finally {
      shelf.restocking = false
    }
  }

  async function claim(shelf: Shelf): Promise<boolean> {
    const at = options.now()
    const restedMs = at - shelf.claimedAt
    if (restedMs < quickMs) shelf.claimSize = Math.min(shelf.claimSize * 2, maxClaim)
    else if (restedMs > slowMs) shelf.claimSize = firstClaim
    const missing = shelf.takers.reduce((sum, { count }) => sum + count, 0) - shelf.stock.length
    const claimed = await options.claim(
      shelf.keychain,
      Math.min(Math.max(shelf.claimSize, missing), maxClaim),
    )
    shelf.stock.push(...claimed)
    if (claimed.length === 0) shelf.emptyAt = at
    else shelf.claimedAt = at
    return claimed.length > 0
  }

  function wantsMore(shelf: Shelf): boolean {
    return shelf.stock.length * 2 <= shelf.claimSize && options.now() - shelf.emptyAt > emptyPauseMs
  }

  return {
    async take(keychain, count) {
      if (!Number.isInteger(count) || count < 1 || count > maxTake)
        throw new RangeError(`From 1 to ${maxTake} addresses can be taken at once, not ${count}.`)
      const shelf = shelfOf(keychain)
      if (shelf.takers.length === 0 && shelf.stock.length >= count) {
        const taken = shelf.stock.splice(0, count)
        if (wantsMore(shelf)) void restock(shelf)
        return taken
      }
      if (shelf.takers.length >= maxWaiting) return null
      return new Promise((resolve, reject) => {
        shelf.takers.push({ count, resolve, reject })
        void restock(shelf)
      })
    },

    giveBack(keychain, address) {
      const shelf = shelfOf(keychain)
      // Twice in stock would be two payers at one address.
      if (shelf.stock.some(({ position }) => position === address.position))
        throw new Error(`Address ${address.position} of ${keychain} was given back twice.`)
      shelf.stock.unshift(address)
      serve(shelf)
    },
  }
}

/** Serves waiting takers from the stock, in order. */
function serve({ stock, takers }: Shelf): void {
  for (let [first] = takers; first !== undefined && first.count <= stock.length; [first] = takers) {
    takers.shift()
    first.resolve(stock.splice(0, first.count))
  }
}

/** No more addresses are available for now: takers that the remaining stock covers get theirs, the others get null. */
function sendAway({ stock, takers }: Shelf): void {
  for (const { count, resolve } of takers.splice(0))
    resolve(count <= stock.length ? stock.splice(0, count) : null)
}
