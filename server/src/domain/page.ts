export type PageRequest = { readonly limit: number; readonly offset: number }

/** The rows of one page, and the total number of rows on all pages. */
export type Page<T> = { readonly rows: readonly T[]; readonly total: number }
