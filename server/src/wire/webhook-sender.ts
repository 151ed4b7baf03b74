import type { WebhookSender } from '../cli/developer/forward.ts'
import { readTarget } from '../outbound/webhooks/target.ts'
import { createWebhookClient } from '../outbound/webhooks/webhook-client.ts'

/** The client of deliveries, for one receiver that the developer chose: any address of that host is allowed. */
export function openWebhookSender(url: string): WebhookSender {
  const host = readTarget(url)?.host
  const client = createWebhookClient({
    allow: { hosts: new Set(host === undefined ? [] : [host]), ranges: [] },
  })
  return {
    async post(body, headers) {
      const outcome = await client.post({ url, body, headers })
      const durationMs = Math.round(outcome.durationMs)
      if (outcome.kind === 'answered') return { status: outcome.status, durationMs, error: null }
      const error = outcome.code === null ? outcome.reason : `${outcome.reason} (${outcome.code})`
      return { status: null, durationMs, error }
    },
    close: () => client.close(),
  }
}
