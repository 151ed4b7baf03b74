import type { Caller } from '../../domain/caller.ts'
import { seal } from '../../domain/seal.ts'
import { makeSecret } from '../../domain/webhooks.ts'
import type { App } from '../app.ts'
import { noteTrustOf } from '../audit/note-act.ts'
import { type EndpointWithSecret, noSuchEndpoint, sealKey, secretPurpose } from './create-endpoint.ts'

const overlapSeconds = 24 * 60 * 60

/** Gives an endpoint a new secret, shown only once. For a day the old one signs too, so that no delivery is refused. */
export async function rotateSecret(app: App, caller: Caller, id: string): Promise<EndpointWithSecret> {
  const endpoint = await app.store.webhookEndpoints.find(caller, id)
  if (endpoint === null) throw noSuchEndpoint()
  const secret = makeSecret(app.random)
  const sealed = seal(sealKey(app), secret, secretPurpose(endpoint.id), app.random)
  return app.transaction(async (tx) => {
    const rotated = await tx.webhookEndpoints.rotate(caller, id, sealed, overlapSeconds)
    if (rotated === null) throw noSuchEndpoint()
    const details = { url: rotated.url }
    await noteTrustOf(tx, caller, { action: 'webhook.secret_rotated', subject: rotated.id, details })
    return { ...rotated, secret }
  })
}
