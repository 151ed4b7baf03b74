/**
 * The token of a link that was mailed. It stands behind the `#`, which no browser sends anywhere, and is taken out of the
 * address at once, so that it stays in no history.
 */
export function takeToken(over: Pick<Window, 'location' | 'history'>): string | null {
  const token = /^#(?:token=)?([\w-]{20,200})$/.exec(over.location.hash)?.[1] ?? null
  if (token !== null) over.history.replaceState({}, '', over.location.pathname)
  return token
}
