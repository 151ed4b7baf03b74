/**
 * A reading that may be asked for at any rate and is made at most once in `keepMs`, by one caller at a time. A caller gets
 * null if the reading fails, or takes longer than `waitMs`; in that case it goes on, for the next caller.
 */
export function keptReading<T>(options: {
  read: () => Promise<T>
  keepMs: number
  waitMs: number
  now: () => number
  onError: (error: unknown) => void
}): () => Promise<T | null> {
  let kept: { readonly value: T | null; readonly at: number } | null = null
  let reading: Promise<T | null> | null = null

  async function begin(): Promise<T | null> {
    let value: T | null = null
    try {
      value = await options.read()
    } catch (error) {
      options.onError(error)
    }
    // A failure is kept too: an outage is no reason to ask more often.
    kept = { value, at: options.now() }
    return value
  }

  return async () => {
    if (kept !== null && options.now() - kept.at < options.keepMs) return kept.value
    reading ??= begin().finally(() => {
      reading = null
    })
    const tooLong = Promise.withResolvers<null>()
    const timer = setTimeout(() => tooLong.resolve(null), options.waitMs)
    try {
      return await Promise.race([reading, tooLong.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
