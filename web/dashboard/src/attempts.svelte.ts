const firstWaitMs = 1_000
const longestWaitMs = 30_000

/** Something without which nothing can be shown. It is tried again until it succeeds, each time after a longer wait. */
export class Attempts {
  /** Why the last one failed; null while none has. */
  error = $state.raw<unknown>(null)
  isTrying = $state(false)
  #goOn = () => {}

  /** Tries again now. */
  again = () => this.#goOn()

  /** The result of the first one that succeeds. `failed` is told how many have not. */
  async until<Result>(
    work: () => Promise<Result>,
    failed?: (times: number) => Promise<void>,
  ): Promise<Result> {
    for (let times = 1, waitMs = firstWaitMs; ; times++, waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      this.isTrying = true
      try {
        const result = await work()
        this.error = null
        return result
      } catch (error) {
        this.error = error
        await failed?.(times)
      } finally {
        this.isTrying = false
      }
      await this.#wait(waitMs)
    }
  }

  /** Until then, or until someone asks for it, or the machine is connected again. */
  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer)
        window.removeEventListener('online', goOn)
        resolve()
      }
      const timer = setTimeout(goOn, ms)
      window.addEventListener('online', goOn)
      this.#goOn = goOn
    })
  }
}
