const maxCookieBytes = 4_096
const tokenPattern = /^[\w-]{43}$/

/** The cookie of a session: only for our own pages, unseen by scripts, and by https only where the service has it. */
export type SessionCookie = {
  /** The token that a request shows; null when it shows none that could be one. */
  read(header: string | undefined): string | null
  /** What to answer with, so that the browser keeps a token. */
  set(token: string): Record<'Set-Cookie', string>
  /** What to answer with, so that it forgets it. */
  clear(): Record<'Set-Cookie', string>
}

/** `isSecure`: whether people reach the service by https. Then no other host and no plain connection can set the cookie. */
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
      // Two of one name: somebody else has set one of them.
      return found.length === 1 && tokenPattern.test(token) ? token : null
    },
    set: (token) => say(token),
    clear: () => say('', '; Max-Age=0'),
  }
}
