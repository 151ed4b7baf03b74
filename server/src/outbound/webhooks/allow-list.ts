import { isIP } from 'node:net'
import { type IpRange, isWithin, parseIp, parseRange } from '../../domain/ip-address.ts'
import { isForbidden } from './address-guard.ts'
import type { Target } from './target.ts'

/**
 * Private destinations that the operator lets webhooks reach: host names, with all addresses they resolve to, and address ranges.
 */
export type AllowList = { readonly hosts: ReadonlySet<string>; readonly ranges: readonly IpRange[] }

export const nothingAllowed: AllowList = { hosts: new Set(), ranges: [] }

/**
 * Reads hosts and CIDR ranges as the operator wrote them and skips blank ones. `problems` names each entry that is
 * neither.
 */
export function readAllowList(texts: readonly string[]): { allow: AllowList; problems: string[] } {
  const hosts = new Set<string>()
  const ranges: IpRange[] = []
  const problems: string[] = []
  for (const text of texts.map((given) => given.trim()).filter((given) => given !== '')) {
    const range = parseRange(text.replace(/^\[(.*)\]$/, '$1'))
    const host = range === null ? readHost(text) : null
    if (range !== null) ranges.push(range)
    else if (host !== null) hosts.add(host)
    else problems.push(`"${text}" is not a host name, an IP address or a CIDR range such as 10.0.0.0/8`)
  }
  return { allow: { hosts, ranges }, problems }
}

/** Whether the operator lets webhooks reach this address of this host. */
export function isAllowed(allow: AllowList, host: string, ip: string): boolean {
  const address = parseIp(ip)
  return address !== null && (allow.hosts.has(host) || allow.ranges.some((range) => isWithin(address, range)))
}

/** Whether we may connect to this address of the target. Unencrypted connections need the operator's permission. */
export function mayReach(allow: AllowList, target: Target, ip: string): boolean {
  return isAllowed(allow, target.host, ip) || (target.secure && !isForbidden(ip))
}

/** A host name as the URL parser writes it. Null for text that the parser reads as a disguised address (`0x7f.1`). */
function readHost(text: string): string | null {
  if (/[\p{Cc}\s/\\:@?#%*[\]]/u.test(text) || !URL.canParse(`http://${text}/`)) return null
  const host = new URL(`http://${text}/`).hostname.replace(/\.$/, '')
  return isIP(host) === 0 && host !== '' ? host : null
}
