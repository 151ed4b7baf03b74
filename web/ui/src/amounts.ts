import type { CheckoutAsset } from '@sluice/web/contract'

/** Whether an amount of the contract is zero. */
export function isNothing(amount: string): boolean {
  return /^[0.]*$/.test(amount)
}

// Number formats take at most this many; a rate of the service has fewer.
const mostDigits = 100

/** A fiat amount in the notation of a language, with all its digits. */
export function fiatText(language: string, amount: string, currency: string): string {
  const style = { style: 'currency', numberingSystem: 'latn', currency } as const
  const usual = new Intl.NumberFormat(language, style).resolvedOptions().maximumFractionDigits ?? 0
  const digits = Math.min(mostDigits, Math.max(usual, amount.split('.')[1]?.length ?? 0))
  const format = new Intl.NumberFormat(language, { ...style, maximumFractionDigits: digits })
  // Formatting the text instead of a number keeps every digit. Direction marks would flip the currency sign inside
  // Arabic; amounts are isolated anyway where they are shown.
  return format.format(amount as Intl.StringNumericLiteral).replace(/[\u200e\u200f\u061c]/g, '')
}

const estimateDigits = 6

/** An estimated amount, without insignificant digits: truncated, never padded. */
export function roughAmount(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const leading = whole === '0' ? fraction.length - fraction.replace(/^0+/, '').length : -whole.length
  const kept = fraction.slice(0, Math.max(0, leading + estimateDigits)).replace(/0+$/, '')
  return kept === '' ? whole : `${whole}.${kept}`
}

/**
 * A network as wallets name it: `Ethereum (ERC-20)`. The hyphen does not break: otherwise Arabic would swap the halves.
 */
export function networkText(on: Pick<CheckoutAsset, 'network_name' | 'token_standard'>): string {
  if (on.token_standard === null) return on.network_name
  return `${on.network_name} (${on.token_standard.replaceAll('-', '\u2011')})`
}

/** A long text in groups of four, to compare by eye; joined, they are the original text. */
export function inGroups(text: string): string[] {
  return text.match(/.{1,4}/gsu) ?? []
}
