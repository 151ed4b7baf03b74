import type { Actor } from '../../domain/audit-log.ts'
import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { ListedKey } from '../../store/merchants/api-keys.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'

/**
 * Revokes a key and records that; every process refuses it within 5 seconds. With `owner`, only a key of that merchant and
 * environment. A key that is already revoked stays as it is.
 */
export async function revokeKey(
  app: App,
  by: Actor,
  id: string,
  owner: { readonly merchantId: string; readonly environment: Environment } | null = null,
): Promise<ListedKey> {
  return app.transaction(async (tx) => {
    const key = await tx.apiKeys.find(id)
    const isTheirs =
      owner === null || (key?.merchantId === owner.merchantId && key.environment === owner.environment)
    if (key === null || !isTheirs) throw new ServiceError('not_found', `There is no key ${id}.`)
    if (key.revokedAt !== null) return key
    const revoked = (await tx.apiKeys.revoke(id)) ?? key
    const { merchantId, environment, name, hint } = key
    await noteAct(tx, by, merchantId, {
      environment,
      action: 'key.revoked',
      subject: id,
      details: { name, hint },
    })
    return revoked
  })
}
