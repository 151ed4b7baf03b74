import { createHash } from 'node:crypto'

/**
 * All randomness of a run, from one seed: the same seed makes the same choices as long as the service gives the same
 * answers.
 */
export class Randomness {
  readonly seed: number
  #state: number
  #asides = 0

  constructor(seed: number) {
    this.seed = seed
    this.#state = seed * 2654435761
  }

  /** mulberry32: a number from 0 up to but excluding 1. */
  next(): number {
    this.#state |= 0
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  hits(share: number): boolean {
    return this.next() < share
  }

  pick<T>(among: readonly [T, ...T[]]): T
  pick<T>(among: readonly T[]): T | undefined
  pick<T>(among: readonly T[]): T | undefined {
    return among[Math.floor(this.next() * among.length)]
  }

  weighted<T>(table: readonly [weight: number, value: T][]): T {
    let left = this.next() * table.reduce((total, [weight]) => total + weight, 0)
    for (const [weight, value] of table) {
      left -= weight
      if (left < 0) return value
    }
    throw new Error('The weights do not add up.')
  }

  bytes(size: number): Buffer {
    return Buffer.from(Array.from({ length: size }, () => this.int(0, 255)))
  }

  /** 32 bytes derived from the seed that use up none of its choices. */
  aside(): Buffer {
    return createHash('sha256')
      .update(`${this.seed}/${this.#asides++}`)
      .digest()
  }
}
