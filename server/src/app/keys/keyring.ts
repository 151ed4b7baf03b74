import { hash } from 'node:crypto'
import { isApiKey } from '../../domain/api-keys.ts'
import type { Caller, MerchantSettings } from '../../domain/caller.ts'
import type { IpRange } from '../../domain/ip-address.ts'
import { isAtPlace, readKeyPlaces } from '../../domain/key-places.ts'
import type { ApiKey } from '../../store/merchants/api-keys.ts'

// Every process must refuse a revoked key within 5 s, even if the notification is lost.
const refreshAfterMs = 2_000
const forgetAfterMs = 4_500
const maxKeys = 10_000

/** The keys this process has seen, held in memory so that requests do not wait for the database. */
export type Keyring = {
  /**
   * The caller behind a key that is used from this address; null for a key that is unknown, expired or not allowed from
   * there. Synchronous while the key is held and fresh, otherwise after one lookup.
   */
  find(key: string, ip: string): Caller | null | Promise<Caller | null>
  /** Forces a new lookup before the key with this id is next accepted. */
  forget(keyId: string): void
  forgetAll(): void
}

const actorOf = (keyId: string) => `key:${keyId}`

type Held = {
  readonly caller: Caller
  readonly keyId: string
  /** In milliseconds since 1970; null when the key does not expire. */
  readonly expiresAt: number | null
  /** Null when the key may be used from anywhere. */
  readonly places: readonly IpRange[] | null
  readonly readAt: number
  isNoted: boolean
}

export function createKeyring(options: {
  findByHash: (hash: Buffer) => Promise<(ApiKey & { readonly merchant: MerchantSettings }) | null>
  /** Monotonic milliseconds. */
  now: () => number
  /** Milliseconds since 1970, by the database's clock. */
  time: () => number
  /** Called about every other second while a key is in use. */
  onUse: (keyId: string) => void
}): Keyring {
  const held = new Map<string, Held>()
  const lookups = new Map<string, Promise<Held | null>>()
  let forgotten = 0

  function lookup(digest: string): Promise<Held | null> {
    const running = lookups.get(digest)
    if (running !== undefined) return running
    const started = read(digest).finally(() => {
      if (lookups.get(digest) === started) lookups.delete(digest)
    })
    lookups.set(digest, started)
    return started
  }

  async function read(digest: string): Promise<Held | null> {
    // Date the answer from the query: a revocation may commit while the answer is on its way.
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
    const entry: Held = {
      caller,
      keyId: key.id,
      readAt,
      isNoted: false,
      expiresAt: key.expiresAt?.getTime() ?? null,
      places: key.allowedIps === null ? null : readKeyPlaces(key.allowedIps).ranges,
    }
    if (forgotten !== forgottenBefore) return entry
    if (held.size >= maxKeys) for (const oldest of held.keys()) if (held.delete(oldest)) break
    held.set(digest, entry)
    return entry
  }

  function admit(entry: Held, ip: string): Caller | null {
    if (entry.expiresAt !== null && entry.expiresAt <= options.time()) return null
    if (entry.places !== null && !isAtPlace(entry.places, ip)) return null
    // Once per lookup, so about every other second: often enough to show that the key is in use.
    if (!entry.isNoted) {
      entry.isNoted = true
      options.onUse(entry.keyId)
    }
    return entry.caller
  }

  // A running lookup may have read its row before the change: no new request joins it, and its result is not held.
  function forgetLookups(): void {
    forgotten++
    lookups.clear()
  }

  return {
    find(key, ip) {
      if (!isApiKey(key)) return null
      const digest = hash('sha256', key, 'base64')
      const entry = held.get(digest)
      const age = entry === undefined ? Number.POSITIVE_INFINITY : options.now() - entry.readAt
      if (entry === undefined || age > forgetAfterMs)
        return lookup(digest).then((found) => (found === null ? null : admit(found, ip)))
      // No request waits for this refresh. If it fails, the entry ages until a lookup is due.
      if (age > refreshAfterMs) lookup(digest).catch(() => {})
      return admit(entry, ip)
    },
    forget(keyId) {
      forgetLookups()
      for (const [digest, entry] of held) if (entry.keyId === keyId) held.delete(digest)
    },
    forgetAll() {
      forgetLookups()
      held.clear()
    },
  }
}
