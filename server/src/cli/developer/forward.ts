import { hkdfSync } from 'node:crypto'
import type { Event } from '@sluice/sdk/contract'
import { plainHeaders, signedHeaders, webhookBody } from '../../domain/webhooks.ts'

const secretBytes = 32

/** Posts as deliveries are posted, to one receiver. */
export type WebhookSender = {
  post(body: string, headers: Readonly<Record<string, string>>): Promise<Answered>
  close(): void
}

export type Answered = {
  /** Null: there was no answer. */
  readonly status: number | null
  readonly durationMs: number
  /** Why there was none. */
  readonly error: string | null
}

/**
 * The secret that `listen` signs with: derived from the API key by HKDF (RFC 5869), so that it is the same each time and does
 * not reveal the key.
 */
export function listenSecret(key: string): string {
  const bytes = Buffer.from(hkdfSync('sha256', key, '', 'sluice listen', secretBytes))
  return `whsec_${bytes.toString('base64')}`
}

/** Sends an event on, with the bytes and the headers of a delivery. */
export function forward(sender: WebhookSender, secret: string, event: Event, now: Date): Promise<Answered> {
  const body = webhookBody({
    eventId: event.id.slice('evt_'.length),
    event: event.event,
    eventCreatedAt: new Date(event.created_at),
    environment: event.environment,
    data: JSON.stringify(event.data),
  })
  const timestampSeconds = Math.floor(now.getTime() / 1000)
  return sender.post(body, {
    ...plainHeaders,
    ...signedHeaders([secret], { id: event.id, timestampSeconds, body }),
  })
}

/** Whether it succeeded, as Sluice judges a delivery. */
export function isAccepted({ status }: Answered): boolean {
  return status !== null && status >= 200 && status < 300
}
