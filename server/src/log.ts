import pino, { type Logger } from 'pino'
import { shownError } from './shown-error.ts'

/** The structured log: one JSON object per line, and a way to append lines made elsewhere. */
export type Log = Logger & {
  /** Appends a finished line of level info; does nothing if that level is off. */
  line(text: string): void
}

export function createLog(level: string, sink: { write(line: string): void }): Log {
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: shownError },
    },
    sink,
  )
  const wanted = log.isLevelEnabled('info')
  return Object.assign(log, { line: (text: string) => wanted && sink.write(text) })
}
