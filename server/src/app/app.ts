import type { AssetRegistry } from '../domain/assets.ts'
import type { Store } from '../store/store.ts'
import type { RateBook } from './rates/rate-book.ts'

/** What every use case is given: the store, time, chance, and the public data the process keeps in memory. */
export type App = {
  readonly store: Store
  /** Runs `work` in one transaction; it may run again after a deadlock. */
  transaction<T>(work: (tx: Store) => Promise<T>): Promise<T>
  now(): Date
  random(size: number): Buffer
  readonly assets: AssetRegistry
  readonly rates: RateBook
}
