import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'

/** How failed attempts are slowed down: `free` attempts without a wait, then each wait is twice the previous one. */
export type Throttle = {
  readonly subject: string
  readonly free: number
  readonly firstWaitMs: number
  readonly longestWaitMs: number
}

const secondMs = 1_000
const minuteMs = 60 * secondMs

/**
 * Password attempts for one email address, whether or not it has an account. Attempts from an IP address where the person
 * has signed in before (`knownAt`) are counted separately, so that strangers who guess cannot lock the person out.
 */
export function accountThrottle(email: string, knownAt: string | null): Throttle {
  const name = createHash('sha256').update(email.toLowerCase()).digest('hex')
  const subject = `account:${name}${knownAt === null ? '' : `@${networkOfIp(knownAt)}`}`
  return { subject, free: 5, firstWaitMs: secondMs, longestWaitMs: 15 * minuteMs }
}

/** Attempts with passwords, codes and links from one IP address, for any account. */
export function ipThrottle(ip: string): Throttle {
  return { subject: `ip:${networkOfIp(ip)}`, free: 30, firstWaitMs: secondMs, longestWaitMs: 15 * minuteMs }
}

/** Attempts with six-digit codes: at one guess an hour, finding a code takes decades. */
export function codeThrottle(userId: string): Throttle {
  return { subject: `code:${userId}`, free: 5, firstWaitMs: 5 * secondMs, longestWaitMs: 60 * minuteMs }
}

/** Password attempts by a signed-in person who confirms an action. */
export function passwordThrottle(userId: string): Throttle {
  return { subject: `password:${userId}`, free: 5, firstWaitMs: secondMs, longestWaitMs: 15 * minuteMs }
}

/** Password reset mails to one email address, which strangers can request. */
export function resetThrottle(email: string): Throttle {
  const name = createHash('sha256').update(email.toLowerCase()).digest('hex')
  return { subject: `reset:${name}`, free: 3, firstWaitMs: 5 * minuteMs, longestWaitMs: 60 * minuteMs }
}

/** The network to throttle: an IPv4 address itself, or the /64 of an IPv6 address, since one customer has all of it. */
export function networkOfIp(ip: string): string {
  if (!isIPv6(ip) || ip.includes('.')) return ip
  const [front = '', back] = ip.split('%')[0]?.split('::') ?? []
  const left = front === '' ? [] : front.split(':')
  const right = back === undefined || back === '' ? [] : back.split(':')
  const missing = back === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
