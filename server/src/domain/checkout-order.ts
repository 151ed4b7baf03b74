import type { Asset, AssetRegistry, Currency } from './assets.ts'

/** The most currencies, and the most networks, that a merchant may put in order. */
export const maxPlaces = 50

/** What a merchant's payers see first: codes of currencies, and ids of networks. */
export type CheckoutOrder = { readonly currencies: readonly string[]; readonly networks: readonly string[] }

/** The order of a merchant that has set none. */
export const usualOrder: CheckoutOrder = { currencies: [], networks: [] }

/** What payers use most, first. Everything else follows by its code. */
const mostUsed = ['BTC', 'USDT', 'ETH', 'USDC', 'SOL']

/** The registry as payers see it: what the order names comes first, everything else follows in the usual order. */
export function inCheckoutOrder(registry: AssetRegistry, order: CheckoutOrder): AssetRegistry {
  const placeOfCurrency = placeIn([...order.currencies, ...mostUsed])
  const placeOfNetwork = placeIn(order.networks)
  const byCurrency = (one: Currency, other: Currency) =>
    placeOfCurrency(one.code) - placeOfCurrency(other.code)
  const byNetwork = (one: Asset, other: Asset) =>
    placeOfNetwork(one.network.id) - placeOfNetwork(other.network.id)
  return registry
    .toSorted(byCurrency)
    .map((currency) => ({ ...currency, assets: currency.assets.toSorted(byNetwork) }))
}

/** Gives all names that are not in the list the same place, after those that are. */
function placeIn(names: readonly string[]): (name: string) => number {
  return (name) => {
    const at = names.indexOf(name)
    return at === -1 ? names.length : at
  }
}
