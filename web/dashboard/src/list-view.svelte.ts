import type { Desk } from './desk.svelte.ts'
import { spanOf } from './periods.ts'
import { openedName, type SavedViewList, viewQuery } from './saved-views.ts'

/** How many rows a page of a list may show. The first is what everyone starts with. */
export const pageSizes = [20, 50, 100] as const

const keptSize = 'sluice.rows'
const spanNames = ['period', 'from', 'to'] as const

/** What a list shows: its filters and its order. All of it is in the URL, so a link shows the same list. */
export class ListView<Name extends string> {
  readonly #desk: Desk
  readonly #names: readonly Name[]
  /** Whether users choose the order of its rows. */
  readonly isSorted: boolean
  /** What saved views of it are kept under; null if it has none. */
  readonly list: SavedViewList | null
  // Each stays the same text while only the clock goes on, so that nothing is loaded anew.
  #after = $derived.by(() => this.#span.after)
  #before = $derived.by(() => this.#span.before)

  constructor(desk: Desk, names: readonly Name[], isSorted: boolean, list: SavedViewList | null) {
    this.isSorted = isSorted
    this.list = list
    this.#desk = desk
    this.#names = names
  }

  /** The filters; null: any. */
  get filters(): Readonly<Record<Name, string | null>> {
    const { query } = this.#desk.router
    return Object.fromEntries(this.#names.map((name) => [name, query.get(name)])) as Record<
      Name,
      string | null
    >
  }

  /** Only rows from this time on; null: any. */
  get after(): string | null {
    return this.#after
  }

  /** Only rows before this time; null: any. */
  get before(): string | null {
    return this.#before
  }

  /** The order, if it is not the usual one. */
  get order(): 'oldest_first' | null {
    return this.isSorted && this.#desk.router.query.get('order') === 'oldest_first' ? 'oldest_first' : null
  }

  /** The URL of the list in the other order. */
  get reversed(): string {
    const url = new URL(this.#desk.router.url)
    url.searchParams.delete('page')
    if (this.order === null) url.searchParams.set('order', 'oldest_first')
    else url.searchParams.delete('order')
    return `${url.pathname}${url.search}`
  }

  get #span() {
    return spanOf(this.#desk.router.query, this.#desk.nowMs)
  }

  /** What most lists and their exports are asked with. */
  get asked() {
    return { ...this.filters, created_after: this.#after, created_before: this.#before, order: this.order }
  }

  /** What a saved view of it would hold now; empty if there is nothing to save. */
  get saved(): string {
    return viewQuery(this.#names, this.isSorted, this.#desk.router.query)
  }

  get isFiltered(): boolean {
    const { query } = this.#desk.router
    return [...this.#names, 'period'].some((name) => query.has(name))
  }

  /** The URL of the list without filters. */
  get cleared(): string {
    const url = new URL(this.#desk.router.url)
    for (const name of [...this.#names, ...spanNames, 'page', openedName]) url.searchParams.delete(name)
    return `${url.pathname}${url.search}`
  }
}

/** The view of the list on a page, with the names of its filters in the URL. */
export function viewOf<Name extends string>(
  desk: Desk,
  names: readonly Name[],
  { isSorted = false, list = null }: { isSorted?: boolean; list?: SavedViewList | null } = {},
): ListView<Name> {
  return new ListView(desk, names, isSorted, list)
}

/** How many rows a page shows. A page further on means what it meant to the user who sent its link. */
export function rowsPerPage(query: URLSearchParams): number {
  const named = query.get('rows') ?? (query.has('page') ? null : localStorage.getItem(keptSize))
  return pageSizes.find((size) => String(size) === named) ?? pageSizes[0]
}

/** Remembers it for lists whose URL names none. */
export function keepRowsPerPage(rows: string): void {
  localStorage.setItem(keptSize, rows)
}
