const maxShown = 300

/** A value of a server's answer, as a sentence may show it. What has no text of its own, such as an object, is never asked for one. */
export function shownText(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain || typeof value === 'bigint' ? String(value).slice(0, maxShown) : 'something else'
}
