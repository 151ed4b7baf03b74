import * as list from './list.ts'
import type { Network } from './network.ts'

/** The networks of `list.ts`, sorted by id. Code that needs networks takes them as an argument, so that tests can pass others. */
export const shippedNetworks: readonly Network[] = Object.values(list).toSorted((a, b) =>
  a.id < b.id ? -1 : 1,
)
