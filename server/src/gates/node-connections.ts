import type { Pool } from 'undici'

export type HttpAnswer = {
  readonly status: number
  readonly text: string
  /** The header as received. */
  readonly retryAfter: string | null
}

export type NodeConnections = {
  /** Posts JSON and returns the node's answer with any status. Any other failure is thrown as an outage. */
  post(body: string, login: string): Promise<HttpAnswer>
  /** Closes every connection and aborts its requests. */
  close(): void
}

export type ConnectionBounds = {
  /** The limit for a whole exchange, from the request to the end of the answer. */
  readonly timeoutMs: number
  readonly maxAnswerBytes: number
  /** Makes the error that says what is wrong with the node. */
  outage(what: string, cause?: unknown): Error
}

const maxConnections = 8
// The error codes of a connection that the node has closed.
const endedCodes = new Set<unknown>(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Keep-alive connections to a node: HTTP/1.1, no proxies, no redirects. */
export function nodeConnections(
  url: URL,
  { timeoutMs, maxAnswerBytes, outage }: ConnectionBounds,
): NodeConnections {
  let pool: Promise<Pool> | null = null
  let isClosed = false
  /** Errors of connections that have answered before. */
  const ofKept = new WeakSet<Error>()

  async function openPool(): Promise<Pool> {
    // Loaded with the first request to a node: the signer sends none, and must not have it in its process.
    const { connectionPool } = await import('./connection-pool.ts')
    return connectionPool(url.origin, {
      maxConnections,
      timeoutMs,
      maxAnswerBytes,
      onKeptFailed: (error) => ofKept.add(error),
    })
  }

  async function exchange(to: Pool, body: string, login: string, signal: AbortSignal): Promise<HttpAnswer> {
    for (let left = maxConnections; ; left--) {
      try {
        const {
          statusCode,
          headers,
          body: answer,
        } = await to.request({
          method: 'POST',
          path: `${url.pathname}${url.search}`,
          headers: { 'content-type': 'application/json', ...authorization(login) },
          body,
          signal,
        })
        const retryAfter = headers['retry-after']
        const text = await answer.text().catch((error) => {
          throw new BrokenOff(error)
        })
        return { status: statusCode, text, retryAfter: typeof retryAfter === 'string' ? retryAfter : null }
      } catch (error) {
        // The node has closed an idle connection meanwhile and has not read this request, so it can be sent again.
        if (left === 0 || !isEnded(error) || !ofKept.has(error)) throw error
      }
    }
  }

  return {
    async post(body, login) {
      if (isClosed) throw outage('is no longer in use.')
      pool ??= openPool()
      // Not inside the `try`: a module that cannot be loaded is not an outage of the node.
      const to = await pool
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        // undici honours the signal only once a request has a connection, which may be later.
        return await Promise.race([exchange(to, body, login, signal), abortOf(signal)])
      } catch (error) {
        if (signal.aborted) throw outage(`did not answer within ${timeoutMs} ms.`, error)
        if (error instanceof BrokenOff) {
          const { code } = error.cause as { code?: unknown }
          if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
            throw outage(`answered with more than ${maxAnswerBytes} bytes.`, error.cause)
          throw outage('broke off its answer.', error.cause)
        }
        const { code, message } = error as NodeJS.ErrnoException
        throw outage(`cannot be reached (${code ?? message}).`, error)
      }
    },

    close() {
      isClosed = true
      void pool?.then((opened) => opened.destroy())
    },
  }
}

/** The answer started but did not complete. */
class BrokenOff extends Error {
  constructor(cause: unknown) {
    super('the answer broke off', { cause })
  }
}

function isEnded(error: unknown): error is Error {
  return error instanceof Error && endedCodes.has((error as NodeJS.ErrnoException).code)
}

function authorization(login: string): { authorization?: string } {
  return login === '' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
