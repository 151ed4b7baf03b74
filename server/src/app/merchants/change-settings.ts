import { type AssetRegistry, networksIn, upperCode } from '../../domain/assets.ts'
import type { Act, Actor } from '../../domain/audit-log.ts'
import { maxEmbedOrigins, readColour, readEmbedOrigin } from '../../domain/brand.ts'
import { maxPlaces } from '../../domain/checkout-order.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import { openChangeOf } from '../../store/payouts/policy-changes.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { invalid } from '../choose-asset.ts'
import { noSuchMerchant, readSettings, type Settings } from './read-settings.ts'

/** The settings to change; omitted ones stay as they are. */
export type SettingsChange = {
  readonly name?: string
  readonly baseCurrency?: string
  readonly toleranceBps?: number
  /** Null for Sluice's own colour. */
  readonly colour?: string | null
  readonly embedOrigins?: readonly string[]
  /** The currencies that payers see first, by code; an empty list for the usual order. */
  readonly currencyOrder?: readonly string[]
  /** The networks that payers see first, by id; an empty list for the usual order. */
  readonly networkOrder?: readonly string[]
}

/**
 * Changes a merchant's own settings, all or none, and records the change. Existing invoices keep their base currency and
 * tolerance; the rest applies to their payment pages too.
 */
export async function changeSettings(
  app: App,
  by: Actor,
  merchantId: string,
  change: SettingsChange,
): Promise<Settings> {
  const { name, baseCurrency, toleranceBps, colour, embedOrigins, currencyOrder, networkOrder } = checked(
    app.assets,
    change,
  )
  return app.transaction(async (tx) => {
    const before = await tx.merchants.lock(merchantId)
    if (before === null) throw noSuchMerchant(merchantId)
    if (baseCurrency !== undefined && baseCurrency !== before.baseCurrency)
      await demandNoLimits(tx, merchantId, before.baseCurrency)
    if (name !== undefined) await tx.merchants.rename(merchantId, name)
    await tx.merchants.update(merchantId, {
      ...(baseCurrency !== undefined && { baseCurrency }),
      ...(toleranceBps !== undefined && { toleranceBps }),
    })
    const brand = await tx.merchantBrands.find(merchantId)
    if ([colour, embedOrigins, currencyOrder, networkOrder].some((set) => set !== undefined))
      await tx.merchantBrands.set(merchantId, {
        ...brand,
        ...(colour !== undefined && { colour }),
        ...(embedOrigins !== undefined && { embedOrigins }),
        order: {
          currencies: currencyOrder ?? brand.order.currencies,
          networks: networkOrder ?? brand.order.networks,
        },
      })
    const details: Act['details'] = {
      ...(name !== undefined && { name, name_before: before.name }),
      ...(baseCurrency !== undefined && {
        base_currency: baseCurrency,
        base_currency_before: before.baseCurrency,
      }),
      ...(toleranceBps !== undefined && {
        tolerance_bps: toleranceBps,
        tolerance_bps_before: before.toleranceBps,
      }),
      ...(colour !== undefined && { colour, colour_before: brand.colour }),
      ...(embedOrigins !== undefined && {
        embed_origins: embedOrigins,
        embed_origins_before: brand.embedOrigins,
      }),
      ...(currencyOrder !== undefined && {
        currency_order: currencyOrder,
        currency_order_before: brand.order.currencies,
      }),
      ...(networkOrder !== undefined && {
        network_order: networkOrder,
        network_order_before: brand.order.networks,
      }),
    }
    const changed = Object.keys(details).filter(
      (key) => `${key}_before` in details && String(details[key]) !== String(details[`${key}_before`]),
    )
    if (Object.keys(details).length > 0)
      await noteAct(tx, by, merchantId, {
        environment: null,
        action: 'settings.changed',
        subject: merchantId,
        details: { changed, ...details },
      })
    return readSettings({ store: tx }, merchantId)
  })
}

/** Throws while live payouts have limits: in another currency the same numbers would allow more or less. */
async function demandNoLimits(tx: Store, merchantId: string, baseCurrency: string): Promise<void> {
  const live = { merchantId, environment: 'live' } as const
  const { maxPayout, maxDay } = await tx.payoutPolicies.find(live)
  if (maxPayout !== null || maxDay !== null)
    throw new ServiceError(
      'conflict',
      `Live payouts have limits in ${baseCurrency}. Remove the limits from the live payout policy first, then change the base currency and set them again.`,
    )
  if (openChangeOf(await tx.policyChanges.open(live), null) !== null)
    throw new ServiceError(
      'conflict',
      `A change of the live payout policy is pending, with amounts in ${baseCurrency}. Wait until it applies or withdraw it, then change the base currency.`,
    )
}

function checked(registry: AssetRegistry, change: SettingsChange): SettingsChange {
  const problems: string[] = []
  const { baseCurrency, colour, embedOrigins } = change
  if (change.name?.trim() === '' || change.name?.includes('\0')) problems.push('/name: must not be blank')
  if (baseCurrency !== undefined && fiatMinorDigits(baseCurrency) === null)
    problems.push('/base_currency: must be a fiat code such as USD or EUR')
  const read = typeof colour === 'string' ? readColour(colour) : colour
  if (read === null && typeof colour === 'string')
    problems.push('/colour: must look like #0a7cff, or be null')
  const origins = embedOrigins?.map((text, at) => {
    const origin = readEmbedOrigin(text)
    if (origin === null)
      problems.push(
        `/embed_origins/${at}: must look like https://shop.example.com, without a path; http only on localhost`,
      )
    return origin ?? text
  })
  if (origins !== undefined && origins.length > maxEmbedOrigins)
    problems.push(`/embed_origins: must name at most ${maxEmbedOrigins} sites`)
  const currencyOrder = change.currencyOrder?.map(upperCode)
  const networkOrder = change.networkOrder?.map((id) => id.toLowerCase())
  problems.push(
    ...problemsOf('currency', currencyOrder ?? [], new Set(registry.map(({ code }) => code))),
    ...problemsOf('network', networkOrder ?? [], new Set(networksIn(registry).map(({ id }) => id))),
  )
  if (problems.length > 0) throw invalid(...problems)
  return {
    ...change,
    ...(read !== undefined && { colour: read }),
    ...(origins !== undefined && { embedOrigins: [...new Set(origins)] }),
    ...(currencyOrder !== undefined && { currencyOrder }),
    ...(networkOrder !== undefined && { networkOrder }),
  }
}

/** What is wrong with the order of currencies or networks. */
function problemsOf(
  kind: 'currency' | 'network',
  names: readonly string[],
  known: ReadonlySet<string>,
): string[] {
  const field = `/${kind}_order`
  if (names.length > maxPlaces) return [`${field}: must have at most ${maxPlaces} entries`]
  return names.flatMap((name, at) => {
    if (!known.has(name)) return [`${field}/${at}: is not a supported ${kind}; GET /v1/currencies lists them`]
    return names.indexOf(name) < at ? [`${field}/${at}: must not be there twice`] : []
  })
}
