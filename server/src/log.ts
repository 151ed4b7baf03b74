import pino, { type Logger } from 'pino'
import { shownError, shownFields, shownText } from './shown-error.ts'
import { currentSpan } from './tracing/span.ts'

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
      // Finds the lines of a trace.
      mixin: () => {
        const span = currentSpan()
        return span === null ? {} : { trace_id: span.context.traceId }
      },
      // `err` is left to its serializer.
      formatters: {
        log: ({ err, ...fields }) => ({ ...shownFields(fields), ...(err !== undefined && { err }) }),
      },
      hooks: {
        logMethod(given, write) {
          const [first, ...rest] = given as unknown[]
          const args = first instanceof Error ? [{ err: first }, first.message, ...rest] : [first, ...rest]
          const shown = args.map((each) => (typeof each === 'string' ? shownText(each) : each))
          write.apply(this, shown as typeof given)
        },
      },
    },
    sink,
  )
  const wanted = log.isLevelEnabled('info')
  return Object.assign(log, { line: (text: string) => wanted && sink.write(text) })
}
