/** How many consecutive addresses may have been given out and never paid, unless the operator sets another number. */
export const defaultGap = 1_000
/** The largest gap an operator may set: deriving that many addresses takes minutes. */
export const maxGap = 100_000

/**
 * How many addresses of a chain to look for when `highest` (-1: none) is the last one known to have been used. It is twice
 * the gap: a database that was restored before has skipped a whole gap, and given out addresses after it.
 */
export function countLookedFor(highest: number, gap: number): number {
  return highest + 1 + 2 * gap
}

/** The first address that may be given out: those right after the last used one may have been shown to payers. */
export function firstFree(highest: number, gap: number): number {
  return highest + 1 + gap
}
