import * as list from './list.ts'
import type { Network } from './network.ts'

/** The networks of `list.ts`, by their ids. What knows networks is given them, so that a test can give it others. */
export const shippedNetworks: readonly Network[] = Object.values(list).toSorted((a, b) =>
  a.id < b.id ? -1 : 1,
)
