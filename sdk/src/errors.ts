import type { ErrorCode } from './contract.generated.ts'

/**
 * The codes of the contract, and `unexpected_answer` for an answer that is not from Sluice (a proxy's page, a
 * redirect). A newer server may send codes that this version does not know.
 */
export type SluiceErrorCode = ErrorCode | 'unexpected_answer' | (string & Record<never, never>)

export type SluiceErrorFields = {
  readonly status: number
  readonly code: SluiceErrorCode
  readonly message: string
  readonly details: readonly string[]
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
}

/** The service answered, but not with a success. */
export class SluiceError extends Error {
  override readonly name = 'SluiceError'
  /** The HTTP status; 0 if a browser hides it, as for redirects. */
  readonly status: number
  readonly code: SluiceErrorCode
  /** One string per problem, `"<json pointer>: <what is wrong>"`; empty if the service named none. */
  readonly details: readonly string[]
  /** Quote it to support. Null if the answer did not come from Sluice. */
  readonly requestId: string | null
  /** How long the service asks to wait before the next request. */
  readonly retryAfterSeconds: number | null

  constructor(fields: SluiceErrorFields) {
    super(fields.message)
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details
    this.requestId = fields.requestId
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

/**
 * No complete answer arrived: the network failed or the call timed out. Whether the service acted on the request is
 * unknown. The message summarises the original error, but the error is not attached, because a custom `fetch` may put
 * the request with its key into it.
 */
export class SluiceConnectionError extends Error {
  override readonly name = 'SluiceConnectionError'
  readonly timedOut: boolean

  constructor(message: string, timedOut: boolean) {
    super(message)
    this.timedOut = timedOut
  }
}

const longestChain = 5

/** The reason in one line: `fetch` hides the useful part (`ECONNREFUSED`) in a chain of causes. */
export function reasonOf(error: unknown): string {
  const parts: string[] = []
  let link = error
  for (let depth = 0; depth < longestChain && link instanceof Error; depth += 1) {
    const { code } = link as { code?: unknown }
    const text = link.message === '' && typeof code === 'string' ? code : link.message
    if (text !== '') parts.push(text)
    link = link.cause
  }
  return parts.length === 0 ? 'unknown reason' : parts.join(': ')
}
