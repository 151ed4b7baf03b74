import pino from 'pino'

const flushAfterMs = 50
const writeAtBytes = 4096
/** A log reader that does not keep up costs log lines, never the service's memory. */
const maxHeldBytes = 8 * 1024 * 1024
/** How many attempts are made, 100 ms apart, to flush to a reader that takes nothing when the process ends. */
const maxLastTries = 10

export type LogLines = { write(line: string): void }

/**
 * Writes lines to a file descriptor in batches and without ever blocking: a slow log reader must not slow payments.
 * Lines still buffered when the process ends are written then. A log that cannot be written neither ends the process
 * nor delays its end.
 */
export function createLogLines(fd: number): LogLines {
  let dropped = 0
  let heldBytes = 0
  let flushing: NodeJS.Timeout | null = null
  let isLast = false
  let lastTries = 0
  const lines = pino.destination({
    dest: fd,
    sync: false,
    minLength: writeAtBytes,
    maxLength: maxHeldBytes,
    retryEAGAIN: () => !isLast || ++lastTries < maxLastTries,
  })
  // pino tolerates a reader that is gone. A full disk or a closed terminal must not end the service either: writing is
  // retried.
  lines.on('error', () => {})
  lines.on('write', (bytes: number) => {
    heldBytes -= bytes
  })
  lines.on('drop', (line: string) => {
    heldBytes -= Buffer.byteLength(line)
    dropped++
  })
  lines.on('drain', () => {
    if (dropped === 0) return
    const notice = `{"level":40,"msg":"${dropped} log lines were dropped"}\n`
    dropped = 0
    write(notice)
  })

  function write(line: string): void {
    heldBytes += Buffer.byteLength(line)
    lines.write(line)
    flushing ??= setInterval(flush, flushAfterMs).unref()
  }

  // Only while there is something to flush: pino's own timer writes an empty text every time.
  function flush(): void {
    if (heldBytes > 0) lines.flush()
    else if (flushing !== null) {
      clearInterval(flushing)
      flushing = null
    }
  }

  // pino calls this when the process ends. A failure cannot be reported anywhere.
  const flushSync = lines.flushSync.bind(lines)
  lines.flushSync = () => {
    isLast = true
    try {
      flushSync()
    } catch {}
  }
  // Not the destination itself: pino would flush it synchronously at every line of level fatal.
  return { write }
}
