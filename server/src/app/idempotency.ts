import { createHash } from 'node:crypto'
import { canonicalJson } from '../domain/canonical-json.ts'
import { ServiceError } from '../domain/errors.ts'

/** What makes two requests with one idempotency key the same: the body as sent, without the key and without nulls. */
export function requestHash(body: Readonly<Record<string, unknown>>): Buffer {
  const sent = Object.entries(body).filter(([name, value]) => name !== 'idempotency_key' && value !== null)
  return createHash('sha256')
    .update(canonicalJson(Object.fromEntries(sent)))
    .digest()
}

/** The refusal of a key that was used for another request. */
export function keyMismatch(): ServiceError {
  return new ServiceError(
    'idempotency_key_mismatch',
    'This idempotency key was used for another request. Use a new key, or send the first request again unchanged.',
    ['/idempotency_key: was used with another body'],
  )
}
