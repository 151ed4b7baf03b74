/**
 * A value of a server's answer, as a sentence may show it. Nothing but plain values has a text: that of an object is whatever its
 * `toString` says, which may be none.
 */
export function shownText(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'string') return value
  const isPlain = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
  return isPlain ? String(value) : 'something else'
}
