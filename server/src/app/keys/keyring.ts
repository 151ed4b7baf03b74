import { hash } from 'node:crypto'
import { isApiKey } from '../../domain/api-keys.ts'
import type { Caller, MerchantSettings } from '../../domain/caller.ts'
import type { ApiKey } from '../../store/api-keys.ts'

// A revoked key must stop within 5 s on every process, also when its notification is lost.
const refreshAfterMs = 2_000
const forgetAfterMs = 4_500
const maxKeys = 10_000

/** The keys this process has met, kept in memory so that a request does not wait for the database. */
export type Keyring = {
  /** The caller a key stands for, or null. At once when the key is known and fresh, otherwise after one lookup. */
  find(key: string): Caller | null | Promise<Caller | null>
  /** Looks the key with this id up again before it is next believed. */
  forget(keyId: string): void
  forgetAll(): void
}

const actorOf = (keyId: string) => `key:${keyId}`

type Held = { readonly caller: Caller; readonly readAt: number }

export function createKeyring(options: {
  findByHash: (hash: Buffer) => Promise<(ApiKey & { readonly merchant: MerchantSettings }) | null>
  /** Monotonic milliseconds. */
  now: () => number
}): Keyring {
  const held = new Map<string, Held>()
  const lookups = new Map<string, Promise<Caller | null>>()
  let forgotten = 0

  function lookup(digest: string): Promise<Caller | null> {
    const running = lookups.get(digest)
    if (running !== undefined) return running
    const started = read(digest).finally(() => {
      if (lookups.get(digest) === started) lookups.delete(digest)
    })
    lookups.set(digest, started)
    return started
  }

  async function read(digest: string): Promise<Caller | null> {
    // The answer is as old as the question: a revocation may commit while it is on its way.
    const readAt = options.now()
    const forgottenBefore = forgotten
    const key = await options.findByHash(Buffer.from(digest, 'base64'))
    if (key === null || key.revokedAt !== null) {
      held.delete(digest)
      return null
    }
    const caller: Caller = {
      actor: actorOf(key.id),
      person: null,
      merchantId: key.merchantId,
      environment: key.environment,
      permissions: new Set(key.permissions),
      merchant: key.merchant,
    }
    if (forgotten !== forgottenBefore) return caller
    if (held.size >= maxKeys) for (const oldest of held.keys()) if (held.delete(oldest)) break
    held.set(digest, { caller, readAt })
    return caller
  }

  // A lookup already under way may have read its row before the change: nobody else joins it, and it is not held.
  function forgetLookups(): void {
    forgotten++
    lookups.clear()
  }

  return {
    find(key) {
      if (!isApiKey(key)) return null
      const digest = hash('sha256', key, 'base64')
      const entry = held.get(digest)
      const age = entry === undefined ? Number.POSITIVE_INFINITY : options.now() - entry.readAt
      if (entry === undefined || age > forgetAfterMs) return lookup(digest)
      // A failed refresh is no one's answer: the entry simply grows older until it must be looked up.
      if (age > refreshAfterMs) lookup(digest).catch(() => {})
      return entry.caller
    },
    forget(keyId) {
      forgetLookups()
      for (const [digest, { caller }] of held) if (caller.actor === actorOf(keyId)) held.delete(digest)
    },
    forgetAll() {
      forgetLookups()
      held.clear()
    },
  }
}
