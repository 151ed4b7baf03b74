// When a user comes back, the last data is shown at once while the newest is loading.
const kept = new Map<string, unknown>()
const mostKept = 60

/** The data last shown under a key, if it is still kept. */
export function shownBefore<Data>(key: string): Data | null {
  return (kept.get(key) as Data | undefined) ?? null
}

/** Keeps data as what was last shown under a key. */
export function keepShown(key: string, data: unknown): void {
  kept.delete(key)
  kept.set(key, data)
  const [oldest] = kept.keys()
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
}

/** Forgets all data shown: another user may sign in here. */
export function forgetShown(): void {
  kept.clear()
}
