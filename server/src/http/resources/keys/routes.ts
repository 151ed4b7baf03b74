import type { App } from '../../../app/app.ts'
import { demandPermissions } from '../../../app/keys/demand-permissions.ts'
import { issueKey } from '../../../app/keys/issue-key.ts'
import { revokeKey } from '../../../app/keys/revoke-key.ts'
import { actorIn, demandProof } from '../../../domain/people.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { created, ok, okPage } from '../../reply.ts'
import { keyView } from './view.ts'

export function dashboardKeys(app: App): Pick<DashboardHandlers, 'listKeys' | 'createKey' | 'revokeKey'> {
  return {
    listKeys: async ({ caller, query }) =>
      okPage(await app.store.apiKeys.listPage(caller, query), query, (key) => keyView(key, app.now())),
    createKey: async ({ caller, person, body }) => {
      const { merchantId, environment } = caller
      demandPermissions(caller.permissions, body.permissions)
      // Even a key that only reads shows a live shop's customers and amounts.
      if (environment === 'live') demandProof(person, app.now())
      const { keyId, key } = await issueKey(app, actorIn(person), {
        merchantId,
        environment,
        name: body.name,
        permissions: body.permissions,
        expiresAt: body.expires_at === undefined ? null : new Date(body.expires_at),
        allowedIps: body.allowed_ips ?? null,
      })
      const made = await app.store.apiKeys.find(keyId)
      if (made === null) throw new Error('A key that was just created does not exist.')
      return created({ key, details: keyView(made, app.now()) })
    },
    revokeKey: async ({ caller, person, path }) =>
      ok(keyView(await revokeKey(app, actorIn(person), path.keyID, caller), app.now())),
  }
}
