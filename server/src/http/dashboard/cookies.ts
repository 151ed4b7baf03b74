import type { Entry } from '../../app/people/open-session.ts'

const maxCookieBytes = 4_096
const tokenPattern = /^[\w-]{43}$/
const devicePattern = /^[\w-]{43}(\.[\w-]{43}){0,4}$/
// The longest time that browsers keep a cookie. Every sign-in begins it anew.
const deviceSeconds = 400 * 24 * 60 * 60

/** The dashboard's cookies: sent only to our own pages, hidden from scripts, and https-only if the service uses https. */
export type DashboardCookies = {
  /** The tokens in a request's cookies, as far as they are well-formed. */
  read(header: string | undefined): { readonly token: string | null; readonly devices: readonly string[] }
  /** The headers that make the browser keep the tokens of a session and of the device. */
  set(entry: Entry): Record<'Set-Cookie', string[]>
  /** The header that makes the browser forget the session. The device stays known. */
  clear(): Record<'Set-Cookie', string[]>
}

/**
 * `isSecure`: whether users reach the service by https. Then no other host and no plain connection can set the cookies.
 */
export function dashboardCookies(isSecure: () => boolean): DashboardCookies {
  const nameOf = (cookie: 'session' | 'device') => `${isSecure() ? '__Host-' : ''}sluice_${cookie}`
  const say = (cookie: 'session' | 'device', value: string, more = '') =>
    `${nameOf(cookie)}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure() ? '; Secure' : ''}${more}`
  const find = (header: string, cookie: 'session' | 'device', pattern: RegExp): string | null => {
    const name = `${nameOf(cookie)}=`
    const found = header
      .split(';')
      .map((part) => part.trim())
      .filter((part) => part.startsWith(name))
    const value = found[0]?.slice(name.length) ?? ''
    // Two cookies of one name: one of them was set by another party.
    return found.length === 1 && pattern.test(value) ? value : null
  }
  return {
    read(header) {
      if (header === undefined || header.length > maxCookieBytes) return { token: null, devices: [] }
      const token = find(header, 'session', tokenPattern)
      return { token, devices: find(header, 'device', devicePattern)?.split('.') ?? [] }
    },
    set: ({ token, devices }) => ({
      'Set-Cookie': [
        say('session', token),
        ...(devices === null ? [] : [say('device', devices.join('.'), `; Max-Age=${deviceSeconds}`)]),
      ],
    }),
    clear: () => ({ 'Set-Cookie': [say('session', '', '; Max-Age=0')] }),
  }
}
