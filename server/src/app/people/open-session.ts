import { uuidv7 } from '../../domain/ids.ts'
import type { Proof } from '../../domain/people.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import type { Browser } from './arrival.ts'
import { meetDevice } from './meet-device.ts'
import { hashOfToken, makeToken } from './tokens.ts'

export type Opening = {
  readonly userId: string
  readonly isComplete: boolean
  readonly provedBy: Proof | null
  readonly from: Browser
}

/** What a browser is to keep in its cookies, stored only as hashes. */
export type Entry = {
  readonly token: string
  /** The tokens of the device; null: as they are. */
  readonly devices: readonly string[] | null
}

/** Begins a session. Every gain of power begins a new one. */
export async function openSession(
  app: Pick<App, 'now' | 'random' | 'people'>,
  tx: Store,
  { userId, isComplete, provedBy, from }: Opening,
): Promise<Entry> {
  const token = makeToken(app)
  const device = isComplete ? await meetDevice(app, tx, userId, from) : null
  await tx.sessions.insert({
    id: uuidv7(app.now()),
    tokenHash: hashOfToken(token),
    ip: from.ip,
    userAgent: from.userAgent,
    deviceHash: device?.hash ?? null,
    isNewDevice: device?.isNew ?? false,
    userId,
    isComplete,
    provedBy,
  })
  return { token, devices: device?.tokens ?? null }
}
