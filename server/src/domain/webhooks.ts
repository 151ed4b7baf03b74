import assert from 'node:assert'
import { createHmac } from 'node:crypto'

/**
 * Signing and retrying of webhooks by the Standard Webhooks specification (https://www.standardwebhooks.com), so that
 * receivers can verify ours with its ready-made libraries.
 */

const secretPrefix = 'whsec_'
const secretBytes = 32

/** The secret sizes that the standard allows. */
const minSecretBytes = 24
const maxSecretBytes = 64

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** The wait after each failed attempt: 5 s after the first, 24 h after the ninth. The tenth attempt is the last. */
const retryDelaysMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

/** The first attempt and all retries. */
export const maxAttempts = retryDelaysMs.length + 1

/** Each wait is up to this fraction longer or shorter, so that deliveries that failed together do not return together. */
const jitter = 0.1

/** The longest wait a receiver can ask for with Retry-After. */
export const maxRetryAfterMs = 24 * hourMs

/** What a receiver verifies. The body is exactly the text that is sent, so that signed and sent bytes are the same. */
export type SignedMessage = {
  readonly id: string
  readonly timestampSeconds: number
  readonly body: string
}

/** The headers of every webhook, besides the signature headers. */
export const plainHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'application/json',
  'User-Agent': 'Sluice-Webhooks/1',
}

/** The body of a webhook, identical at every attempt. `data` is the event's data as stored JSON. */
export function webhookBody(event: {
  readonly eventId: string
  readonly event: string
  readonly eventCreatedAt: Date
  readonly environment: string
  readonly data: string
}): string {
  const head = JSON.stringify({
    id: `evt_${event.eventId}`,
    event: event.event,
    created_at: event.eventCreatedAt.toISOString(),
    environment: event.environment,
  })
  return `${head.slice(0, -1)},"data":${event.data}}`
}

/** A new signing secret of an endpoint: `whsec_` and 32 random bytes in base64. */
export function makeSecret(random: (size: number) => Buffer): string {
  return `${secretPrefix}${random(secretBytes).toString('base64')}`
}

/** The signature of one message by one secret: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
export function signature(secret: string, id: string, timestampSeconds: number, body: string): string {
  // A dot in the id would let the same signed bytes be read as another id and timestamp.
  assert(!id.includes('.'), 'The id of a signed message has no dot.')
  assert(Number.isSafeInteger(timestampSeconds), 'The timestamp of a signed message is in whole seconds.')
  const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestampSeconds}.${body}`)
  return `v1,${mac.digest('base64')}`
}

/** The headers of a signed message: one signature a secret, the old and the new one while a secret rotates. */
export function signedHeaders(secrets: readonly string[], message: SignedMessage): Record<string, string> {
  assert(secrets.length > 0, 'A message is signed by at least one secret.')
  const { id, timestampSeconds, body } = message
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => signature(secret, id, timestampSeconds, body)).join(' '),
  }
}

/**
 * How long to wait after the `attempt`th attempt (counted from 1) failed, or null when it was the last. `random` is a
 * random number from 0 to 1. A receiver that asks for a longer wait gets it, up to a day. A shorter wait is not granted:
 * any endpoint could otherwise ask to be hammered.
 */
export function nextAttemptDelayMs(
  attempt: number,
  random: number,
  retryAfterMs: number | null = null,
): number | null {
  assert(Number.isSafeInteger(attempt) && attempt >= 1, 'Attempts are counted from 1.')
  const delayMs = retryDelaysMs[attempt - 1]
  if (delayMs === undefined) return null
  const scheduledMs = Math.round(delayMs * (1 + jitter * (2 * random - 1)))
  return Math.max(scheduledMs, Math.min(retryAfterMs ?? 0, maxRetryAfterMs))
}

/** Whether a text is a secret that messages can be signed with. */
export function isWebhookSecret(text: string): boolean {
  const key = Buffer.from(text.slice(secretPrefix.length), 'base64')
  // Node reads base64 leniently: a damaged secret would still sign, and receivers could not tell why verification fails.
  const whole = text === `${secretPrefix}${key.toString('base64')}`
  return whole && key.length >= minSecretBytes && key.length <= maxSecretBytes
}

function keyOf(secret: string): Buffer {
  assert(isWebhookSecret(secret), 'A webhook secret is whsec_ and 24 to 64 bytes in base64.')
  return Buffer.from(secret.slice(secretPrefix.length), 'base64')
}
