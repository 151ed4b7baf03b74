import { isIP } from 'node:net'

/**
 * Where a URL points, after the URL parser has undone every disguise of a host (`0x7f.1`, `%31`, full-width digits).
 */
export type Target = {
  readonly secure: boolean
  /** A name in lower case without a trailing dot, or an IP address without brackets. */
  readonly host: string
  readonly port: number
  /** The name that the certificate must match; empty for an IP address, because RFC 6066 allows no name then. */
  readonly servername: string
  /** The `Host` header, then path and query. */
  readonly authority: string
  readonly path: string
}

/** Reads an http or https URL; null for anything else. */
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
