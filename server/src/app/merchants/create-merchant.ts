import type { MerchantSettings } from '../../domain/caller.ts'
import { uuidv7 } from '../../domain/ids.ts'
import type { App } from '../app.ts'

export async function createMerchant(
  app: Pick<App, 'store' | 'now'>,
  input: { readonly name: string; readonly settings?: Partial<MerchantSettings> },
): Promise<{ merchantId: string }> {
  const merchantId = uuidv7(app.now())
  await app.store.merchants.insert({ id: merchantId, ...input })
  return { merchantId }
}
