import { permissions } from '../../domain/permissions.ts'
import type { App } from '../app.ts'
import { createKey } from '../keys/create-key.ts'
import { createMerchant } from './create-merchant.ts'

export type Demo = { readonly merchantId: string; readonly keyId: string; readonly key: string }

/** On a database without merchants makes a demo merchant with a test key; on any other makes nothing and returns null. */
export async function createDemo(app: App): Promise<Demo | null> {
  return app.transaction(async (tx) => {
    // Several processes may make their first start at once.
    await tx.merchants.hold()
    if ((await tx.merchants.list()).length > 0) return null
    const { merchantId } = await createMerchant({ ...app, store: tx }, { name: 'Demo shop' })
    const key = await createKey(
      { ...app, store: tx },
      { merchantId, environment: 'test', name: 'Demo key', permissions },
    )
    return { merchantId, ...key }
  })
}
