import type { Checkout, CheckoutOffer, CheckoutToken } from '@sluice/web/contract'

/** The languages of the payment page. */
export const languages = ['en', 'de', 'es', 'fr', 'pt', 'it', 'nl', 'pl', 'tr', 'ja', 'zh', 'ar'] as const
export type Language = (typeof languages)[number]

/** Why there is no invoice to show: no such link, one that has ended, too many requests, or an outage of ours. */
export type PageProblem = 'unknown' | 'ended' | 'busy' | 'unavailable'

/** Why what the payer asked for could not be done; the page says so and goes on. */
export type PageNotice = 'gate_offline' | 'rate_unavailable' | 'amount_too_small' | 'not_done'

/** Everything that the first HTML shows. The page's script goes on from exactly this. */
export type PageState = {
  readonly language: Language
  /** The page's own path, `/pay/…`: where its forms lead when there is no script. */
  readonly path: string
  /** Shown in a frame of the shop's. */
  readonly embedded: boolean
  /** Null exactly when there is a problem. */
  readonly checkout: Checkout | null
  /** What can be chosen; null unless the payer has to choose. */
  readonly offers: readonly CheckoutOffer[] | null
  readonly token: CheckoutToken | null
  readonly problem: PageProblem | null
  readonly notice: PageNotice | null
}

/** What the built page gives to the service: `dist/server/render.js` exports these two functions. */
export type PageRenderer = {
  /** The language that the address asks for, else the first of `Accept-Language` that we have, else English. */
  languageFor(asked: string | null, accepted: string | null): Language
  /** The whole document. Inline styles carry the nonce; the script is a file of our own. */
  render(state: PageState, nonce: string): string
}
