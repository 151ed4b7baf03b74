import type { KeyUse } from '../../store/merchants/api-keys.ts'

/** The shortest time between two writes of a key's last use. */
const noteUseEveryMs = 60_000
const maxNoted = 10_000

/** Collects which keys were used, to be written off the request path. */
export type UseNotes = {
  note(keyId: string): void
  /** Writes new uses in one statement, each key at most once a minute. */
  flush(): Promise<void>
}

export function createUseNotes(options: {
  save: (uses: readonly KeyUse[]) => Promise<void>
  now: () => Date
}): UseNotes {
  const pending = new Map<string, Date>()
  const writtenAt = new Map<string, number>()
  return {
    note(keyId) {
      if (pending.size < maxNoted || pending.has(keyId)) pending.set(keyId, options.now())
    },
    async flush() {
      const now = options.now().getTime()
      for (const [keyId, at] of writtenAt) if (at <= now - noteUseEveryMs) writtenAt.delete(keyId)
      const due = [...pending].filter(([keyId]) => !writtenAt.has(keyId))
      if (due.length === 0) return
      await options.save(due.map(([keyId, at]) => ({ keyId, at })))
      for (const [keyId, at] of due) {
        writtenAt.set(keyId, now)
        // A key that was used again meanwhile must still be written.
        if (pending.get(keyId) === at) pending.delete(keyId)
      }
    },
  }
}
