import { apiKeyHint, hashApiKey, makeApiKey } from '../../domain/api-keys.ts'
import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import type { Permission } from '../../domain/permissions.ts'
import type { App } from '../app.ts'

export type KeyRequest = {
  readonly merchantId: string
  readonly environment: Environment
  readonly name: string
  readonly permissions: readonly Permission[]
  /** When the key expires; never if omitted. */
  readonly expiresAt?: Date | null
  /** Addresses and CIDRs the key may be used from; anywhere if omitted. */
  readonly allowedIps?: readonly string[] | null
  readonly createdBy?: string | null
}

/** Creates a key and returns its secret, which is shown only once and stored only as a hash. */
export async function createKey(
  app: Pick<App, 'store' | 'now' | 'random'>,
  input: KeyRequest,
): Promise<{ keyId: string; key: string }> {
  if ((await app.store.merchants.find(input.merchantId)) === null) {
    throw new ServiceError('not_found', `There is no merchant ${input.merchantId}.`)
  }
  const key = makeApiKey(input.environment, app.random)
  const keyId = uuidv7(app.now())
  const { merchantId, environment, name, permissions } = input
  const { expiresAt = null, allowedIps = null, createdBy = null } = input
  await app.store.apiKeys.insert({
    id: keyId,
    merchantId,
    environment,
    name,
    permissions,
    expiresAt,
    allowedIps,
    createdBy,
    hash: hashApiKey(key),
    hint: apiKeyHint(key),
  })
  return { keyId, key }
}
