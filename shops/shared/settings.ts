import { createSluice, type Invoice, type Sluice } from '@sluice/sdk'

/** What a shop has to be told about its Sluice. */
export type ShopSettings = {
  /** The API's address, like `https://pay.example.com/api`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** The secret of the webhook endpoint, `whsec_…`; a list while you replace it. */
  readonly webhookSecret: string | readonly string[]
  /** Where the payment page sends the payer afterwards. */
  readonly redirectUrl?: string | undefined
  /** The currency to be paid in, and its network. Without it the payer picks on the payment page. */
  readonly currency?: string | undefined
  readonly network?: string | undefined
  /** How long the payer has, in seconds. */
  readonly expiresIn?: number | undefined
}

export type Connection = {
  readonly sluice: Sluice
  readonly settings: ShopSettings
  /** Which engine the shop runs on: part of every idempotency key. */
  readonly shop: 'medusa' | 'vendure'
}

/** Checks the settings, and names what is missing. Throws a `TypeError` that shows no secret. */
export function connectionTo(shop: Connection['shop'], settings: Partial<ShopSettings>): Connection {
  const { baseUrl, apiKey, webhookSecret } = settings
  const missing = Object.entries({ baseUrl, apiKey, webhookSecret })
    .filter(([, value]) => value === undefined || value.length === 0)
    .map(([name]) => name)
  if (!baseUrl || !apiKey || !webhookSecret || missing.length > 0)
    throw new TypeError(`Sluice: set ${missing.join(', ')}. Is the environment variable there?`)
  return {
    sluice: createSluice({ baseUrl, apiKey }),
    settings: { ...settings, baseUrl, apiKey, webhookSecret },
    shop,
  }
}

/** The page of an invoice in the dashboard, where staff see its refunds and approve them. */
export function dashboardPage(
  { settings }: Connection,
  invoice: Pick<Invoice, 'id' | 'merchant_id' | 'environment'>,
): string {
  const path = `/dashboard/${invoice.merchant_id}/${invoice.environment}/invoices/${invoice.id}`
  return new URL(path, settings.baseUrl).href
}
