import { type Asset, type Currency, upperCode } from '../../domain/assets.ts'
import type { Caller } from '../../domain/caller.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import { askedUnits } from '../../domain/pricing.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { assetOf, invalid, tooSmall, unitsOf } from '../choose-asset.ts'
import { receivingGate } from '../gates/gate-book.ts'
import { inBaseCurrency, type Pricing } from '../rates/price.ts'

/** A request for an invoice: valid by the contract, nothing else checked yet. */
export type InvoiceRequest = {
  readonly currency: string | null
  readonly network: string | null
  readonly amount: string | null
  readonly amountFiat: string | null
  readonly fiatCurrency: string | null
  readonly deferred: boolean | null
  readonly description: string | null
  readonly externalId: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly redirectUrl: string | null
  readonly expiresIn: number | null
  readonly idempotencyKey: string | null
}

/** A price in fiat, in minor units. */
export type FiatPrice = {
  readonly amount: bigint
  readonly currency: string
  readonly minorDigits: number
}

/** What a request asks for, once its fields are known to fit together. */
export type InvoiceShape =
  | { readonly kind: 'crypto'; readonly currency: Currency; readonly asset: Asset; readonly units: bigint }
  | { readonly kind: 'fiat'; readonly currency: Currency; readonly asset: Asset; readonly price: FiatPrice }
  | { readonly kind: 'deferred'; readonly price: FiatPrice }

/** An asset with everything that going live fixes, except the address. */
export type PricedAsset = {
  readonly currency: string
  readonly asset: Asset
  readonly gate: Gate
  readonly units: bigint
  readonly exchangeRate: bigint | null
  readonly amountInBaseCurrency: bigint | null
}

/**
 * Determines the shape of a request; throws on a mixture, naming every field that does not fit. An explicit
 * `deferred: false` without a currency is a mixture too.
 */
export async function readShape(
  app: Pick<App, 'assets' | 'rates'>,
  request: InvoiceRequest,
): Promise<InvoiceShape> {
  refuseMixtures(app, request)
  const { currency, network, amount } = request
  if (amount !== null && currency !== null) {
    const chosen = assetOf(app.assets, { currency, network })
    const units = unitsOf(amount, chosen.asset.decimals, 'amount')
    return { kind: 'crypto', ...chosen, units }
  }
  const chosen = currency === null ? null : assetOf(app.assets, { currency, network })
  const price = await readPrice(app, request)
  return chosen === null ? { kind: 'deferred', price } : { kind: 'fiat', ...chosen, price }
}

function refuseMixtures(app: Pick<App, 'assets'>, request: InvoiceRequest): void {
  const { currency, network, amount, amountFiat, fiatCurrency, deferred } = request
  const problems: string[] = []
  const isCrypto = amount !== null
  const isFiat = amountFiat !== null || fiatCurrency !== null
  if (!isCrypto && !isFiat)
    problems.push('/amount: is required with currency, or amount_fiat with fiat_currency')
  if (isCrypto && isFiat) {
    if (amountFiat !== null) problems.push('/amount_fiat: must not be given together with amount')
    if (fiatCurrency !== null) problems.push('/fiat_currency: must not be given together with amount')
  }
  if (isCrypto && currency === null) problems.push('/currency: is required with amount')
  if (!isCrypto && isFiat && amountFiat === null)
    problems.push('/amount_fiat: is required with fiat_currency')
  if (!isCrypto && isFiat && fiatCurrency === null)
    problems.push('/fiat_currency: is required with amount_fiat')
  if (deferred === true && (isCrypto || currency !== null))
    problems.push('/deferred: must not be true when the request names the currency')
  if (deferred === false && !isCrypto && currency === null)
    problems.push('/deferred: must not be false without a currency: the payer has to pick one')
  if (network !== null && currency === null) problems.push('/network: is given without a currency')
  if (currency !== null && fiatMinorDigits(upperCode(currency)) !== null)
    problems.push('/currency: is a fiat currency; use fiat_currency for it')
  const isCoin = app.assets.some(({ code }) => fiatCurrency !== null && code === upperCode(fiatCurrency))
  if (isCoin) problems.push('/fiat_currency: is a cryptocurrency; use currency for it')
  if (problems.length > 0) throw invalid(...problems)
}

async function readPrice(app: Pick<App, 'rates'>, request: InvoiceRequest): Promise<FiatPrice> {
  const currency = upperCode(request.fiatCurrency ?? '')
  const minorDigits = fiatMinorDigits(currency)
  if (minorDigits === null)
    throw invalid('/fiat_currency: is not a supported fiat currency; GET /v1/rates lists them')
  const amount = unitsOf(request.amountFiat ?? '', minorDigits, 'amount_fiat')
  if ((await app.rates.knowsFiat(currency)) === false)
    throw invalid('/fiat_currency: has no exchange rate here; GET /v1/rates lists those that have one')
  return { amount, currency, minorDigits }
}

/** Fixes amount, rate and gate of an asset; throws if the amount is too small, the rate missing or the network offline. */
export async function priceAsset(
  app: Pick<App, 'rates' | 'gates'>,
  caller: Pick<Caller, 'environment'> & { readonly baseCurrency: string },
  pricing: Pricing,
  { currency, asset, ask }: { currency: Currency; asset: Asset; ask: bigint | FiatPrice },
): Promise<PricedAsset> {
  const { environment, baseCurrency } = caller
  const { code } = currency
  let units: bigint
  let exchangeRate: bigint | null = null
  if (typeof ask === 'bigint') {
    units = ask
  } else {
    const rate = await pricing.rate(code, ask.currency)
    if (rate === null) throw pricing.unavailable(code, ask.currency)
    exchangeRate = rate.rate
    units = askedUnits(ask, rate.rate, currency, asset)
  }
  if (units < asset.minUnits) throw tooSmall(code, asset, typeof ask === 'bigint' ? 'amount' : 'amount_fiat')
  const gate = await receivingGate(app.gates, code, asset.network.id, environment)
  const amountInBaseCurrency =
    typeof ask !== 'bigint' && ask.currency === baseCurrency
      ? ask.amount
      : await inBaseCurrency(
          app,
          environment,
          { currency: code, units, decimals: asset.decimals },
          baseCurrency,
        )
  return { currency: code, asset, gate, units, exchangeRate, amountInBaseCurrency }
}
