import type { Caller } from '../../domain/caller.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { actorIn, type Person } from '../../domain/people.ts'
import { codeGoodMs, hostOf, returnWith } from '../../domain/shops.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { hashOfToken, makeToken } from '../people/tokens.ts'
import { maxEndpoints, tooManyEndpoints } from '../webhooks/create-endpoint.ts'
import { readRequest, type ShopRequest } from './read-request.ts'

/** Allows a shop to connect. The URL returned holds a code that is good once, for a few minutes, and only with the shop's verifier. */
export async function allowShop(
  app: App,
  caller: Caller,
  person: Person,
  request: ShopRequest,
): Promise<{ readonly redirectTo: string; readonly expiresAt: Date }> {
  const permissions = await readRequest(app, caller, request)
  const code = makeToken(app)
  const id = uuidv7(app.now())
  const { merchantId, environment } = caller
  const { app: shopApp, name, returnUrl, webhookUrl, state } = request
  const expiresAt = await app.transaction(async (tx) => {
    const replaced = await tx.shopConnections.withWebhook(caller, webhookUrl)
    const freed = replaced.filter(({ endpointStatus }) => endpointStatus !== 'deleted').length
    const others = (await tx.webhookEndpoints.holdAndCount(caller)) - freed
    if (others >= maxEndpoints) throw tooManyEndpoints()
    const until = await tx.shopConnections.offer(
      {
        id,
        merchantId,
        environment,
        app: shopApp,
        name,
        returnUrl,
        webhookUrl,
        permissions,
        allowedBy: person.userId,
        codeHash: hashOfToken(code),
        challenge: Buffer.from(request.challenge, 'base64url'),
      },
      codeGoodMs,
    )
    await noteAct(tx, actorIn(person), merchantId, {
      environment,
      action: 'shop.allowed',
      subject: id,
      details: { app: shopApp, name, host: hostOf(returnUrl), webhook_url: webhookUrl, permissions },
    })
    return until
  })
  return { redirectTo: returnWith(returnUrl, { code, state }), expiresAt }
}
