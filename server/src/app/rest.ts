/**
 * Waits so long, or until the signal says that nobody waits any more. By the global timer, as it is at that moment: a test that
 * sets the clock sets this too, whoever loaded the module before.
 */
export function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })
}
