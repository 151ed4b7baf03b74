import { ServiceError } from '../../domain/errors.ts'
import type { MerchantBrand } from '../../store/merchants/merchant-brands.ts'
import type { Merchant } from '../../store/merchants/merchants.ts'
import type { App } from '../app.ts'

/** A merchant's settings, which apply to both environments. */
export type Settings = { readonly merchant: Merchant; readonly brand: MerchantBrand }

export function noSuchMerchant(id: string): ServiceError {
  return new ServiceError('not_found', `There is no merchant ${id}.`)
}

export async function readSettings({ store }: Pick<App, 'store'>, merchantId: string): Promise<Settings> {
  const merchant = await store.merchants.find(merchantId)
  if (merchant === null) throw noSuchMerchant(merchantId)
  return { merchant, brand: await store.merchantBrands.find(merchantId) }
}
