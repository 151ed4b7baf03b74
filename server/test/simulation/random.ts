/** All randomness of a simulation, from one seed: the same seed makes the same choices. */
export type Random = {
  /** An integer from 0 up to but excluding `bound`. */
  below(bound: number): number
  between(least: number, most: number): number
  bool(share: number): boolean
  pick<T>(among: readonly [T, ...T[]]): T
  /** One of several, each with a weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T
  bytes(size: number): Buffer
}

/** xorshift32 over a scrambled seed. */
export function randomOf(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state
  }
  // Neighbouring seeds start out alike, so the first numbers are discarded.
  for (let thrown = 0; thrown < 16; thrown++) next()
  const below = (bound: number) => next() % bound
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    bool: (share) => next() < share * 2 ** 32,
    pick: <T>(among: readonly [T, ...T[]]) => among[below(among.length)] as T,
    weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
      const entries = Object.entries<number>(weights) as [T, number][]
      let left = below(entries.reduce((sum, [, weight]) => sum + weight, 0))
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name
      }
      throw new Error('The weights do not add up.')
    },
    bytes: (size) => Buffer.from(Array.from({ length: size }, () => below(256))),
  }
}

export function nonEmpty<T>(list: readonly T[]): readonly [T, ...T[]] | null {
  return list.length === 0 ? null : (list as unknown as readonly [T, ...T[]])
}
