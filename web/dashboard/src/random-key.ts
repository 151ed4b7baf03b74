const bytes = 16

/**
 * The idempotency keys of a form: the same for the same request, also once its answer was lost, so that pressing again does not
 * act again; another for another request.
 */
export function keysOfForm(): (request: object) => string {
  let last = ''
  let key = ''
  return (request) => {
    const text = JSON.stringify(request)
    if (text !== last) key = randomKey()
    last = text
    return key
  }
}

/** A random idempotency key. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
