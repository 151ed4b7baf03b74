import type { SavedView } from '@sluice/web/contract'
import type { Desk } from './desk.svelte.ts'
import { customPeriod } from './periods.ts'
import type { RouteName } from './routes.ts'

export type SavedViewList = SavedView['list']

/** The parameter of a list's URL that says which saved view was opened there. */
export const openedName = 'view'

/** Where each list is. Those that belong to one resource are where the user is, or nowhere. */
const routes: Readonly<Record<SavedViewList, { readonly route: RouteName; readonly isPart?: true }>> = {
  invoices: { route: 'invoices' },
  payouts: { route: 'payouts' },
  refunds: { route: 'refunds' },
  addresses: { route: 'addresses' },
  events: { route: 'events' },
  deliveries: { route: 'webhook', isPart: true },
  ledger: { route: 'ledger', isPart: true },
  audit_log: { route: 'audit' },
}

/** What a view of a list is saved with: those parameters of its URL that decide what it shows. */
export function viewQuery(names: readonly string[], isSorted: boolean, query: URLSearchParams): string {
  const isCustom = query.get('period') === customPeriod
  const all = [...names, 'period', ...(isCustom ? ['from', 'to'] : []), ...(isSorted ? ['order'] : [])]
  const kept = new URLSearchParams()
  for (const name of all) {
    const value = query.get(name)
    if (value !== null && value !== '') kept.set(name, value)
  }
  return kept.toString()
}

/** Whether two queries have the same parameters, in any order. */
export function isSameQuery(one: string, other: string): boolean {
  const sorted = (text: string) => {
    const query = new URLSearchParams(text)
    query.sort()
    return query.toString()
  }
  return sorted(one) === sorted(other)
}

/** The URL of a list that shows a saved view. `path` is the dashboard's own: the view adds only what follows the question mark. */
export function viewPath(path: string, { id, query }: Pick<SavedView, 'id' | 'query'>): string {
  const asked = new URLSearchParams(query)
  asked.set(openedName, id)
  return `${path}?${asked}`
}

/** The path of the list that a view is of; null if the user is not where the list is. */
export function listPath({ to, router }: Pick<Desk, 'to' | 'router'>, list: SavedViewList): string | null {
  const { route: name, isPart } = routes[list]
  if (isPart) return router.route?.name === name ? router.url.pathname : null
  return to(name as 'invoices')
}
