import type { WatchedAddresses } from '../gate.ts'

/**
 * Watches some of the addresses that blocks pay, at most this many each time it is asked: to a gate they are ours, so it reads what
 * they get as it reads what we get. Which ones depends on the addresses alone, so for all servers they are the same.
 */
export function samplePayees(most: number): WatchedAddresses {
  async function among(addresses: readonly string[]): Promise<ReadonlySet<string>> {
    const sorted = [...new Set(addresses)].sort()
    const step = Math.max(1, Math.ceil(sorted.length / most))
    return new Set(sorted.filter((_, at) => at % step === 0))
  }
  return { among, amongLower: among }
}
