import { eventNames, type KnownEventName, type WebhookEvent } from './events.generated.ts'
import { isSigned, keyOf, signatureOf, signedBytes } from './signature.ts'
import { SluiceWebhookError } from './webhook-error.ts'

const defaultToleranceSeconds = 5 * 60
/** While a secret rotates there are two. */
const mostSignatures = 20
const mostSecrets = 20

/** The raw body of the request, before any parser has seen it. */
export type WebhookBody = string | Uint8Array | ArrayBuffer

/** A `Headers`, or an object as Node has it: names in any case, values that may be lists. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** The endpoint's secret; several while you replace one endpoint by another. */
export type WebhookSecret = string | readonly string[]

export type VerifyOptions = {
  /** How far the time of the attempt may be from now, in either direction. Default 300. */
  readonly toleranceSeconds?: number | undefined
  /** Instead of the clock, in milliseconds; for tests. */
  readonly now?: number | undefined
}

export type SignOptions = {
  /** The id of the event. By default `id` of the body, or a new one. */
  readonly id?: string | undefined
  /** The time of the attempt, in milliseconds; by default the clock's. */
  readonly now?: number | undefined
}

/** An event of a newer server that this version has no type for. */
export type UnknownWebhookEvent = Pick<WebhookEvent, 'id' | 'created_at' | 'environment'> & {
  readonly event: string
  readonly data: unknown
}

/**
 * Whether this version knows the event, and its type is right. A newer server may send others, which a `switch` over the
 * names sends to its `default`: answer them with 2xx and ignore them.
 */
export function isKnownEvent(event: UnknownWebhookEvent | WebhookEvent): event is WebhookEvent {
  return eventNames.includes(event.event as KnownEventName)
}

export const webhooks = {
  /**
   * The event of a webhook, if it was signed with one of the secrets and its time is close to now; rejects with a
   * `SluiceWebhookError` otherwise. The same event may arrive more than once, with the same `id`.
   *
   * The type names the events of this version. One that a newer server added arrives too: `isKnownEvent` tells.
   */
  async verify(
    body: WebhookBody,
    headers: WebhookHeaders,
    secret: WebhookSecret,
    options: VerifyOptions = {},
  ): Promise<WebhookEvent> {
    const raw = bytesOf(body)
    const keys = await keysOf(secret)
    const id = headerOf(headers, 'webhook-id')
    const timestamp = headerOf(headers, 'webhook-timestamp')
    const signatures = headerOf(headers, 'webhook-signature').split(' ')
    checkTime(timestamp, options)
    // The same signed bytes could be read as another id and time.
    if (id.includes('.')) throw new SluiceWebhookError('malformed_header', 'webhook-id contains a dot.')
    const ours = signatures
      .filter((signature) => signature.startsWith('v1,'))
      .slice(0, mostSignatures)
      .map((signature) => signature.slice('v1,'.length))
    if (!(await isSigned(keys, ours, signedBytes(id, timestamp, raw)))) {
      throw new SluiceWebhookError(
        'wrong_signature',
        "No signature matches. Check that the secret is this endpoint's, and that the body is the raw one: parsing and " +
          'serialising it again changes its bytes.',
      )
    }
    return eventOf(raw)
  },

  /**
   * The headers of a webhook with this body, as Sluice sends them; for tests of your own handler. Several secrets sign as
   * while one is rotated.
   */
  async sign(
    body: WebhookBody,
    secret: WebhookSecret,
    options: SignOptions = {},
  ): Promise<{
    'content-type': string
    'webhook-id': string
    'webhook-timestamp': string
    'webhook-signature': string
  }> {
    const raw = bytesOf(body)
    const keys = await keysOf(secret)
    const id = options.id ?? idIn(raw) ?? `evt_${globalThis.crypto.randomUUID()}`
    const timestamp = String(Math.floor((options.now ?? Date.now()) / 1000))
    const signed = signedBytes(id, timestamp, raw)
    const signatures = await Promise.all(keys.map(async (key) => `v1,${await signatureOf(key, signed)}`))
    return {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    }
  },
} as const

async function keysOf(secret: WebhookSecret) {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!Array.isArray(secrets) || secrets.length === 0 || secrets.length > mostSecrets)
    throw new TypeError(`Pass the secret of the webhook endpoint, or a list of 1 to ${mostSecrets}.`)
  return Promise.all(secrets.map(keyOf))
}

function bytesOf(body: WebhookBody): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  // Copied, so that it cannot change between the check and the parsing.
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body.slice(0))
  throw new TypeError(
    'The body must be the raw one, as text or bytes: await request.text(), or express.raw({ type: "application/json" }). A ' +
      'parsed body cannot be verified.',
  )
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = findHeader(headers, name)
  if (value === '') {
    throw new SluiceWebhookError(
      'missing_header',
      `The header ${name} is missing. Pass all headers of the request; without it, this is no webhook of Sluice.`,
    )
  }
  return value
}

function findHeader(headers: WebhookHeaders, name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? ''
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name) return typeof value === 'string' ? value : (value ?? []).join(' ')
  }
  return ''
}

function checkTime(timestamp: string, { toleranceSeconds, now }: VerifyOptions): void {
  const tolerance = toleranceSeconds ?? defaultToleranceSeconds
  if (!(tolerance >= 0)) throw new TypeError('toleranceSeconds must be 0 or more.')
  if (!/^\d{1,12}$/.test(timestamp))
    throw new SluiceWebhookError('malformed_header', 'webhook-timestamp is not a number of seconds.')
  const age = Math.floor((now ?? Date.now()) / 1000) - Number(timestamp)
  if (Math.abs(age) <= tolerance) return
  const [reason, where] =
    age > 0 ? (['timestamp_too_old', 'old'] as const) : (['timestamp_too_new', 'ahead'] as const)
  throw new SluiceWebhookError(
    reason,
    `The webhook is ${Math.abs(age)} seconds ${where}, and ${tolerance} are allowed. If that happens to all of them, set the clock of ` +
      'this machine.',
  )
}

function eventOf(raw: Uint8Array): WebhookEvent {
  const event = parsed(raw)
  if (typeof event?.id === 'string' && typeof event.event === 'string' && event.data !== undefined) {
    // The server guarantees the type of what it signs.
    return event as WebhookEvent
  }
  throw new SluiceWebhookError(
    'malformed_body',
    'The body is signed but is no event of Sluice: something else signs with this secret.',
  )
}

function idIn(raw: Uint8Array): string | undefined {
  const id = parsed(raw)?.id
  return typeof id === 'string' && id !== '' ? id : undefined
}

function parsed(raw: Uint8Array): Partial<Record<keyof WebhookEvent, unknown>> | null {
  try {
    return JSON.parse(new TextDecoder().decode(raw))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
