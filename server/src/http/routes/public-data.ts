import type { App } from '../../app/app.ts'
import type { Handlers } from '../reply.ts'
import { ok, Prepared } from '../reply.ts'
import { currencyView } from '../views/currency.ts'
import { rateView } from '../views/rate.ts'

export function publicData(app: App): Pick<Handlers, 'listCurrencies' | 'listRates'> {
  // No gate is built into this version, so none is online.
  const isOnline = () => false
  const currencies = (environment: 'live' | 'test' | null) =>
    new Prepared(app.assets.map((currency) => currencyView(currency, environment, isOnline)))
  const prepared = { live: currencies('live'), test: currencies('test'), both: currencies(null) }

  return {
    listCurrencies: ({ query }) => ok(prepared[query.environment ?? 'both']),

    listRates: async ({ query }) => {
      const currency = codeFilter(query.currency)
      const fiatCurrency = codeFilter(query.fiat_currency)
      const rates = await app.rates.list()
      return ok(
        rates.filter((rate) => currency(rate.currency) && fiatCurrency(rate.fiatCurrency)).map(rateView),
      )
    },
  }
}

/** `BTC,eth` as a test of one code; absent lets every code pass. */
function codeFilter(list: string | undefined): (code: string) => boolean {
  if (list === undefined) return () => true
  const codes = new Set(list.split(',').map((code) => code.trim().toUpperCase()))
  return (code) => codes.has(code)
}
