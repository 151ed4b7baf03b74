import type { Caller } from '../../domain/caller.ts'
import type { Environment } from '../../domain/environment.ts'
import { plainUrlProblem } from '../../domain/plain-urls.ts'
import { redirectProblem } from '../../domain/redirects.ts'
import { isShopPermission, type ShopPermission, shopPermissions } from '../../domain/shops.ts'
import type { App } from '../app.ts'
import { invalid } from '../choose-asset.ts'
import { demandPermissions } from '../keys/demand-permissions.ts'
import { demandTarget, sealKey } from '../webhooks/create-endpoint.ts'

/** What a shop asks for. */
export type ShopRequest = {
  readonly app: string
  readonly name: string
  readonly returnUrl: string
  readonly webhookUrl: string
  readonly state: string
  /** In base64url. */
  readonly challenge: string
  /** The names of permissions; null for all that a shop can have. */
  readonly permissions: readonly string[] | null
}

/**
 * The permissions that a request asks for. Throws unless the shop may be connected here as it asks, and by this person: its
 * URLs are safe in this environment, and the person has all that the shop would get.
 */
export async function readRequest(
  app: App,
  { environment, permissions: own }: Pick<Caller, 'environment' | 'permissions'>,
  request: ShopRequest,
): Promise<readonly ShopPermission[]> {
  const permissions = readPermissions(request.permissions ?? shopPermissions)
  demandPermissions(own, permissions)
  sealKey(app)
  const problem = await returnProblem(app, environment, request.returnUrl)
  if (problem !== null) throw invalid(`/return: ${problem}`)
  await demandTarget(app, environment, request.webhookUrl, 'webhook')
  return permissions
}

function readPermissions(names: readonly string[]): readonly ShopPermission[] {
  const unknown = names.filter((name) => !isShopPermission(name))
  if (unknown.length > 0)
    throw invalid(...unknown.map((name) => `/permissions: a shop cannot have ${JSON.stringify(name)}`))
  return shopPermissions.filter((permission) => names.includes(permission))
}

// A private address may be another machine where the browser is, and others can read an unencrypted connection.
async function returnProblem(app: App, environment: Environment, url: string): Promise<string | null> {
  const problem = plainUrlProblem(url) ?? redirectProblem(url, environment)
  if (problem !== null || environment === 'test') return problem
  return app.webhooks.checkTarget(url, environment)
}
