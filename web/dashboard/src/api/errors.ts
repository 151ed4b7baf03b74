/** The service answered, and did not do it. `code` is one of the contract's, or empty when the answer had none. */
export class RefusedError extends Error {
  readonly status: number
  readonly code: string
  /** `<json pointer>: <what is wrong>`, one a problem. */
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

  /** What is wrong with one field of the body that was sent, or null. */
  problemWith(field: string): string | null {
    const found = this.details.find((detail) => detail.startsWith(`/${field}:`))
    return found === undefined ? null : found.slice(field.length + 2).trim()
  }
}

/** No answer came: no connection, or none in time. */
export class UnreachableError extends Error {}

/** The person was asked for a fresh proof and did not give one: nothing was done, and nothing is wrong. */
export class NotProvedError extends Error {}
