import { buildConnector, Pool } from 'undici'

export type PoolBounds = {
  readonly maxConnections: number
  readonly timeoutMs: number
  readonly maxAnswerBytes: number
  /** A connection over which something was answered before has failed with this error. */
  readonly onKeptFailed: (error: Error) => void
}

// Bitcoin's nodes close what is not used for 30 seconds, others later.
const keptMs = 20_000

/** undici's connections to one origin, kept for the next question: HTTP/1.1, one question at a time over each. */
export function connectionPool(
  origin: string,
  { maxConnections, timeoutMs, maxAnswerBytes, onKeptFailed }: PoolBounds,
): Pool {
  const connector = buildConnector({ timeout: timeoutMs, allowH2: false })
  return new Pool(origin, {
    connections: maxConnections,
    pipelining: 1,
    allowH2: false,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: keptMs,
    maxResponseSize: maxAnswerBytes,
    connect: (options, done) =>
      connector(options, (error, socket) => {
        if (error !== null) return done(error, null)
        let hasAnswered = false
        socket.prependListener('readable', () => {
          hasAnswered ||= socket.readableLength > 0
        })
        socket.on('error', (failure) => {
          if (hasAnswered) onKeptFailed(failure)
        })
        done(null, socket)
      }),
  })
}
