import { apiKeysOn } from './api-keys.ts'
import type { Db } from './database.ts'
import { eventsOn } from './events.ts'
import { merchantsOn } from './merchants.ts'
import { ratesOn } from './rates.ts'

/** Every table behind one door, on the pool or inside a transaction. */
export function storeOn(db: Db) {
  return { merchants: merchantsOn(db), apiKeys: apiKeysOn(db), events: eventsOn(db), rates: ratesOn(db) }
}

export type Store = ReturnType<typeof storeOn>
