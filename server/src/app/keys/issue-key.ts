import type { Actor } from '../../domain/audit-log.ts'
import { readKeyPlaces } from '../../domain/key-places.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { invalid } from '../choose-asset.ts'
import { createKey, type KeyRequest } from './create-key.ts'

/** Creates a key on behalf of an actor and records that. Throws if it has already expired or an allowed IP is not valid. */
export async function issueKey(
  app: App,
  by: Actor,
  request: Omit<KeyRequest, 'createdBy'>,
): Promise<{ keyId: string; key: string }> {
  const { merchantId, environment, name, permissions, expiresAt = null, allowedIps = null } = request
  const { problems } = readKeyPlaces(allowedIps ?? [])
  if (expiresAt !== null && expiresAt <= app.now()) problems.unshift('/expires_at: must be in the future')
  if (problems.length > 0) throw invalid(...problems)
  return app.transaction(async (tx) => {
    const made = await createKey({ ...app, store: tx }, { ...request, createdBy: by.actor })
    await noteAct(tx, by, merchantId, {
      environment,
      action: 'key.created',
      subject: made.keyId,
      details: { name, permissions, expires_at: expiresAt?.toISOString() ?? null, allowed_ips: allowedIps },
    })
    return made
  })
}
