import type { Caller } from '../../domain/caller.ts'
import { hostOf, returnWith, type ShopPermission, shopEvents } from '../../domain/shops.ts'
import type { App } from '../app.ts'
import { readRequest, type ShopRequest } from './read-request.ts'

/** A shop's request as the person who decides about it has to see it. */
export type ShopReview = {
  readonly returnHost: string
  readonly permissions: readonly ShopPermission[]
  readonly events: typeof shopEvents
  /** Since when the connection that would be replaced has existed. */
  readonly replaces: Date | null
  readonly declineUrl: string
}

/** Checks a shop's request without changing anything. */
export async function reviewShop(app: App, caller: Caller, request: ShopRequest): Promise<ShopReview> {
  const permissions = await readRequest(app, caller, request)
  const [replaced] = await app.store.shopConnections.withWebhook(caller, request.webhookUrl)
  return {
    returnHost: hostOf(request.returnUrl),
    permissions,
    events: shopEvents,
    replaces: replaced?.connectedAt ?? null,
    declineUrl: returnWith(request.returnUrl, { error: 'access_denied', state: request.state }),
  }
}
