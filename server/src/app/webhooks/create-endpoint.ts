import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { seal } from '../../domain/seal.ts'
import { makeSecret } from '../../domain/webhooks.ts'
import type { WebhookEndpoint } from '../../store/webhooks/webhook-endpoints.ts'
import type { App } from '../app.ts'
import { noteTrustOf } from '../audit/note-act.ts'

const maxEndpoints = 20

export type EndpointWithSecret = WebhookEndpoint & { readonly secret: string }

/** Registers an endpoint and creates its secret, which is shown only once. Checks the target now and at every connection. */
export async function createEndpoint(
  app: App,
  caller: Pick<Caller, 'actor' | 'merchantId' | 'environment' | 'person'>,
  input: {
    readonly url: string
    readonly events: readonly string[] | null
    readonly description: string | null
  },
): Promise<EndpointWithSecret> {
  const problem = await app.webhooks.checkTarget(input.url, caller.environment)
  if (problem !== null)
    throw new ServiceError('webhook_target_refused', 'Webhooks cannot be sent to this address.', [
      `/url: ${problem}`,
    ])
  const id = uuidv7(app.now())
  const secret = makeSecret(app.random)
  const sealed = seal(sealKey(app), secret, secretPurpose(id), app.random)
  const endpoint = await app.transaction(async (tx) => {
    if ((await tx.webhookEndpoints.holdAndCount(caller)) >= maxEndpoints)
      throw new ServiceError(
        'conflict',
        `A merchant can have at most ${maxEndpoints} endpoints. Delete one first.`,
      )
    const { merchantId, environment } = caller
    const made = await tx.webhookEndpoints.insert({ id, merchantId, environment, ...input, secret: sealed })
    await noteTrustOf(tx, caller, { action: 'webhook.created', subject: id, details: { url: input.url } })
    return made
  })
  return { ...endpoint, secret }
}

/** The purpose a sealed secret is bound to: it opens only as this endpoint's secret. */
export function secretPurpose(endpointId: string): string {
  return `webhook secret of ${endpointId}`
}

/** The operator's key for secrets at rest; throws if it is not set. */
export function sealKey(app: Pick<App, 'webhooks'>): Buffer {
  const { sealKey: key } = app.webhooks
  if (key === null)
    throw new ServiceError(
      'service_unavailable',
      'Webhooks cannot be used on this service until its operator sets SLUICE_SECRET_KEY.',
    )
  return key
}

export function noSuchEndpoint(): ServiceError {
  return new ServiceError('not_found', 'There is no such webhook endpoint.')
}
