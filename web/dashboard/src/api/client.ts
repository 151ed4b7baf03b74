import { NotProvedError, RefusedError, UnreachableError } from './errors.ts'
import type { Askable } from './paths.ts'

const answerWithinMs = 30_000

export type Pagination = {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly has_more: boolean
}
export type Page<Row> = { readonly rows: readonly Row[]; readonly pagination: Pagination }
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

type How = {
  readonly signal?: AbortSignal
  readonly idempotencyKey?: string
  readonly base?: '/dashboard-api' | '/api'
}

/** How a person can prove that it is them; `enrol` means they cannot until they have enrolled a second factor. */
export type ProofMethod = 'password' | 'totp' | 'passkey' | 'recovery_code' | 'enrol'

export type ApiParts = {
  readonly send: typeof fetch
  /** The session is over. */
  readonly onSignedOut: () => void
  /** Asks the person for a fresh proof; false when they would rather not. */
  readonly prove: (methods: readonly ProofMethod[]) => Promise<boolean>
}

/** What the page asks of the service: with the session's cookie, and nothing else that could be stolen. */
export type Api = ReturnType<typeof createApi>

/** Paths are the contract's, below `/dashboard-api`. A call that needs a fresh proof asks for it and is repeated once. */
export function createApi({ send, onSignedOut, prove }: ApiParts) {
  async function ask(method: string, path: string, body: unknown, how: How): Promise<Response> {
    const limit = AbortSignal.timeout(answerWithinMs)
    const { signal, idempotencyKey } = how
    const answer = await send(`${how.base ?? '/dashboard-api'}${path}`, {
      method,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      cache: 'no-store',
      credentials: 'same-origin',
      referrerPolicy: 'no-referrer',
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new UnreachableError('The service cannot be reached.', { cause: error })
    })
    if (answer.ok) return answer
    throw await refusal(answer)
  }

  async function askTwice(method: string, path: string, body?: unknown, how: How = {}): Promise<Response> {
    try {
      return await ask(method, path, body, how)
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      if (error.status === 401 && !isSigningIn(path)) onSignedOut()
      if (error.code !== 'step_up_required') throw error
      if (!(await prove(methodsIn(error)))) throw new NotProvedError('No fresh proof was given.')
      return ask(method, path, body, how)
    }
  }

  async function data<Data>(answer: Response): Promise<Data> {
    return (await parsed<{ data: Data }>(answer)).data
  }

  return {
    async get<Data>(path: Askable<'GET'>, query: Query = {}, signal?: AbortSignal): Promise<Data> {
      return data<Data>(await askTwice('GET', `${path}${queryText(query)}`, undefined, given(signal)))
    },
    async list<Row>(path: Askable<'GET'>, query: Query = {}, signal?: AbortSignal): Promise<Page<Row>> {
      const answer = await askTwice('GET', `${path}${queryText(query)}`, undefined, given(signal))
      const { data: rows, meta } = await parsed<{ data: Row[]; meta: { pagination?: Pagination } }>(answer)
      // A short list comes whole, and does not count its pages.
      const whole = { total: rows.length, limit: rows.length, offset: 0, has_more: false }
      return { rows, pagination: meta.pagination ?? whole }
    },
    /** What anybody may know, as the public API tells it. */
    async open<Data>(path: '/v1/currencies', signal?: AbortSignal): Promise<Data> {
      return data<Data>(await ask('GET', path, undefined, { base: '/api', ...given(signal) }))
    },
    async post<Data = void>(
      path: Askable<'POST'>,
      body?: unknown,
      how: Pick<How, 'idempotencyKey'> = {},
    ): Promise<Data> {
      return data<Data>(await askTwice('POST', path, body, how))
    },
    async patch<Data = void>(path: Askable<'PATCH'>, body: unknown): Promise<Data> {
      return data<Data>(await askTwice('PATCH', path, body))
    },
    async put<Data = void>(path: Askable<'PUT'>, body: unknown): Promise<Data> {
      return data<Data>(await askTwice('PUT', path, body))
    },
    async delete<Data = void>(path: Askable<'DELETE'>, query: Query = {}): Promise<Data> {
      return data<Data>(await askTwice('DELETE', `${path}${queryText(query)}`))
    },
  }
}

/** Calls whose 401 says that what was typed is wrong, not that the session is over. */
function isSigningIn(path: string): boolean {
  return /^\/(sign-in|step-up|password-reset|invitation)(\/|$)/.test(path)
}

function given(signal: AbortSignal | undefined): How {
  return signal === undefined ? {} : { signal }
}

/** The address of a file that the service makes, as a link names it. */
export function fileAddress(path: Askable<'GET'>, query: Query): string {
  return `/dashboard-api${path}${queryText(query)}`
}

function queryText(query: Query): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  )
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

const proofMethods: readonly ProofMethod[] = ['password', 'totp', 'passkey', 'recovery_code', 'enrol']

function methodsIn({ details }: RefusedError): ProofMethod[] {
  return proofMethods.filter((method) => details.includes(`/: ${method}`))
}

async function parsed<Body>(answer: Response): Promise<Body> {
  const text = await answer.text().catch((error: unknown) => {
    throw new UnreachableError('The answer of the service broke off.', { cause: error })
  })
  return JSON.parse(text === '' ? '{}' : text) as Body
}

async function refusal(answer: Response): Promise<RefusedError> {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  // Something between the service and this page may answer with anything but JSON.
  const body = (await answer.json().catch(() => null)) as {
    error?: { code?: string; message?: string; details?: string[] }
  } | null
  return new RefusedError(
    answer.status,
    body?.error ?? {},
    answer.headers.get('x-request-id'),
    Number.isFinite(seconds) ? seconds : null,
  )
}
