import type { Caller } from '../../domain/caller.ts'
import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { seal } from '../../domain/seal.ts'
import { makeSecret } from '../../domain/webhooks.ts'
import type { Store } from '../../store/store.ts'
import type { WebhookEndpoint } from '../../store/webhooks/webhook-endpoints.ts'
import type { App } from '../app.ts'
import { noteTrustOf } from '../audit/note-act.ts'

/** How many endpoints a merchant can have in an environment. */
export const maxEndpoints = 20

export type EndpointWithSecret = WebhookEndpoint & { readonly secret: string }
type EndpointInput = {
  readonly url: string
  readonly events: readonly string[] | null
  readonly description: string | null
}

/** Registers an endpoint and creates its secret, which is shown only once. Checks the target now and at every connection. */
export async function createEndpoint(
  app: App,
  caller: Pick<Caller, 'actor' | 'merchantId' | 'environment' | 'person'>,
  input: EndpointInput,
): Promise<EndpointWithSecret> {
  await demandTarget(app, caller.environment, input.url, 'url')
  return app.transaction(async (tx) => {
    const made = await addEndpoint(app, tx, caller, input)
    await noteTrustOf(tx, caller, {
      action: 'webhook.created',
      subject: made.id,
      details: { url: input.url },
    })
    return made
  })
}

/** Throws `webhook_target_refused` if events cannot be sent to a URL, which came in this field of the request. */
export async function demandTarget(
  app: Pick<App, 'webhooks'>,
  environment: Environment,
  url: string,
  field: string,
): Promise<void> {
  const problem = await app.webhooks.checkTarget(url, environment)
  if (problem !== null)
    throw new ServiceError('webhook_target_refused', 'Webhooks cannot be sent to this address.', [
      `/${field}: ${problem}`,
    ])
}

/** Adds an endpoint whose target was checked, in a transaction that also records the act. */
export async function addEndpoint(
  app: Pick<App, 'webhooks' | 'now' | 'random'>,
  tx: Store,
  owner: Pick<Caller, 'merchantId' | 'environment'>,
  input: EndpointInput,
): Promise<EndpointWithSecret> {
  const id = uuidv7(app.now())
  const secret = makeSecret(app.random)
  const sealed = seal(sealKey(app), secret, secretPurpose(id), app.random)
  if ((await tx.webhookEndpoints.holdAndCount(owner)) >= maxEndpoints) throw tooManyEndpoints()
  const { merchantId, environment } = owner
  const made = await tx.webhookEndpoints.insert({ id, merchantId, environment, ...input, secret: sealed })
  return { ...made, secret }
}

export function tooManyEndpoints(): ServiceError {
  return new ServiceError(
    'conflict',
    `A merchant can have at most ${maxEndpoints} endpoints. Delete one first.`,
  )
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
