import { createHash } from 'node:crypto'
import { uuidv7 } from '../../domain/ids.ts'
import type { Proof } from '../../domain/people.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'

const tokenBytes = 32

/** The most characters kept of a browser's user agent. */
export const maxUserAgent = 500

/** Where a request came from. */
export type Origin = { readonly ip: string; readonly userAgent: string }

/** The origin with the request's host header and the token of its cookie. */
export type Arrival = Origin & { readonly host: string; readonly token: string | null }

export type Opening = {
  readonly userId: string
  readonly isComplete: boolean
  readonly provedBy: Proof | null
  readonly from: Origin
}

/** Begins a session and returns its cookie's value, stored only as a hash. Every gain of power begins a new session. */
export async function openSession(
  app: Pick<App, 'now' | 'random'>,
  tx: Store,
  { userId, isComplete, provedBy, from }: Opening,
): Promise<string> {
  const token = app.random(tokenBytes).toString('base64url')
  await tx.sessions.insert({
    id: uuidv7(app.now()),
    tokenHash: hashOfToken(token),
    ip: from.ip,
    userAgent: from.userAgent,
    userId,
    isComplete,
    provedBy,
  })
  return token
}

export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
