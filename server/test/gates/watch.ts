import type { DepositAddress } from '../../src/gates/family.ts'
import type { CountingWatch } from './harness.ts'

/** Watches exactly these addresses, and records every lookup. */
export function watching(addresses: readonly DepositAddress[]): CountingWatch {
  const asked: string[][] = []
  const watched = new Set(addresses.map(({ address }) => address))
  return {
    asked,
    async among(candidates) {
      asked.push([...candidates])
      return new Set(candidates.filter((address) => watched.has(address)))
    },
    async amongLower(candidates) {
      asked.push([...candidates])
      return new Set([...watched].filter((address) => candidates.includes(address.toLowerCase())))
    },
  }
}
