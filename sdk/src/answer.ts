import type { Pagination } from './contract.generated.ts'
import { errorOf } from './errors.ts'
import { noteResponse } from './response.ts'
import { retryAfterSeconds } from './retry.ts'
import type { FetchResponse } from './web-types.ts'

/** A success as received, out of its envelope. */
export type RawAnswer = {
  readonly data: unknown
  readonly requestId: string
  readonly pagination?: Pagination
}

export type Received = { readonly response: FetchResponse; readonly text: string }

/** The content of a success; throws a `SluiceError` for everything else. `clean` removes secrets from texts. */
export function readAnswer(
  { response, text }: Received,
  nowMs: number,
  clean: (text: string) => string,
): RawAnswer {
  const body = parsed(text)
  const requestId =
    asText(fieldOf(fieldOf(body, 'meta'), 'request_id')) ?? response.headers.get('x-request-id')
  const common = {
    status: response.status,
    requestId: requestId === null ? null : clean(requestId),
    retryAfter: retryAfterSeconds(response.headers.get('retry-after'), nowMs),
  }

  if (response.ok) {
    if (response.status === 204) return { data: undefined, requestId: requestId ?? '' }
    const data = fieldOf(body, 'data')
    if (data !== undefined && requestId !== null) {
      const pagination = fieldOf(fieldOf(body, 'meta'), 'pagination') as Pagination | undefined
      const answer = pagination === undefined ? { data, requestId } : { data, requestId, pagination }
      const replayed = response.headers.get('idempotent-replayed') === 'true'
      for (const value of [answer, data])
        noteResponse(value, { status: response.status, requestId, replayed })
      return answer
    }
  }

  const error = fieldOf(body, 'error')
  const code = asText(fieldOf(error, 'code'))
  const message = asText(fieldOf(error, 'message'))
  if (response.ok || code === null || message === null) {
    throw errorOf({ ...common, code: 'unexpected_answer', message: oddity(response), details: [] })
  }
  const details = fieldOf(error, 'details')
  throw errorOf({
    ...common,
    code: clean(code),
    message: clean(message),
    details: Array.isArray(details) ? details.map((detail) => clean(String(detail))) : [],
  })
}

// The body stays out: it may be a whole page, and a proxy may repeat parts of the request that must not be printed.
function oddity(response: FetchResponse): string {
  const what =
    response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
      ? 'a redirect, which is not followed because it could carry the API key elsewhere'
      : `status ${response.status} and a body that is not from Sluice`
  return `The server answered with ${what}. Check that baseUrl is the URL that ends in /api.`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
