/** Slots for concurrent calls, bounded in total and per key, so that one slow key cannot take them all. */
export type Slots = {
  /** Waits for a slot and returns the function that frees it; null when no slot became free in time. */
  take(key: string, waitMs: number, signal?: AbortSignal): Promise<(() => void) | null>
}

type Waiter = { readonly key: string; readonly go: () => void }

export function createSlots(limits: {
  readonly inAll: number
  readonly perKey: number
  readonly waiting: number
}): Slots {
  const taken = new Map<string, number>()
  const waiters = new Set<Waiter>()
  let takenInAll = 0

  const isFree = (key: string) => takenInAll < limits.inAll && (taken.get(key) ?? 0) < limits.perKey

  function occupy(key: string): () => void {
    takenInAll += 1
    taken.set(key, (taken.get(key) ?? 0) + 1)
    return () => {
      takenInAll -= 1
      const left = (taken.get(key) ?? 0) - 1
      if (left > 0) taken.set(key, left)
      else taken.delete(key)
      // The longest waiter whose key has room goes next.
      for (const waiter of waiters) if (isFree(waiter.key)) return waiter.go()
    }
  }

  return {
    async take(key, waitMs, signal) {
      signal?.throwIfAborted()
      if (isFree(key)) return occupy(key)
      if (waiters.size >= limits.waiting) return null
      return new Promise((resolve, reject) => {
        const leave = (then: () => void) => {
          waiters.delete(waiter)
          clearTimeout(timer)
          signal?.removeEventListener('abort', stop)
          then()
        }
        const waiter: Waiter = { key, go: () => leave(() => resolve(occupy(key))) }
        const stop = () => leave(() => reject(signal?.reason))
        const timer = setTimeout(() => leave(() => resolve(null)), waitMs)
        signal?.addEventListener('abort', stop, { once: true })
        waiters.add(waiter)
      })
    },
  }
}
