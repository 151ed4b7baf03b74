import { createHash } from 'node:crypto'
import type { App } from '../app.ts'

const tokenBytes = 32

/** A secret for a cookie or a link, of which only the hash is stored. */
export function makeToken({ random }: Pick<App, 'random'>): string {
  return random(tokenBytes).toString('base64url')
}

export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
