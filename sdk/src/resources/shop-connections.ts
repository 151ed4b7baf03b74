import type { Call, CallOptions } from '../call.ts'
import type { NewShopConnection, ShopConnection } from '../contract.generated.ts'

export type ShopConnections = {
  /** Exchanges the code that a shop's return URL got for its key and webhook secret. Needs no key. */
  create(exchange: NewShopConnection, options?: CallOptions): Promise<ShopConnection>
}

export function shopConnectionsOf(request: Call): ShopConnections {
  return {
    create: async (exchange, call = {}) =>
      (await request('createShopConnection', { ...call, body: exchange })).data,
  }
}
