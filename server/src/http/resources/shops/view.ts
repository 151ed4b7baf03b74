import type { ShopConnection as ConnectionView } from '@sluice/sdk/contract'
import type { ConnectedShop as ShopView } from '@sluice/web/contract'
import type { NewConnection } from '../../../app/shops/connect-shop.ts'
import { hostOf } from '../../../domain/shops.ts'
import type { ConnectedShop } from '../../../store/merchants/shop-connections.ts'
import { time } from '../values.ts'

export function connectionView(shop: NewConnection): ConnectionView {
  return {
    id: shop.id,
    app: shop.app,
    name: shop.name,
    environment: shop.environment,
    merchant_id: shop.merchantId,
    merchant_name: shop.merchantName,
    api_key: shop.key,
    permissions: [...shop.permissions],
    webhook_endpoint_id: shop.endpointId,
    webhook_url: shop.webhookUrl,
    webhook_secret: shop.webhookSecret,
    events: [...shop.events],
    created_at: shop.connectedAt.toISOString(),
  }
}

export function shopView(shop: ConnectedShop): ShopView {
  return {
    id: shop.id,
    app: shop.app,
    name: shop.name,
    host: hostOf(shop.returnUrl),
    webhook_url: shop.webhookUrl,
    permissions: [...shop.permissions],
    status: statusOf(shop),
    key_id: shop.keyId,
    endpoint_id: shop.endpointId,
    allowed_by: `user:${shop.allowedBy}`,
    allowed_by_name: shop.allowedByName,
    connected_at: shop.connectedAt.toISOString(),
    disconnected_at: time(shop.disconnectedAt),
  }
}

function statusOf({ disconnectedAt, keyRevokedAt, endpointStatus }: ConnectedShop): ShopView['status'] {
  if (disconnectedAt !== null) return 'disconnected'
  return keyRevokedAt === null && endpointStatus === 'enabled' ? 'connected' : 'broken'
}
