import type { FieldProblem, Reason } from '@sluice/web/contract'

/** What is wrong with one field: in the service's words, and as a code with values where the service gave one. */
export type Problem = { readonly field: string; readonly said: string; readonly reason: Reason | null }

type Said = {
  readonly code?: string
  readonly message?: string
  readonly details?: readonly string[]
  readonly reasons?: readonly Reason[]
  readonly problems?: readonly FieldProblem[]
}

/** The service answered with a refusal. `code` is one of the contract's, or empty if the answer had none. */
export class RefusedError extends Error {
  readonly status: number
  readonly code: string
  /** `<json pointer>: <what is wrong>`, one per problem. */
  readonly details: readonly string[]
  /** The message, sentence by sentence, with codes. */
  readonly reasons: readonly Reason[]
  /** The details, with codes. */
  readonly told: readonly FieldProblem[]
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(status: number, said: Said, requestId: string | null, retryAfterSeconds: number | null) {
    super(said.message ?? `The service answered ${status}.`)
    this.status = status
    this.code = said.code ?? ''
    this.details = said.details ?? []
    this.reasons = said.reasons ?? []
    this.told = said.problems ?? []
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** What is wrong with each field of the request body. */
  get problems(): readonly Problem[] {
    return this.details.flatMap((detail, at) => {
      const [, field = '', said = ''] = /^\/([^:]*): (.*)$/s.exec(detail) ?? []
      return field === '' ? [] : [{ field, said, reason: this.told[at] ?? null }]
    })
  }

  /** What is wrong with one field or a part of it, or null. */
  problemWith(field: string): Problem | null {
    return (
      this.problems.find((problem) => problem.field === field || problem.field.startsWith(`${field}/`)) ??
      null
    )
  }
}

/** No answer arrived: no connection, or a timeout. */
export class UnreachableError extends Error {}

/** The user was asked for a fresh proof and declined: nothing was done, and nothing is wrong. */
export class NotProvedError extends Error {}
