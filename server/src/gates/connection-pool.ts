import { buildConnector, Pool } from 'undici'

export type PoolBounds = {
  readonly maxConnections: number
  readonly timeoutMs: number
  readonly maxAnswerBytes: number
  /** Called when a connection that has answered before fails. */
  readonly onKeptFailed: (error: Error) => void
}

// Bitcoin nodes close connections that are idle for 30 seconds, other nodes later.
const keptMs = 20_000

/** Keep-alive undici connections to one origin: HTTP/1.1, one request at a time on each. */
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
