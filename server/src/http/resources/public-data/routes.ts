import type { Currency } from '@sluice/sdk/contract'
import type { App } from '../../../app/app.ts'
import { upperCode } from '../../../domain/assets.ts'
import type { Environment } from '../../../domain/environment.ts'
import { gateId } from '../../../domain/networks/network.ts'
import { type Handlers, ok, Prepared } from '../../reply.ts'
import { currencyView } from './currency-view.ts'
import { rateView } from './rate-view.ts'

type Currencies = Record<'live' | 'test' | 'both', Prepared<Currency[]>>

export function publicData(app: App): Pick<Handlers, 'listCurrencies' | 'listRates'> {
  let statuses = ''
  let prepared: Currencies | null = null

  // Only a gate that goes offline or online changes the answer.
  function currencies(): Currencies {
    const now = app.gates.list().reduce((all, { id }) => all + (app.gates.isOnline(id) ? '1' : '0'), '')
    if (prepared === null || now !== statuses) {
      statuses = now
      prepared = { live: prepare('live'), test: prepare('test'), both: prepare(null) }
    }
    return prepared
  }

  function prepare(environment: Environment | null): Prepared<Currency[]> {
    return new Prepared(
      app.assets.map((currency) =>
        currencyView(currency, environment, (network, each) => {
          const id = gateId(network, each)
          const gate = app.gates.find(id)
          const asset = gate?.assets.find((known) => known.currency === currency.code)
          return {
            isOnline: asset !== undefined && app.gates.isOnline(id),
            contractAddress: asset?.contractAddress ?? null,
            confirmations: gate?.network.confirmations ?? null,
          }
        }),
      ),
    )
  }

  return {
    listCurrencies: ({ query }) => ok(currencies()[query.environment ?? 'both']),

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

/** `BTC,eth` as a predicate on codes; without it, every code passes. */
function codeFilter(list: string | undefined): (code: string) => boolean {
  if (list === undefined) return () => true
  const codes = new Set(list.split(',').map((code) => upperCode(code.trim())))
  return (code) => codes.has(code)
}
