import type { Act, Actor } from '../../domain/audit-log.ts'
import { maxEmbedOrigins, readColour, readEmbedOrigin } from '../../domain/brand.ts'
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
}

/** Changes a merchant's own settings, all or none, and records the change. Existing invoices keep the settings they have. */
export async function changeSettings(
  app: App,
  by: Actor,
  merchantId: string,
  change: SettingsChange,
): Promise<Settings> {
  const { name, baseCurrency, toleranceBps, colour, embedOrigins } = checked(change)
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
    if (colour !== undefined || embedOrigins !== undefined)
      await tx.merchantBrands.set(merchantId, {
        ...brand,
        ...(colour !== undefined && { colour }),
        ...(embedOrigins !== undefined && { embedOrigins }),
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

function checked(change: SettingsChange): SettingsChange {
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
  if (problems.length > 0) throw invalid(...problems)
  return {
    ...change,
    ...(read !== undefined && { colour: read }),
    ...(origins !== undefined && { embedOrigins: [...new Set(origins)] }),
  }
}
