import { uuidv7 } from '../../domain/ids.ts'
import type { App } from '../app.ts'

export async function createMerchant(
  app: Pick<App, 'store' | 'now'>,
  input: { name: string },
): Promise<{ merchantId: string }> {
  const merchantId = uuidv7(app.now())
  await app.store.merchants.insert({ id: merchantId, name: input.name })
  return { merchantId }
}
