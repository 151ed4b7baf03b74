import { randomBytes } from 'node:crypto'
import { createUser } from '../../src/app/people/create-user.ts'
import type { Role } from '../../src/domain/roles.ts'
import { type Answer, readContract } from './contract.ts'
import type { TestService } from './service.ts'

const contract = readContract('internal-contract.generated.json')

/** Every operation of the dashboard, for tests that must cover them all. */
export const dashboardOperations = contract.operations.filter(({ path }) =>
  path.startsWith('/dashboard-api/'),
)

export type Login = { readonly userId: string; readonly email: string; readonly password: string }

/** Somebody with a password, at a merchant in a role; without one they only run the service. */
export async function makePerson(
  { app }: TestService,
  place: { merchantId: string; role: Role } | null,
  { isOperator = place === null }: { isOperator?: boolean } = {},
): Promise<Login> {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  const password = `correct horse ${email}`
  const { userId } = await createUser(
    app,
    { actor: 'cli:test', name: 'test', ip: null, userAgent: null },
    {
      ...{ email, password, name: email, isOperator },
      ...{ merchantId: place?.merchantId ?? null, role: place?.role ?? null },
    },
  )
  return { userId, email, password }
}

export type DashboardCall = {
  readonly path?: Record<string, string>
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** A browser's view of the dashboard's calls: keeps the cookie, and says that it comes from our own page. */
export class DashboardClient {
  cookie: string | null = null
  readonly #url: string

  constructor({ url }: Pick<TestService, 'url'>) {
    this.#url = url
  }

  /** Calls an operation and holds the answer against the contract. */
  async call(operationId: string, options: DashboardCall = {}): Promise<Answer> {
    const operation = contract.find(operationId)
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(options.path?.[name] ?? ''),
    )
    const query = new URLSearchParams(options.query).toString()
    const response = await fetch(`${this.#url}${path}${query === '' ? '' : `?${query}`}`, {
      method: operation.method,
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        ...(this.cookie !== null && { Cookie: this.cookie }),
        ...(options.body !== undefined && { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    })
    const set = response.headers.get('set-cookie')
    if (set !== null) this.cookie = /Max-Age=0/.test(set) ? null : (set.split(';')[0] as string)
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
    contract.expect(operation, answer)
    return answer
  }
}

/** Signs somebody in who has no second factor. */
export async function signedIn(service: TestService, { email, password }: Login): Promise<DashboardClient> {
  const client = new DashboardClient(service)
  const answer = await client.call('signIn', { body: { email, password } })
  if (answer.status !== 200) throw new Error(`Nobody was signed in: ${answer.text}`)
  return client
}
