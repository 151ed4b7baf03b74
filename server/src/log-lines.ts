import pino from 'pino'

const flushAfterMs = 50
const writeAtBytes = 4096
/** A reader of our log that does not keep up costs lines, never the service's memory. */
const maxHeldBytes = 8 * 1024 * 1024
/** So often a reader that takes nothing is tried when the process ends, 100 ms apart. */
const maxLastTries = 10

export type LogLines = { write(line: string): void }

/**
 * Writes lines to a file descriptor, many at a time and without ever blocking: a slow reader must not slow payments.
 * What is still held when the process ends is written then. A log that cannot be written ends nothing and keeps nothing from ending.
 */
export function createLogLines(fd: number): LogLines {
  let dropped = 0
  let isLast = false
  let lastTries = 0
  const lines = pino.destination({
    dest: fd,
    sync: false,
    minLength: writeAtBytes,
    periodicFlush: flushAfterMs,
    maxLength: maxHeldBytes,
    retryEAGAIN: () => !isLast || ++lastTries < maxLastTries,
  })
  // pino forgives a reader that is gone. Nor must a full disk or a closed terminal end the service: what is held is tried again.
  lines.on('error', () => {})
  lines.on('drop', () => dropped++)
  lines.on('drain', () => {
    if (dropped === 0) return
    const notice = `{"level":40,"msg":"${dropped} log lines were dropped"}\n`
    dropped = 0
    lines.write(notice)
  })

  // What pino calls when the process ends. There is no other place to say that it failed.
  const flushSync = lines.flushSync.bind(lines)
  lines.flushSync = () => {
    isLast = true
    try {
      flushSync()
    } catch {}
  }
  // Not the destination itself: pino would flush it at every line of level fatal, and wait.
  return { write: (line) => lines.write(line) }
}
