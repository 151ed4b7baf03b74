const bytes = 16

/** A random idempotency key, so that pressing twice does not act twice. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
