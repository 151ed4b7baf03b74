import type { Checkout, CheckoutOffer, CheckoutToken } from '@sluice/web/contract'

/** The languages of the payment page. */
export const languages = ['en', 'de', 'es', 'fr', 'pt', 'it', 'nl', 'pl', 'tr', 'ja', 'zh', 'ar'] as const
export type Language = (typeof languages)[number]

/** Why there is no invoice to show: an unknown link, an ended one, too many requests, or an outage. */
export type PageProblem = 'unknown' | 'ended' | 'busy' | 'unavailable'

/** Why the payer's action failed; the page shows it and continues. */
export type PageNotice = 'gate_offline' | 'rate_unavailable' | 'amount_too_small' | 'not_done'

/** Everything that the first HTML shows. The page's script continues from exactly this. */
export type PageState = {
  readonly language: Language
  /** The page's own path, `/pay/…`: the target of its forms without script. */
  readonly path: string
  /** Whether it is shown in a frame of the shop. */
  readonly embedded: boolean
  /** Null exactly when there is a problem. */
  readonly checkout: Checkout | null
  /** The assets to choose from; null unless the payer has to choose, or wants to choose again. */
  readonly offers: readonly CheckoutOffer[] | null
  readonly token: CheckoutToken | null
  readonly problem: PageProblem | null
  readonly notice: PageNotice | null
}

/** What the built page provides to the service: `dist/server/render.js` exports these two functions. */
export type PageRenderer = {
  /** The language in the URL, else the first match of `Accept-Language`, else English. */
  languageFor(asked: string | null, accepted: string | null): Language
  /** The whole document. Inline styles carry the nonce; the script is our own file. */
  render(state: PageState, nonce: string): string
}
