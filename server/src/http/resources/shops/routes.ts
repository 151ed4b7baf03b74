import type { ShopRequest as RequestBody } from '@sluice/web/contract'
import type { App } from '../../../app/app.ts'
import { allowShop } from '../../../app/shops/allow-shop.ts'
import { connectShop } from '../../../app/shops/connect-shop.ts'
import { disconnectShop } from '../../../app/shops/disconnect-shop.ts'
import type { ShopRequest } from '../../../app/shops/read-request.ts'
import { reviewShop } from '../../../app/shops/review-shop.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { created, type Handlers, ok, okPage } from '../../reply.ts'
import { connectionView, shopView } from './view.ts'

export function shopConnections(app: App): Pick<Handlers, 'createShopConnection'> {
  return {
    createShopConnection: async ({ body }) => created(connectionView(await connectShop(app, body))),
  }
}

export function dashboardShops(
  app: App,
): Pick<DashboardHandlers, 'listShops' | 'reviewShop' | 'allowShop' | 'disconnectShop'> {
  return {
    listShops: async ({ caller, query }) =>
      okPage(await app.store.shopConnections.list(caller, query), query, shopView),
    reviewShop: async ({ caller, query }) => {
      const request = requestFrom(query, query.permissions?.split(',') ?? null)
      const review = await reviewShop(app, caller, request)
      return ok({
        app: request.app,
        name: request.name,
        return_host: review.returnHost,
        webhook_url: request.webhookUrl,
        permissions: [...review.permissions],
        events: [...review.events],
        replaces: review.replaces?.toISOString() ?? null,
        decline_url: review.declineUrl,
      })
    },
    allowShop: async ({ caller, person, body }) => {
      const request = requestFrom(body, body.permissions ?? null)
      const { redirectTo, expiresAt } = await allowShop(app, caller, person, request)
      return created({ redirect_to: redirectTo, expires_at: expiresAt.toISOString() })
    },
    disconnectShop: async ({ caller, person, path }) =>
      ok(shopView(await disconnectShop(app, caller, person, path.shopID))),
  }
}

function requestFrom(
  asked: Omit<RequestBody, 'permissions'>,
  permissions: readonly string[] | null,
): ShopRequest {
  const { app, name, return: returnUrl, webhook: webhookUrl, state, challenge } = asked
  return { app, name, returnUrl, webhookUrl, state, challenge, permissions }
}
