/**
 * The token of a mailed link. It follows the `#`, which browsers never send, and is removed from the URL at once, so
 * that it stays in no history.
 */
export function takeToken(over: Pick<Window, 'location' | 'history'>): string | null {
  const token = /^#(?:token=)?([\w-]{20,200})$/.exec(over.location.hash)?.[1] ?? null
  if (token !== null) over.history.replaceState({}, '', over.location.pathname)
  return token
}
