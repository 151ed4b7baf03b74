import type { StaticAddress } from '@sluice/web/contract'
import { sumOf } from './decimals.ts'
import type { Desk } from './desk.svelte.ts'
import { coinText } from './formats.ts'

/** An amount of a row, and what it was worth when it was recorded, if that is known. */
export type RowAmount = {
  readonly amount: string
  readonly currency: string
  readonly isFiat?: boolean
  readonly worth?: { readonly amount_in_base_currency: string | null; readonly base_currency: string | null }
}

/** What all deposits to an address are worth today. */
export function receivedWorth({
  total_received_in_base_currency,
  base_currency,
}: Pick<StaticAddress, 'total_received_in_base_currency' | 'base_currency'>): NonNullable<
  RowAmount['worth']
> {
  return { amount_in_base_currency: total_received_in_base_currency, base_currency }
}

/** The sum of each currency, and what all are worth if that is known of each. A row may have no amount yet. */
export function totalText(
  desk: Pick<Desk, 'language' | 'fiat'>,
  rows: readonly (RowAmount | null)[],
): string {
  const amounts = rows.filter((each) => each !== null)
  const sums = byCurrency(amounts).map(([currency, sum, isFiat]) =>
    isFiat ? desk.fiat(sum, currency) : `${coinText(desk.language, sum)} ${currency}`,
  )
  const worths = amounts.flatMap(({ worth }) =>
    worth?.base_currency && worth.amount_in_base_currency !== null
      ? [{ amount: worth.amount_in_base_currency, currency: worth.base_currency }]
      : [],
  )
  if (worths.length === 0 || worths.length < rows.length) return sums.join(' · ')
  // What was recorded in different currencies is not added up.
  const worth = byCurrency(worths).map(([currency, sum]) => desk.fiat(sum, currency))
  return `${sums.join(' · ')} (≈ ${worth.join(' + ')})`
}

/** The exact sum of each currency, and whether it is a fiat one. */
function byCurrency(
  amounts: readonly RowAmount[],
): (readonly [currency: string, sum: string, isFiat: boolean])[] {
  return [...Map.groupBy(amounts, ({ currency }) => currency)].map(([currency, own]) => [
    currency,
    sumOf(own.map(({ amount }) => amount)),
    own[0]?.isFiat === true,
  ])
}
