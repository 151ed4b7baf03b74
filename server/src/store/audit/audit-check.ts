import type { Sql } from '../sql.ts'

/** What must hold, in words, and the query that finds each row for which it does not, each described in one sentence. */
export type Check = { readonly promise: string; readonly differences: Sql<{ difference: string }> }
