export type PageRequest = { readonly limit: number; readonly offset: number }

/** A page, and the id of the row that the next one comes after; null after the last page. */
export type CursorPage<T> = Page<T> & { readonly next: string | null }

/** The rows of one page, and the total number of rows on all pages. */
export type Page<T> = { readonly rows: readonly T[]; readonly total: number }
