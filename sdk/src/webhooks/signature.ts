/**
 * Signatures by the Standard Webhooks specification (https://www.standardwebhooks.com): HMAC-SHA256 over
 * `id.timestamp.body`, by WebCrypto, which every supported runtime has.
 */

const secretPrefix = 'whsec_'
/** The secret sizes that the standard allows. */
const minSecretBytes = 24
const maxSecretBytes = 64
const hmac = { name: 'HMAC', hash: 'SHA-256' } as const

type Bytes = Uint8Array<ArrayBuffer>
type Key = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>

/** The key of a secret. Throws a `TypeError`, which does not show it, unless it is one. */
export async function keyOf(secret: unknown): Promise<Key> {
  const text = typeof secret === 'string' ? secret : ''
  const bytes = bytesOfBase64(text.startsWith(secretPrefix) ? text.slice(secretPrefix.length) : text)
  if (bytes === null || bytes.length < minSecretBytes || bytes.length > maxSecretBytes) {
    throw new TypeError(
      'The secret must be that of the webhook endpoint: whsec_ and base64. Was the right environment variable read?',
    )
  }
  return globalThis.crypto.subtle.importKey('raw', bytes, hmac, false, ['sign', 'verify'])
}

/** The bytes that a signature covers. */
export function signedBytes(id: string, timestamp: string, body: Bytes): Bytes {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
}

/** The signature in base64. */
export async function signatureOf(key: Key, signed: Bytes): Promise<string> {
  const bytes = new Uint8Array(await globalThis.crypto.subtle.sign(hmac.name, key, signed))
  return btoa(String.fromCharCode(...bytes))
}

/** Whether one of the signatures was made with one of the keys. WebCrypto compares in constant time. */
export async function isSigned(
  keys: readonly Key[],
  signatures: readonly string[],
  signed: Bytes,
): Promise<boolean> {
  for (const signature of signatures) {
    const bytes = bytesOfBase64(signature)
    if (bytes === null) continue
    for (const key of keys)
      if (await globalThis.crypto.subtle.verify(hmac.name, key, bytes, signed)) return true
  }
  return false
}

function bytesOfBase64(text: string): Bytes | null {
  // `atob` is forgiving: it takes white space and missing padding, so two texts would be one signature.
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return null
  const decoded = atob(text)
  // It also ignores the bits that the last character has too many.
  return btoa(decoded) === text ? Uint8Array.from(decoded, (char) => char.charCodeAt(0)) : null
}
