import { type AssetRegistry, networkIn, registryOf } from '../../../src/domain/assets.ts'
import type { Network } from '../../../src/domain/networks/network.ts'
import { shippedNetworks } from '../../../src/domain/networks/shipped.ts'

/** The currencies that the service ships with. */
export const networks: readonly Network[] = shippedNetworks
export const currencies: AssetRegistry = registryOf(shippedNetworks)
export const networkOf = (id: string): Network => networkIn(currencies, id)
/** Enough for a story on one network. Each further one costs a test as much as it costs the service: a chain to follow. */
export const fewNetworks: readonly Network[] = ['bitcoin', 'ethereum', 'litecoin'].map(networkOf)
