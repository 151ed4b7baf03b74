import { isIP } from 'node:net'
import type { Environment } from '../../domain/environment.ts'
import { isForbidden } from './address-guard.ts'
import { type AllowList, isAllowed, mayReach } from './allow-list.ts'
import { createLookup, isNotFound, type Lookup } from './lookup.ts'
import { readTarget, type Target } from './target.ts'

export const maxUrlLength = 2048

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
  if (text.length > maxUrlLength) return `must have at most ${maxUrlLength} characters`
  // The URL parser silently drops or repairs these; other software may read them differently.
  if (/[\p{Cc}\s\\]/u.test(text)) return 'must not contain spaces, control characters or backslashes'
  const target = readTarget(text)
  if (target === null) return 'must be an https URL'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (text.includes('#')) return 'must not contain a fragment'
  if (target.port === 0) return 'must have a port from 1 to 65535'
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
