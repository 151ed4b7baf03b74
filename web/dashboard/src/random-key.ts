const bytes = 16

/** A key that nobody had before: sent with what must happen once, so that a second press does nothing twice. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
