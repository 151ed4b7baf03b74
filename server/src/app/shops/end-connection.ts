import type { ConnectedShop } from '../../store/merchants/shop-connections.ts'
import type { Store } from '../../store/store.ts'

/** Ends a connection: revokes its key, deletes its endpoint and gives up what is pending for it. False if it had ended. */
export async function endConnection(tx: Store, shop: ConnectedShop): Promise<boolean> {
  if (!(await tx.shopConnections.end(shop.id))) return false
  await tx.apiKeys.revoke(shop.keyId)
  await tx.webhookEndpoints.remove(shop, shop.endpointId)
  await tx.webhookDeliveries.giveUp(shop.endpointId)
  return true
}
