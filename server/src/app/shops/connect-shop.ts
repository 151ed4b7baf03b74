import { ServiceError } from '../../domain/errors.ts'
import { actorOf } from '../../domain/people.ts'
import { powersOf } from '../../domain/roles.ts'
import { challengeOf, hostOf, powersToAllow, shopEvents } from '../../domain/shops.ts'
import type { ShopOffer } from '../../store/merchants/shop-connections.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { createKey } from '../keys/create-key.ts'
import { hashOfToken } from '../people/tokens.ts'
import { addEndpoint, demandTarget } from '../webhooks/create-endpoint.ts'
import { endConnection } from './end-connection.ts'

/** A shop that has just connected, with both its secrets, which are shown only once. */
export type NewConnection = ShopOffer & {
  readonly key: string
  readonly endpointId: string
  readonly webhookSecret: string
  readonly events: typeof shopEvents
  readonly connectedAt: Date
}

/**
 * Exchanges a code for a key and a webhook endpoint, in the name of the person who allowed the shop. Code, verifier and that
 * person's role have to be right; the answer does not say which of them was not.
 */
export async function connectShop(
  app: App,
  { code, verifier }: { readonly code: string; readonly verifier: string },
): Promise<NewConnection> {
  const find = (store: Store) => store.shopConnections.findOffer(hashOfToken(code), challengeOf(verifier))
  const offer = await find(app.store)
  if (offer === null) throw noSuchCode()
  await demandTarget(app, offer.environment, offer.webhookUrl, 'code')
  const { id, merchantId, environment, name, permissions, webhookUrl, allowedBy, allowedByName } = offer
  return app.transaction(async (tx) => {
    // Before anything is read: two codes of one shop, exchanged at once, would each miss the other's connection.
    await tx.webhookEndpoints.hold(offer)
    // Looking up the host, and waiting, may have taken a while.
    if ((await find(tx)) === null || !(await mayStillAllow(tx, offer))) throw noSuchCode()
    const replaced = await tx.shopConnections.withWebhook(offer, webhookUrl)
    for (const shop of replaced) await endConnection(tx, shop)
    const by = { actor: actorOf({ userId: allowedBy }), name: allowedByName, ip: null, userAgent: null }
    const { keyId, key } = await createKey(
      { ...app, store: tx },
      { merchantId, environment, name: `${name} (${offer.app})`, permissions, createdBy: by.actor },
    )
    const input = { url: webhookUrl, events: shopEvents, description: `${name} (${offer.app})` }
    const endpoint = await addEndpoint(app, tx, offer, input)
    const connectedAt = await tx.shopConnections.connect(id, keyId, endpoint.id)
    if (connectedAt === null) throw noSuchCode()
    await noteAct(tx, by, merchantId, {
      environment,
      action: 'shop.connected',
      subject: id,
      details: {
        app: offer.app,
        name,
        host: hostOf(offer.returnUrl),
        permissions,
        key_id: keyId,
        endpoint_id: endpoint.id,
        replaced: replaced.map((shop) => shop.id),
      },
    })
    const { secret: webhookSecret } = endpoint
    return { ...offer, key, endpointId: endpoint.id, webhookSecret, events: shopEvents, connectedAt }
  })
}

async function mayStillAllow(tx: Store, { allowedBy, merchantId, permissions }: ShopOffer): Promise<boolean> {
  const place = await tx.users.roleAt(allowedBy, merchantId)
  return place !== null && [...powersToAllow, ...permissions].every((each) => powersOf[place.role].has(each))
}

function noSuchCode(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such code: it was used, it has expired, or the verifier belongs to another one. Connect the shop again.',
  )
}
