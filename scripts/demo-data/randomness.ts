/** Choices that a seed repeats. They decide what happens, never how money is rounded. */
export type Randomness = {
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  pick<T>(from: readonly T[]): T
  /** Each as often as its weight says. */
  weighted<T>(from: readonly (readonly [weight: number, T])[]): T
  /** This number of bytes in hexadecimal. */
  hex(bytes: number): string
}

export function randomnessFrom(seed: number): Randomness {
  let state = seed >>> 0
  // The generator mulberry32: 32 bits of state are plenty for a story.
  const next = (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
  const whole = (least: number, most: number) => least + next(most - least + 1)
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T
  return {
    whole,
    pick,
    weighted(from) {
      let left = next(from.reduce((sum, [weight]) => sum + weight, 0))
      for (const [weight, each] of from) {
        if (left < weight) return each
        left -= weight
      }
      throw new Error('There is nothing to choose from.')
    },
    hex: (bytes) => Array.from({ length: bytes }, () => whole(0, 255).toString(16).padStart(2, '0')).join(''),
  }
}
