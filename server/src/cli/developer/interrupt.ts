/** Runs until it ends, or until Ctrl-C or SIGTERM, which is how one leaves a command that goes on. A second one kills. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  const abort = () => stop.abort()
  process.once('SIGINT', abort)
  process.once('SIGTERM', abort)
  // Whoever reads the output may leave first: `… | head`.
  const onBroken = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    abort()
  }
  process.stdout.on('error', onBroken)
  try {
    await work(stop.signal)
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    process.off('SIGINT', abort)
    process.off('SIGTERM', abort)
    process.stdout.off('error', onBroken)
  }
}
