/** The service answered with a refusal. `code` is one of the contract's, or empty if the answer had none. */
export class RefusedError extends Error {
  readonly status: number
  readonly code: string
  /** `<json pointer>: <what is wrong>`, one per problem. */
  readonly details: readonly string[]
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(
    status: number,
    said: { code?: string; message?: string; details?: readonly string[] },
    requestId: string | null,
    retryAfterSeconds: number | null,
  ) {
    super(said.message ?? `The service answered ${status}.`)
    this.status = status
    this.code = said.code ?? ''
    this.details = said.details ?? []
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** What is wrong with one field of the request body, or null. */
  problemWith(field: string): string | null {
    const found = this.details.find((detail) => detail.startsWith(`/${field}:`))
    return found === undefined ? null : found.slice(field.length + 2).trim()
  }
}

/** No answer arrived: no connection, or a timeout. */
export class UnreachableError extends Error {}

/** The user was asked for a fresh proof and declined: nothing was done, and nothing is wrong. */
export class NotProvedError extends Error {}
