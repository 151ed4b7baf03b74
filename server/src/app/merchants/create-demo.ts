import type { Actor } from '../../domain/audit-log.ts'
import { permissions } from '../../domain/permissions.ts'
import type { App } from '../app.ts'
import { issueKey } from '../keys/issue-key.ts'
import { createUser } from '../people/create-user.ts'
import { makePassword } from '../people/passwords.ts'
import { openMerchant } from './open-merchant.ts'

export type Demo = {
  readonly merchantId: string
  readonly keyId: string
  readonly key: string
  readonly email: string
  readonly password: string
}

const email = 'demo@example.com'
const service: Actor = { actor: 'service:start', name: 'First start', ip: null, userAgent: null }

/**
 * Creates a demo merchant with a test key and an owner who is also the operator, if the database has no merchants;
 * otherwise does nothing and returns null.
 */
export async function createDemo(app: App): Promise<Demo | null> {
  return app.transaction(async (tx) => {
    // Several processes may start for the first time at once.
    await tx.merchants.hold()
    if ((await tx.merchants.list()).length > 0) return null
    const within: App = { ...app, store: tx, transaction: (work) => work(tx) }
    const { merchantId } = await openMerchant(within, service, { name: 'Demo shop', settings: {} })
    const key = await issueKey(within, service, {
      merchantId,
      environment: 'test',
      name: 'Demo key',
      permissions,
    })
    const password = makePassword(app.random)
    await createUser(within, service, {
      email,
      name: 'Demo owner',
      password,
      merchantId,
      role: 'owner',
      isOperator: true,
      mustChangePassword: true,
    })
    return { merchantId, ...key, email, password }
  })
}
