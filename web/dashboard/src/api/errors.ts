import type { Reason } from '@sluice/web/contract'

/** The service answered with a refusal. `code` is one of the contract's, or empty if the answer had none. */
export class RefusedError extends Error {
  readonly status: number
  readonly code: string
  /** `<json pointer>: <what is wrong>`, one per problem. */
  readonly details: readonly string[]
  /** The message, sentence by sentence, with codes. */
  readonly reasons: readonly Reason[]
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(
    status: number,
    said: { code?: string; message?: string; details?: readonly string[]; reasons?: readonly Reason[] },
    requestId: string | null,
    retryAfterSeconds: number | null,
  ) {
    super(said.message ?? `The service answered ${status}.`)
    this.status = status
    this.code = said.code ?? ''
    this.details = said.details ?? []
    this.reasons = said.reasons ?? []
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** What is wrong with each field of the request body, in the service's words. */
  get problems(): readonly { readonly field: string; readonly said: string }[] {
    return this.details.flatMap((detail) => {
      const [, field = '', said = ''] = /^\/([^:]*): (.*)$/s.exec(detail) ?? []
      return field === '' ? [] : [{ field, said }]
    })
  }

  /** What is wrong with one field or a part of it, in the service's words, or null. */
  problemWith(field: string): string | null {
    return (
      this.problems.find((problem) => problem.field === field || problem.field.startsWith(`${field}/`))
        ?.said ?? null
    )
  }
}

/** No answer arrived: no connection, or a timeout. */
export class UnreachableError extends Error {}

/** The user was asked for a fresh proof and declined: nothing was done, and nothing is wrong. */
export class NotProvedError extends Error {}
