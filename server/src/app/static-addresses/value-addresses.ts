import type { Caller } from '../../domain/caller.ts'
import type { StaticAddress } from '../../store/invoices/static-addresses.ts'
import type { App } from '../app.ts'
import { inBaseCurrency } from '../rates/price.ts'

export type ValuedAddress = StaticAddress & {
  readonly decimals: number
  /** What all deposits together are worth at the current rate, in minor units of the base currency; null without a rate. */
  readonly amountInBaseCurrency: bigint | null
  readonly baseCurrency: string | null
}

/** Adds to static addresses what they received is worth now. */
export async function valueAddresses(
  app: Pick<App, 'assets' | 'rates'>,
  { environment, merchant: { baseCurrency } }: Caller,
  addresses: readonly StaticAddress[],
): Promise<ValuedAddress[]> {
  return Promise.all(
    addresses.map(async (address) => {
      const { currency, totalReceivedUnits: units } = address
      const decimals = decimalsOf(app, address)
      const value = await inBaseCurrency(app, environment, { currency, units, decimals }, baseCurrency)
      return { ...address, decimals, amountInBaseCurrency: value, baseCurrency }
    }),
  )
}

/** An address without the worth of its deposits, which would be out of date in a file. */
export function unvaluedAddress(app: Pick<App, 'assets'>, address: StaticAddress): ValuedAddress {
  return { ...address, decimals: decimalsOf(app, address), amountInBaseCurrency: null, baseCurrency: null }
}

function decimalsOf({ assets }: Pick<App, 'assets'>, { currency, network }: StaticAddress): number {
  const asset = assets
    .find(({ code }) => code === currency)
    ?.assets.find((each) => each.network.id === network)
  if (asset === undefined) throw new Error(`${currency} on ${network} is no longer in the registry.`)
  return asset.decimals
}
