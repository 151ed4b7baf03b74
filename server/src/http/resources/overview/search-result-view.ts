import type { SearchResult } from '@sluice/web/contract'
import { formatDecimal } from '../../../domain/money.ts'
import type { SearchHit } from '../../../store/reports/search.ts'

export function searchResultView(hit: SearchHit): SearchResult {
  const { type, matched, title, status, units, decimals, currency, network } = hit
  const own = (id: string) => (type === 'event' ? `evt_${id}` : id)
  return {
    type,
    id: own(hit.id),
    matched,
    value: matched === 'id' ? own(hit.value) : hit.value,
    title,
    status,
    amount: units === null || decimals === null ? null : formatDecimal(units, decimals),
    currency,
    network,
    created_at: hit.createdAt.toISOString(),
  }
}
