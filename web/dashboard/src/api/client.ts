import type { ErrorBody, ShownProof } from '@sluice/web/contract'
import {
  acceptInvitation,
  askPasswordReset,
  beginPasskeySignIn,
  beginPasskeyStepUp,
  completePasswordReset,
  lookAtInvitation,
  showSecondFactor,
  signIn,
  signInWithPasskey,
  signOut,
  stepUp,
  stepUpWithPasskey,
} from '@sluice/web/operations'
import {
  type Data,
  type GetId,
  type Operation,
  type OperationId,
  requestTo,
} from '@sluice/web/ui/operation.ts'
import { type Asked, type Call, callTo, type Given, type RowOf, type Whose } from './calls.ts'
import { NotProvedError, RefusedError, UnreachableError } from './errors.ts'

const answerWithinMs = 30_000
const halfSecondMs = 500

export type Pagination = {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly has_more: boolean
}
export type Page<Row> = { readonly rows: readonly Row[]; readonly pagination: Pagination }

/** How a user can prove their identity. */
export type ProofMethod = keyof ShownProof | 'passkey'

export type ApiParts = {
  readonly send: typeof fetch
  readonly whose: () => Whose
  /** The session has ended; true once the same user has signed in again. */
  readonly onSignedOut: () => Promise<boolean>
  /** By error code: what to do when the service requires another step of the user first. */
  readonly onRefused: Readonly<Record<string, () => void>>
  /** Asks the user for a fresh proof; false if they decline. */
  readonly prove: (methods: readonly ProofMethod[]) => Promise<boolean>
  /** The time by the service's clock, in the middle of the second that an answer names. */
  readonly onDate: (serviceMs: number) => void
}

/** The page's calls to the service: with the session cookie, and nothing else that could be stolen. */
export type Api = ReturnType<typeof createApi>

/** A call that needs a fresh proof, or a new session, asks for it and is repeated once. */
export function createApi({ send, whose, onSignedOut, onRefused, prove, onDate }: ApiParts) {
  function request({ operation, asked: { path, query } }: Call) {
    return requestTo(operation, { path: { ...whose(), ...path }, query })
  }

  async function ask(call: Call): Promise<Response> {
    const limit = AbortSignal.timeout(answerWithinMs)
    const { body, signal, idempotencyKey } = call.asked
    const { method, url } = request(call)
    const answer = await send(url, {
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
    const date = Date.parse(answer.headers.get('date') ?? '')
    if (Number.isFinite(date)) onDate(date + halfSecondMs)
    if (answer.ok) return answer
    throw await refusal(answer)
  }

  async function askTwice<Body>(call: Call): Promise<Body> {
    try {
      return await parsed(await ask(call))
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      if (error.status === 401 && !signingIn.has(call.operation)) {
        if (await onSignedOut()) return parsed(await ask(call))
        throw error
      }
      if (!call.isAside) onRefused[error.code]?.()
      if (error.code !== 'step_up_required') throw error
      if (!(await prove(methodsIn(error)))) throw new NotProvedError('No fresh proof was given.')
      return parsed(await ask(call))
    }
  }

  async function make<Id extends OperationId>(call: Call<Id>): Promise<Data<Id>> {
    return (await askTwice<{ data: Data<Id> }>(call)).data
  }

  return {
    make,
    /** Calls an operation and returns its data. */
    call<Id extends OperationId>(operation: Operation<Id>, ...given: Given<Asked<Id>>): Promise<Data<Id>> {
      return make(callTo(operation, ...given))
    },
    /** The rows of a list and their total. */
    async list<Id extends GetId>(call: Call<Id>): Promise<Page<RowOf<Id>>> {
      const { data: rows, meta } = await askTwice<{
        data: RowOf<Id>[]
        meta: { pagination?: Pagination }
      }>(call)
      // A short list arrives whole, without pagination.
      const whole = { total: rows.length, limit: rows.length, offset: 0, has_more: false }
      return { rows, pagination: meta.pagination ?? whole }
    },
    /** The URL of a GET operation, for links. */
    address(call: Call<GetId>): string {
      return request(call).url
    },
  }
}

/** Calls whose 401 means that the input is wrong, or that there is no session to end; not that it has just ended. */
const signingIn: ReadonlySet<string> = new Set([
  signIn,
  showSecondFactor,
  beginPasskeySignIn,
  signInWithPasskey,
  signOut,
  stepUp,
  beginPasskeyStepUp,
  stepUpWithPasskey,
  askPasswordReset,
  completePasswordReset,
  lookAtInvitation,
  acceptInvitation,
])

const proofMethods: readonly ProofMethod[] = ['password', 'totp', 'passkey', 'recovery_code']

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
  // A proxy between the service and this page may answer with something other than JSON.
  const body = (await answer.json().catch(() => null)) as {
    error?: Partial<ErrorBody>
  } | null
  return new RefusedError(
    answer.status,
    body?.error ?? {},
    answer.headers.get('x-request-id'),
    Number.isFinite(seconds) ? seconds : null,
  )
}
