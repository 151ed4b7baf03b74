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
  readonly retryAfter: number | null
}

/**
 * The service answered, but not with a success. Each kind of refusal has a subclass; `code` says precisely which it is. The
 * message names every problem of `details` and the request, so that a log line is enough to understand it.
 */
export class SluiceError extends Error {
  override readonly name: string = 'SluiceError'
  /** The HTTP status; 0 if a browser hides it, as for redirects. */
  readonly status: number
  readonly code: SluiceErrorCode
  /** One string per problem, `"<json pointer>: <what is wrong>"`; empty if the service named none. */
  readonly details: readonly string[]
  /** Quote it to support. Null if the answer did not come from Sluice. */
  readonly requestId: string | null
  /** How many seconds the service asks to wait before the next request. */
  readonly retryAfter: number | null

  constructor(fields: SluiceErrorFields) {
    super(inOneLine(fields))
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details
    this.requestId = fields.requestId
    this.retryAfter = fields.retryAfter
  }
}

/** The body or a parameter is not valid. Correct what `details` names before you send it again. */
export class ValidationError extends SluiceError {
  override readonly name = 'ValidationError'
}

/** The API key is missing, unknown, revoked, or of the other environment. */
export class AuthenticationError extends SluiceError {
  override readonly name = 'AuthenticationError'
}

/** The API key is valid but lacks the permission of this operation. */
export class PermissionError extends SluiceError {
  override readonly name = 'PermissionError'
}

/** There is no such resource for this API key. */
export class NotFoundError extends SluiceError {
  override readonly name = 'NotFoundError'
}

/** The state of the resource does not allow the change. Sending it again does not help. */
export class ConflictError extends SluiceError {
  override readonly name = 'ConflictError'
}

/** The idempotency key was used before with other content. Use a new key for a new request. */
export class IdempotencyError extends SluiceError {
  override readonly name = 'IdempotencyError'
}

/** A rule refuses the request; `code` says which: `insufficient_balance`, `amount_too_small`, `invalid_destination` … */
export class UnprocessableError extends SluiceError {
  override readonly name = 'UnprocessableError'
}

/** Too many requests. Wait for `retryAfter` seconds. */
export class RateLimitError extends SluiceError {
  override readonly name = 'RateLimitError'
}

/** The service failed, or cannot do this right now. Send the request again later; one that creates, with the same key. */
export class ServerError extends SluiceError {
  override readonly name = 'ServerError'
}

type ErrorClass = new (fields: SluiceErrorFields) => SluiceError

/** The class of each code of the contract. The type check fails for a code that is missing here. */
const classOfCode: { readonly [Code in ErrorCode]: ErrorClass } = {
  validation_error: ValidationError,
  invalid_state: ConflictError,
  unauthorized: AuthenticationError,
  forbidden: PermissionError,
  step_up_required: PermissionError,
  second_factor_required: PermissionError,
  password_change_required: PermissionError,
  not_found: NotFoundError,
  conflict: ConflictError,
  idempotency_key_mismatch: IdempotencyError,
  amount_too_small: UnprocessableError,
  insufficient_balance: UnprocessableError,
  invalid_destination: UnprocessableError,
  refund_exceeds_credited: UnprocessableError,
  webhook_target_refused: UnprocessableError,
  rate_limited: RateLimitError,
  internal_error: ServerError,
  service_unavailable: ServerError,
  gate_offline: ServerError,
  rate_unavailable: ServerError,
}

const classOfStatus: Readonly<Record<number, ErrorClass>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableError,
}

/** The error of an answer: by its code, and for codes that this version does not know by its status. */
export function errorOf(fields: SluiceErrorFields): SluiceError {
  const { code, status } = fields
  const known = Object.hasOwn(classOfCode, code) ? classOfCode[code as ErrorCode] : undefined
  return new (known ?? classOf(status, code === 'unexpected_answer'))(fields)
}

function classOf(status: number, isForeign: boolean): ErrorClass {
  if (status === 429) return RateLimitError
  if (status >= 500) return ServerError
  // A proxy's 404 does not mean that there is no such invoice.
  return (isForeign ? undefined : classOfStatus[status]) ?? SluiceError
}

function inOneLine({ code, message, details, requestId }: SluiceErrorFields): string {
  const problems = details.map(readable).join('; ')
  // The message of a failed validation says only that the details say what is wrong.
  const text =
    problems === ''
      ? message
      : code === 'validation_error'
        ? problems
        : `${message.replace(/\.$/, '')}: ${problems}`
  return requestId === null ? text : `${text} (request ${requestId})`
}

/** `/metadata/order: is required` as `metadata.order: is required`. */
function readable(detail: string): string {
  const [, pointer, problem] = /^\/(\S*?): (.*)$/s.exec(detail) ?? []
  if (pointer === undefined) return detail
  // The empty pointer is the whole body. The escapes are those of RFC 6901.
  const field = pointer.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
  return `${field === '' ? 'body' : field}: ${problem}`
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
