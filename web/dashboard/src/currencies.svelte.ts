import type { Currency, CurrencyNetwork } from '@sluice/web/contract'
import { listCurrencies } from '@sluice/web/operations'
import { callTo } from './api/calls.ts'
import { type Loaded, loadOne } from './loaded.svelte.ts'

/** The currencies that the service supports. */
export function loadCurrencies(): Loaded<readonly Currency[]> {
  return loadOne(() => callTo(listCurrencies))
}

/** The networks of a currency in one environment. */
export function networksOf(
  currencies: readonly Currency[] | null,
  code: string,
  environment: string | null,
): readonly CurrencyNetwork[] {
  const currency = currencies?.find((each) => each.code === code)
  return currency?.networks.filter((network) => network.environment === environment) ?? []
}

/** The currencies of one environment. */
export function currenciesIn(
  currencies: readonly Currency[] | null,
  environment: string | null,
): readonly Currency[] {
  return currencies?.filter(({ environments }) => environments.some((each) => each === environment)) ?? []
}
