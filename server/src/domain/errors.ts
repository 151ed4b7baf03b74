/**
 * Every code that `error.code` can have. `http/errors.ts`, the only place that knows HTTP statuses, maps each to one.
 */
export const errorCodes = [
  'validation_error',
  'invalid_state',
  'unauthorized',
  'forbidden',
  'step_up_required',
  'second_factor_required',
  'password_change_required',
  'not_found',
  'conflict',
  'idempotency_key_mismatch',
  'amount_too_small',
  'insufficient_balance',
  'invalid_destination',
  'refund_exceeds_credited',
  'webhook_target_refused',
  'rate_limited',
  'internal_error',
  'service_unavailable',
  'gate_offline',
  'rate_unavailable',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** A refusal that is reported to the caller, with each problem as `"<json pointer>: <what is wrong>"`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly details: readonly string[] | undefined

  constructor(code: ErrorCode, message: string, details?: readonly string[]) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** A refusal because of too many requests or attempts, with the time to wait. */
export class RateLimitedError extends ServiceError {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number, reason: string) {
    const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`
    super('rate_limited', `${reason} Send the next request in ${wait}.`)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Something we depend on does not respond. The request itself is fine and may be sent again. */
export class OutageError extends Error {
  override readonly name = 'OutageError'
}
