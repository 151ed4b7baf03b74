import { createHash, createHmac } from 'node:crypto'

export type S3Credentials = { readonly keyId: string; readonly secret: string; readonly region: string }

export type SignedRequest = {
  readonly method: string
  /** The path as it is sent, percent-encoded once. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** All of them are signed; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly bodySha256: string
}

const algorithm = 'AWS4-HMAC-SHA256'

/**
 * The `Authorization` header of AWS Signature Version 4 (Amazon S3 API reference, "Authenticating requests: using the
 * authorization header"). `at` is the time in the request's `x-amz-date`.
 */
export function authorization(
  { keyId, secret, region }: S3Credentials,
  service: string,
  request: SignedRequest,
  at: string,
): string {
  const names = Object.keys(request.headers).sort()
  const canonical = [
    request.method,
    request.path,
    canonicalQuery(request.query),
    ...names.map((name) => `${name}:${request.headers[name]?.trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    request.bodySha256,
  ].join('\n')
  const scope = `${at.slice(0, 8)}/${region}/${service}/aws4_request`
  const toSign = [algorithm, at, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = scope
    .split('/')
    .reduce<Buffer>((before, part) => hmac(before, part), Buffer.from(`AWS4${secret}`, 'utf8'))
  const signature = hmac(key, toSign).toString('hex')
  return `${algorithm} Credential=${keyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
}

/** Sorted by name, as it is signed; it may be sent like that too. */
export function canonicalQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

/** RFC 3986: everything but unreserved characters is encoded, unlike in `encodeURIComponent`. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
