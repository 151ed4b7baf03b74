import { isIP } from 'node:net'
import type { Environment } from '../../domain/environment.ts'
import { plainUrlProblem } from '../../domain/plain-urls.ts'
import { isForbidden } from './address-guard.ts'
import { type AllowList, isAllowed, mayReach } from './allow-list.ts'
import { createLookup, isNotFound, type Lookup } from './lookup.ts'
import { readTarget, type Target } from './target.ts'

export type CheckOptions = {
  readonly environment: Environment
  readonly allow: AllowList
  readonly lookup?: Lookup
}

/**
 * What is wrong with a URL as a webhook endpoint, or null. This check only helps the merchant who registers it: a name
 * may resolve elsewhere a moment later, so the client judges every connection again.
 */
export async function checkTarget(text: string, options: CheckOptions): Promise<string | null> {
  const problem = plainUrlProblem(text)
  if (problem !== null) return problem
  const target = readTarget(text)
  if (target === null) return 'must be an https URL'
  if (!target.secure && options.environment !== 'test') return 'must be an https URL'
  return checkAddresses(target, options)
}

async function checkAddresses(target: Target, options: CheckOptions): Promise<string | null> {
  const { allow, lookup = createLookup(allow) } = options
  let addresses: readonly string[]
  try {
    addresses = isIP(target.host) === 0 ? await lookup(target.host) : [target.host]
  } catch (error) {
    // A resolver outage says nothing about the URL, and the client still guards every connection.
    return isNotFound(error) ? unknownHost : null
  }
  if (addresses.length === 0) return unknownHost
  if (addresses.some((ip) => mayReach(allow, target, ip))) return null
  if (addresses.every((ip) => isForbidden(ip) && !isAllowed(allow, target.host, ip))) {
    return 'must not point to a private or reserved address that the operator does not allow'
  }
  return 'must be an https URL: http works only for hosts that the operator allows'
}

const unknownHost = 'must name a host that resolves'
