import { write, writeSync } from 'node:fs'

const flushAfterMs = 50
const flushAtCharacters = 16 * 1024
/** A reader of our log that does not keep up costs lines, never the service's memory. */
const maxHeldCharacters = 8 * 1024 * 1024

export type LogLines = { write(line: string): void }

/**
 * Writes lines to a file descriptor, many at a time and without ever blocking: a slow reader must not slow payments.
 * What is still held when the process ends is written then.
 */
export function createLogLines(fd: number): LogLines {
  let held = ''
  let dropped = 0
  let writing = false
  let timer: NodeJS.Timeout | null = null

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (writing || held === '') return
    const bytes = Buffer.from(takeHeld())
    writing = true
    writeAll(bytes, 0)
  }

  function writeAll(bytes: Buffer, from: number): void {
    write(fd, bytes, from, (error, count) => {
      // A terminal or pipe that is full asks to be tried again; one that is gone takes nothing any more.
      if (error?.code === 'EAGAIN') {
        setTimeout(() => writeAll(bytes, from), flushAfterMs)
        return
      }
      if (error === null && from + count < bytes.length) {
        writeAll(bytes, from + count)
        return
      }
      writing = false
      if (held !== '') flush()
    })
  }

  function takeHeld(): string {
    const lines = dropped === 0 ? held : `${held}{"level":40,"msg":"${dropped} log lines were dropped"}\n`
    held = ''
    dropped = 0
    return lines
  }

  function flushSync(): void {
    try {
      if (held !== '') writeSync(fd, takeHeld())
    } catch {
      // Nobody reads any more, and there is no other place to say so.
    }
  }

  process.on('exit', flushSync)
  return {
    write(line) {
      if (held.length > maxHeldCharacters) {
        dropped++
        return
      }
      held += line
      if (held.length > flushAtCharacters) flush()
      else timer ??= setTimeout(flush, flushAfterMs).unref()
    },
  }
}
