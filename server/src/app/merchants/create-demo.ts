import { permissions } from '../../domain/permissions.ts'
import type { App } from '../app.ts'
import { createKey } from '../keys/create-key.ts'
import { createMerchant } from './create-merchant.ts'

export type Demo = { readonly merchantId: string; readonly keyId: string; readonly key: string }

/**
 * On a database without merchants makes a demo merchant with a test key and hands them to `show` before they are
 * committed: killed in between, the next start makes new ones, and no key exists that nobody has seen.
 */
export async function createDemo(app: App, show: (demo: Demo) => void): Promise<void> {
  await app.transaction(async (tx) => {
    if ((await tx.merchants.list()).length > 0) return
    const { merchantId } = await createMerchant({ ...app, store: tx }, { name: 'Demo shop' })
    const key = await createKey(
      { ...app, store: tx },
      { merchantId, environment: 'test', name: 'Demo key', permissions },
    )
    show({ merchantId, ...key })
  })
}
