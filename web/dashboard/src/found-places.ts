import type { SearchResult } from '@sluice/web/contract'
import type { IconName } from './components/icon.svelte'
import type { Desk } from './desk.svelte.ts'

export const foundIcons: Readonly<Record<SearchResult['type'], IconName>> = {
  invoice: 'invoice',
  payout: 'payout',
  refund: 'refund',
  static_address: 'address',
  event: 'event',
}

/** The page of something that a search found. */
export function foundPath({ to }: Pick<Desk, 'to'>, { type, id }: SearchResult): string {
  if (type === 'invoice') return to('invoice', { invoice: id })
  if (type === 'payout') return to('payout', { payout: id })
  if (type === 'refund') return to('refund', { refund: id })
  return type === 'event' ? to('event', { event: id }) : to('address', { address: id })
}
