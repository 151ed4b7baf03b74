/** Something that this signer has accepted. Both times are by its own clock. */
export type Accepted = {
  readonly at: Date
  /** When it takes the place of what stood before. Until then both count. */
  readonly from: Date
}

/** What was accepted before anything was recorded. */
export const always: Accepted = { at: new Date(0), from: new Date(0) }

/**
 * The settings that count at a moment: the newest that is in force, and every later one. A transaction must be allowed under
 * each of them. Stricter settings therefore count at once. Weaker ones count after their delay, unless stricter ones replace
 * them first.
 */
export function standingAt<T extends Accepted>(accepted: readonly T[], now: Date): readonly T[] {
  const last = accepted.findLastIndex(({ from }) => from <= now)
  return accepted.slice(Math.max(last, 0))
}

/** The newest of all, if it has not yet taken the place of those before it. */
export function waitingAt<T extends Accepted>(accepted: readonly T[], now: Date): T | null {
  const newest = accepted.at(-1)
  return newest !== undefined && newest.from > now ? newest : null
}

/** The latest of the given times: the signer's clock never goes back. */
export function latest(...times: readonly (Date | number)[]): Date {
  return new Date(Math.max(...times.map(Number)))
}
