export type PageRequest = { readonly limit: number; readonly offset: number }

/** The rows of one page and how many there are on all pages. */
export type Page<T> = { readonly rows: readonly T[]; readonly total: number }
