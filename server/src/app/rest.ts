/**
 * Waits for `ms` or until the signal aborts. Looks up the global timer on each call, so that a test's fake clock applies
 * even if the module was loaded before.
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
