import { type ErrorCode, OutageError, RateLimitedError, ServiceError } from '../domain/errors.ts'
import { fieldProblem } from '../domain/reasons/field-problems.ts'
import { reasonsIn } from '../domain/reasons/reasons.ts'

/** The one place that knows the HTTP status of each error code. */
export const statusOf: Record<ErrorCode, number> = {
  validation_error: 400,
  invalid_state: 400,
  unauthorized: 401,
  forbidden: 403,
  step_up_required: 403,
  second_factor_required: 403,
  password_change_required: 403,
  not_found: 404,
  conflict: 409,
  idempotency_key_mismatch: 422,
  amount_too_small: 422,
  insufficient_balance: 422,
  invalid_destination: 422,
  refund_exceeds_credited: 422,
  webhook_target_refused: 422,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
  gate_offline: 503,
  rate_unavailable: 503,
}

// Temporary errors say when to retry. Gates and rate sources are checked again only every few seconds.
const retrySecondsOf: Partial<Record<ErrorCode, number>> = {
  service_unavailable: 1,
  gate_offline: 5,
  rate_unavailable: 5,
}

export type ErrorAnswer = {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly details?: readonly string[] | undefined
  readonly retryAfterSeconds?: number | undefined
  /** Set when the error is our own and belongs in the log, never in the answer. */
  readonly bug?: unknown
}

/** Turns a thrown value into the answer for the caller. An unexpected error becomes a plain 500. */
export function answerFor(error: unknown): ErrorAnswer {
  if (error instanceof ServiceError) {
    return {
      status: statusOf[error.code],
      code: error.code,
      message: error.message,
      details: error.details,
      retryAfterSeconds:
        error instanceof RateLimitedError ? error.retryAfterSeconds : retrySecondsOf[error.code],
    }
  }
  if (error instanceof OutageError) {
    return {
      status: statusOf.service_unavailable,
      code: 'service_unavailable',
      message: 'A system that this service depends on does not answer right now. Send the request again.',
      retryAfterSeconds: retrySecondsOf.service_unavailable,
      bug: error,
    }
  }
  return (
    frameworkRefusal(error) ?? {
      status: 500,
      code: 'internal_error',
      message: 'Something went wrong on our side. Give the request id to support.',
      bug: error,
    }
  )
}

/** How an error is told: with its message at the top level too, and with the codes of its sentences for people’s languages. */
export type ErrorForm = { readonly isFlat?: boolean; readonly isForPeople?: boolean }

/** The body of an error, serialised. */
export function errorBody(
  answer: ErrorAnswer,
  requestId: string,
  { isFlat = false, isForPeople = false }: ErrorForm = {},
): string {
  const { code, message, details } = answer
  const words = isForPeople && {
    reasons: reasonsIn(message),
    ...(details && { problems: details.map(fieldProblem) }),
  }
  return JSON.stringify({
    ...(isFlat && { message }),
    error: { code, message, ...(details && { details }), ...words },
    meta: { request_id: requestId },
  })
}

// Fastify's own refusals before a handler runs, in our words.
const frameworkRefusals: Record<string, { status: number; message: string; detail: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    status: 413,
    message: 'The request body is too large.',
    detail: '/: must be at most 64 KiB',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    message: 'The request body must be JSON.',
    detail: '/: must be sent with the header Content-Type: application/json',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    message: 'The length of the request body does not match its Content-Length.',
    detail: '/: must have the length that the header Content-Length says',
  },
  FST_ERR_BAD_URL: {
    status: 400,
    message: 'The URL of the request is malformed.',
    detail: '/: must be a well-formed path',
  },
}

function frameworkRefusal(error: unknown): ErrorAnswer | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = frameworkRefusals[code]
  if (known === undefined) return null
  return { status: known.status, code: 'validation_error', message: known.message, details: [known.detail] }
}
