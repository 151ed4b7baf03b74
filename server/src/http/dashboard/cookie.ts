const maxCookieBytes = 4_096
const tokenPattern = /^[\w-]{43}$/

/** The session cookie: sent only to our own pages, hidden from scripts, and https-only if the service uses https. */
export type SessionCookie = {
  /** The token in a request's cookies; null if there is none that is well-formed. */
  read(header: string | undefined): string | null
  /** The header that makes the browser keep a token. */
  set(token: string): Record<'Set-Cookie', string>
  /** The header that makes the browser forget it. */
  clear(): Record<'Set-Cookie', string>
}

/**
 * `isSecure`: whether users reach the service by https. Then no other host and no plain connection can set the cookie.
 */
export function sessionCookie(isSecure: () => boolean): SessionCookie {
  const nameOf = () => (isSecure() ? '__Host-sluice_session' : 'sluice_session')
  const say = (value: string, more = '') => ({
    'Set-Cookie': `${nameOf()}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure() ? '; Secure' : ''}${more}`,
  })
  return {
    read(header) {
      if (header === undefined || header.length > maxCookieBytes) return null
      const name = `${nameOf()}=`
      const found = header
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part.startsWith(name))
      const token = found[0]?.slice(name.length) ?? ''
      // Two cookies of one name: one of them was set by another party.
      return found.length === 1 && tokenPattern.test(token) ? token : null
    },
    set: (token) => say(token),
    clear: () => say('', '; Max-Age=0'),
  }
}
