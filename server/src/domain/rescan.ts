/** How many addresses in a row may have been given out and never paid, unless an operator says otherwise. */
export const defaultGap = 1_000
/** The most that an operator may say: deriving so many takes minutes. */
export const maxGap = 100_000

/**
 * How many addresses of a chain are looked for, when the one at `highest` (-1: none) is the last that is known to have been used.
 * Twice the gap: a database that was restored before has left a whole gap out, and given out others after it.
 */
export function countLookedFor(highest: number, gap: number): number {
  return highest + 1 + 2 * gap
}

/** The first address that may be given out: those right after the last used one may have been shown to somebody. */
export function firstFree(highest: number, gap: number): number {
  return highest + 1 + gap
}
