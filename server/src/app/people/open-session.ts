import { createHash } from 'node:crypto'
import { uuidv7 } from '../../domain/ids.ts'
import type { Proof } from '../../domain/people.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'

const tokenBytes = 32

/** The most that is kept of what a browser says it is. */
export const maxUserAgent = 500

/** Where a request came from. */
export type Origin = { readonly ip: string; readonly userAgent: string }

/** The same with what else its browser brings: the host that it believes to speak with, and its cookie's token. */
export type Arrival = Origin & { readonly host: string; readonly token: string | null }

export type Opening = {
  readonly userId: string
  readonly isComplete: boolean
  readonly provedBy: Proof | null
  readonly from: Origin
}

/** Begins a session and returns its cookie's value, which exists nowhere else. Every gain of power has one of its own. */
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
