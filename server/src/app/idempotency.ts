import { createHash } from 'node:crypto'
import { canonicalJson } from '../domain/canonical-json.ts'
import { ServiceError } from '../domain/errors.ts'

/** Identifies a request under an idempotency key: a hash of the body as sent, without the key and without nulls. */
export function requestHash(body: Readonly<Record<string, unknown>>): Buffer {
  const sent = Object.entries(body).filter(([name, value]) => name !== 'idempotency_key' && value !== null)
  return createHash('sha256')
    .update(canonicalJson(Object.fromEntries(sent)))
    .digest()
}

/** The error for an idempotency key that was already used for a different request. */
export function keyMismatch(): ServiceError {
  return new ServiceError(
    'idempotency_key_mismatch',
    'This idempotency key was used for a different request. Use a new key, or repeat the first request unchanged.',
    ['/idempotency_key: was used with a different body'],
  )
}
