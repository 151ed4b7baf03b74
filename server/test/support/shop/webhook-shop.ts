import type { App } from '../../../src/app/app.ts'
import { createEndpoint, type EndpointWithSecret } from '../../../src/app/webhooks/create-endpoint.ts'
import { uuidv7 } from '../../../src/domain/ids.ts'
import { inventedEvents } from './invented-events.ts'

/** Settings of a service that sends webhooks to receivers on this machine. */
export const webhookEnv = { SLUICE_SECRET_KEY: '5e'.repeat(32), SLUICE_WEBHOOK_ALLOW: '127.0.0.1' }

/** An endpoint in a merchant's test environment, for every event. */
export function makeEndpoint(app: App, merchantId: string, url: string): Promise<EndpointWithSecret> {
  const caller = {
    actor: 'key:test',
    person: null,
    merchantId,
    environment: 'test',
    permissions: new Set<never>(),
    merchant: { baseCurrency: 'USD', feeBps: 0, toleranceBps: 0 },
  } as const
  return createEndpoint(app, caller, { url, events: null, description: null })
}

/** Appends events in one transaction. Returns their ids as receivers see them. */
export async function appendEvents(app: App, merchantId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7(app.now()))
  await app.store.events.append(
    ...ids.map((id, n) => ({
      id,
      merchantId,
      environment: 'test' as const,
      event: 'invoice.paid' as const,
      data: { id: uuidv7(app.now()), n, amount: '0.00100000', note: 'Käse <b>&</b> "Brot"' },
      resourceId: null,
    })),
  )
  const told = ids.map((id) => `evt_${id}`)
  for (const id of told) inventedEvents.add(id)
  return told
}

/** A header of a request as it was received. */
export function headerOf(head: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
}
