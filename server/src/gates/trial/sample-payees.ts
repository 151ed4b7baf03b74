import type { WatchedAddresses } from '../gate.ts'

/**
 * Treats some of the addresses that blocks pay as ours, at most this many each time it is asked, so that a gate reads their
 * payments as it would read ours. The choice depends on the addresses alone, so it is the same for all servers.
 */
export function samplePayees(most: number): WatchedAddresses {
  async function among(addresses: readonly string[]): Promise<ReadonlySet<string>> {
    const sorted = [...new Set(addresses)].sort()
    const step = Math.max(1, Math.ceil(sorted.length / most))
    return new Set(sorted.filter((_, at) => at % step === 0))
  }
  return { among, amongLower: among }
}
