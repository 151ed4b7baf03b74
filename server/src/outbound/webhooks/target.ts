import { isIP } from 'node:net'

/** Where a URL leads, after the URL parser has undone every disguise of a host (`0x7f.1`, `%31`, full-width digits). */
export type Target = {
  readonly secure: boolean
  /** A name in lower case without the dot at its end, or an IP address without brackets. */
  readonly host: string
  readonly port: number
  /** The name that a certificate must be for; empty for an address, as RFC 6066 has no name then. */
  readonly servername: string
  /** What the `Host` header says, and path and query. */
  readonly authority: string
  readonly path: string
}

/** Reads an http or https URL; null when it is none. */
export function readTarget(text: string): Target | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  return {
    secure,
    host,
    servername: isIP(host) === 0 ? host : '',
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    authority: url.host,
    path: `${url.pathname}${url.search}`,
  }
}
