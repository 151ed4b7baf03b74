import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'

/** How attempts that fail are slowed down: so many are free, then each wait is twice the one before. */
export type Throttle = {
  readonly subject: string
  readonly free: number
  readonly firstWaitMs: number
  readonly longestWaitMs: number
}

const secondMs = 1_000
const minuteMs = 60 * secondMs

/**
 * Passwords tried on one account, whether or not there is one. From an address where the person has been signed in before
 * (`knownAt`) they are counted apart, so that strangers who guess cannot keep the person out.
 */
export function accountThrottle(email: string, knownAt: string | null): Throttle {
  const name = createHash('sha256').update(email.toLowerCase()).digest('hex')
  const subject = `account:${name}${knownAt === null ? '' : `@${networkOfIp(knownAt)}`}`
  return { subject, free: 5, firstWaitMs: secondMs, longestWaitMs: 15 * minuteMs }
}

/** Passwords, codes and links tried from one address, on whatever accounts. */
export function ipThrottle(ip: string): Throttle {
  return { subject: `ip:${networkOfIp(ip)}`, free: 30, firstWaitMs: secondMs, longestWaitMs: 15 * minuteMs }
}

/** Codes of six digits: with at most one in an hour, guessing one takes decades. */
export function codeThrottle(userId: string): Throttle {
  return { subject: `code:${userId}`, free: 5, firstWaitMs: 5 * secondMs, longestWaitMs: 60 * minuteMs }
}

/** Passwords given again by who is signed in. */
export function passwordThrottle(userId: string): Throttle {
  return { subject: `password:${userId}`, free: 5, firstWaitMs: secondMs, longestWaitMs: 15 * minuteMs }
}

/** Mails that strangers ask to be sent to one address. */
export function resetThrottle(email: string): Throttle {
  const name = createHash('sha256').update(email.toLowerCase()).digest('hex')
  return { subject: `reset:${name}`, free: 3, firstWaitMs: 5 * minuteMs, longestWaitMs: 60 * minuteMs }
}

/** An IPv6 customer has a whole /64 to call from. */
export function networkOfIp(ip: string): string {
  if (!isIPv6(ip) || ip.includes('.')) return ip
  const [front = '', back] = ip.split('%')[0]?.split('::') ?? []
  const left = front === '' ? [] : front.split(':')
  const right = back === undefined || back === '' ? [] : back.split(':')
  const missing = back === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
