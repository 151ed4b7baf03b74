// Stands in for `node:timers/promises`, which fake timers leave alone: this one waits for the clock of the test.
export function setTimeout<T>(ms: number, value: T, { signal }: { signal?: AbortSignal } = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = globalThis.setTimeout(() => resolve(value), ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
