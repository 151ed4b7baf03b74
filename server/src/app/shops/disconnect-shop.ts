import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { actorIn, type Person } from '../../domain/people.ts'
import { hostOf } from '../../domain/shops.ts'
import type { ConnectedShop } from '../../store/merchants/shop-connections.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { endConnection } from './end-connection.ts'

/** Disconnects a shop. One that is disconnected already stays as it is. */
export async function disconnectShop(
  app: App,
  caller: Caller,
  person: Person,
  id: string,
): Promise<ConnectedShop> {
  return app.transaction(async (tx) => {
    const shop = await tx.shopConnections.find(caller, id)
    if (shop === null) throw new ServiceError('not_found', 'There is no such shop.')
    if (!(await endConnection(tx, shop))) return shop
    const { name, returnUrl, keyId, endpointId } = shop
    await noteAct(tx, actorIn(person), caller.merchantId, {
      environment: caller.environment,
      action: 'shop.disconnected',
      subject: id,
      details: { name, host: hostOf(returnUrl), key_id: keyId, endpoint_id: endpointId },
    })
    return (await tx.shopConnections.find(caller, id)) ?? shop
  })
}
