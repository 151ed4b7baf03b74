import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import type { AllowList } from './allow-list.ts'

/** The addresses of a name. Throws when there are none (`ENOTFOUND`, `ENODATA`) or when the lookup fails. */
export type Lookup = (host: string) => Promise<readonly string[]>

const resolverTimeoutMs = 1500
const resolverTries = 2

/**
 * Asks the DNS directly. The system's own lookup runs on a few threads shared by all lookups of the process, so names
 * whose servers never answer would hold up all deliveries. Only names that the operator listed and names without a dot
 * use it: they may be in the hosts file, and no outsider can give them a DNS server.
 */
export function createLookup(allow: AllowList, servers?: readonly string[]): Lookup {
  return async (host) => {
    const local = allow.hosts.has(host) || !host.includes('.') || host.endsWith('.localhost')
    if (local) return (await systemLookup(host, { all: true })).map(({ address }) => address)
    // A new resolver each time, because it reads the machine's resolv.conf, which may have changed.
    const resolver = new Resolver({ timeout: resolverTimeoutMs, tries: resolverTries })
    if (servers !== undefined) resolver.setServers([...servers])
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    throw reasons.find((reason) => !isNotFound(reason)) ?? reasons[0]
  }
}

/** Whether a lookup failed permanently: the name does not exist, or has no address. */
export function isNotFound(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'ENOTFOUND' || code === 'ENODATA'
}
