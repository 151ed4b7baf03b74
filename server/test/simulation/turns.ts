import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Random } from './random.ts'

// A statement that takes longer than this waits for a lock that another one holds: then that one must continue.
const stuckMs = 15

/**
 * Lets several processes run concurrently, one statement at a time, in an order that the seed decides, so that a race found
 * once can be reproduced.
 */
export class Turns {
  readonly #random: Random
  readonly #waiting: (() => void)[] = []
  #running = 0
  #asked = false

  constructor(random: Random) {
    this.#random = random
  }

  async run<T>(statement: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve)
      this.#next()
    })
    this.#running++
    let counts = true
    const free = () => {
      if (!counts) return
      counts = false
      this.#running--
      this.#next()
    }
    const stuck = setTimeout(free, stuckMs)
    try {
      return await statement()
    } finally {
      clearTimeout(stuck)
      free()
    }
  }

  #next(): void {
    if (this.#asked) return
    this.#asked = true
    // By then every process that continues without a statement has arrived at its next one.
    void nextTurn().then(() => {
      this.#asked = false
      if (this.#running > 0 || this.#waiting.length === 0) return
      const [resume] = this.#waiting.splice(this.#random.below(this.#waiting.length), 1)
      resume?.()
    })
  }
}
