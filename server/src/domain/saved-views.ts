import { type Power, powersOf, type Role } from './roles.ts'

type ListOfViews = {
  /** The power that it takes to see the list. */
  readonly power: Power
  /** The filters in its URL, besides the days that every list has. */
  readonly filters: readonly string[]
  readonly isSorted: boolean
}

/** The dashboard's lists whose views people save. */
const lists = {
  invoices: { power: 'invoices:read', filters: ['status', 'currency', 'search'], isSorted: true },
  payouts: { power: 'payouts:read', filters: ['status', 'currency', 'search'], isSorted: true },
  refunds: { power: 'refunds:read', filters: ['currency', 'search'], isSorted: true },
  addresses: { power: 'addresses:read', filters: ['currency', 'search'], isSorted: true },
  events: { power: 'events:read', filters: ['event'], isSorted: false },
  deliveries: { power: 'webhooks:read', filters: ['status'], isSorted: false },
  ledger: { power: 'balances:read', filters: ['entry_type'], isSorted: false },
  audit_log: { power: 'audit:read', filters: ['actor', 'action'], isSorted: false },
} as const satisfies Readonly<Record<string, ListOfViews>>

export type SavedViewList = keyof typeof lists

const periods: readonly string[] = ['today', '7_days', '30_days', 'this_month', 'last_month', 'custom']
const dayForm = /^[12]\d{3}-\d\d-\d\d$/
// Nothing shows of these, or they turn the text around them (Unicode Standard Annex 9): names would look like others.
const unseen = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u
// Nothing that a person types into a filter, and nothing that PostgreSQL stores.
const unprintable = /\p{Cc}/u

/** What the parameters that lists share may say; others are any text, as in the URL itself. */
const forms: Readonly<Record<string, { readonly fits: (value: string) => boolean; readonly form: string }>> =
  {
    period: { fits: (value) => periods.includes(value), form: `one of ${periods.join(', ')}` },
    from: { fits: (value) => dayForm.test(value), form: 'a day such as 2026-11-15' },
    to: { fits: (value) => dayForm.test(value), form: 'a day such as 2026-11-15' },
    order: { fits: (value) => value === 'oldest_first', form: 'oldest_first' },
  }

/** The name of a view as it is stored, or what is wrong with it. */
export function readViewName(text: string): { readonly name: string } | { readonly problem: string } {
  const name = text.trim()
  return unseen.test(name) ? { problem: 'has a character that cannot be seen' } : { name }
}

/** The lists that a role may see. */
export function listsOpenTo(role: Role): SavedViewList[] {
  return (Object.keys(lists) as SavedViewList[]).filter((list) => powersOf[role].has(lists[list].power))
}

/**
 * The query of a view as it is stored: parameters of its list, each once, in one order, so that equal views have equal queries. It
 * is nothing but parameters, so opening the view cannot lead out of that list. Otherwise what is wrong with it.
 */
export function readViewQuery(
  list: SavedViewList,
  text: string,
): { readonly query: string } | { readonly problem: string } {
  const { filters, isSorted } = lists[list]
  const names = [...filters, 'period', 'from', 'to', ...(isSorted ? ['order'] : [])]
  const given = new URLSearchParams(text)
  for (const [name, value] of given) {
    if (!names.includes(name))
      return { problem: `names a parameter that this list lacks; it has ${names.join(', ')}` }
    if (given.getAll(name).length > 1) return { problem: `names ${name} more than once` }
    if (value === '') return { problem: `has no value for ${name}; leave it out` }
    if (unprintable.test(value)) return { problem: `has a control character in ${name}` }
    const known = forms[name]
    if (known !== undefined && !known.fits(value)) return { problem: `must have as ${name} ${known.form}` }
  }
  const kept = names
    .filter((name) => given.has(name))
    .map((name) => [name, given.get(name) ?? ''] as [string, string])
  const query = new URLSearchParams(kept).toString()
  if (query === '') return { problem: 'must name at least one filter, period or order' }
  // What is not a letter or digit takes up to three characters for each byte.
  return query.length > maxQuery ? { problem: `must have at most ${maxQuery} characters` } : { query }
}

const maxQuery = 1_000
