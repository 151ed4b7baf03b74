import { argon2Sync, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { base32nopad } from '@scure/base'
import { uuidv7 } from '../../../src/domain/ids.ts'
import type { Role } from '../../../src/domain/roles.ts'
import { stepAt, totpCode } from '../../../src/domain/totp.ts'
import { type Answer, readContract } from '../shop/contract.ts'
import type { TestService } from '../shop/service.ts'
import { SoftwarePasskey } from './software-passkey.ts'

const sendingMs = 5_000
const pollMs = 100

const contract = readContract('internal-contract.generated.json')

/** Every operation of the dashboard, for tests that must cover them all. */
export const dashboardOperations = contract.operations.filter(({ path }) =>
  path.startsWith('/dashboard-api/'),
)

export type Login = { readonly userId: string; readonly email: string; readonly password: string }

/** A user with a password and a role at a merchant; without a merchant they only operate the service. */
export async function makePerson(
  { app }: TestService,
  place: { merchantId: string; role: Role } | null,
  { isOperator = place === null }: { isOperator?: boolean } = {},
): Promise<Login> {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  const password = `correct horse ${email}`
  const userId = uuidv7(app.now())
  await app.transaction(async (tx) => {
    const passwordHash = cheapHash(password)
    await tx.users.insert({ id: userId, email, name: email, passwordHash, isOperator })
    if (place !== null) await tx.users.setRole(userId, place.merchantId, place.role)
  })
  return { userId, email, password }
}

/** A stored password that is quick to verify: a run creates users and signs them in hundreds of times. */
function cheapHash(password: string): string {
  const salt = randomBytes(16)
  const costs = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }
  const tag = argon2Sync('argon2id', { message: password, nonce: salt, ...costs })
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=8,t=1,p=1$${text(salt)}$${text(tag)}`
}

export type DashboardCall = {
  readonly path?: Record<string, string>
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** A browser's view of the dashboard's calls: it keeps the cookie, and says that it comes from our own page. */
export class DashboardClient {
  cookie: string | null = null
  /** The cookie of the device, which outlives its sessions. */
  device: string | null = null
  readonly #url: string

  constructor({ url }: Pick<TestService, 'url'>) {
    this.#url = originOf({ url })
  }

  /** Calls an operation and checks the answer against the contract. */
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
        ...this.#cookies(),
        ...(options.body !== undefined && { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    })
    this.#keep(response.headers.getSetCookie())
    const text = await response.text()
    const isFile = response.headers.get('content-type')?.startsWith('text/csv')
    const body = isFile ? null : JSON.parse(text)
    const answer = { status: response.status, headers: response.headers, text, body }
    // A file is not JSON that a schema could describe.
    if (!isFile) contract.expect(operation, answer)
    return answer
  }

  #cookies(): { Cookie?: string } {
    const kept = [this.cookie, this.device].filter((each) => each !== null)
    return kept.length === 0 ? {} : { Cookie: kept.join('; ') }
  }

  #keep(set: readonly string[]): void {
    for (const each of set) {
      const pair = each.split(';')[0] as string
      if (pair.includes('sluice_device')) this.device = pair
      else this.cookie = each.includes('Max-Age=0') ? null : pair
    }
  }
}

/** The URL at which a browser opens the dashboard: with a host name, because passkeys belong to names. */
export function originOf({ url }: Pick<TestService, 'url'>): string {
  return url.replace('127.0.0.1', 'localhost')
}

/** An authenticator app in software. Each code it shows is a later one, so that none is refused as already used. */
export class SoftwareTotp {
  readonly secret: Uint8Array
  #next = 0n

  constructor(secret: string) {
    this.secret = base32nopad.decode(secret)
  }

  /** A code that was not shown yet. There are three in half a minute; a caller that needs more waits. */
  async code(): Promise<string> {
    // The service accepts codes from one step before to one step after now; the oldest only if there is time to send it.
    const earliest = stepAt(new Date(Date.now() + sendingMs)) - 1n
    if (this.#next < earliest) this.#next = earliest
    while (this.#next > stepAt(new Date()) + 1n) await delay(pollMs)
    return totpCode(this.secret, this.#next++)
  }
}

/** Sets up an authenticator app for a signed-in user with a recent proof. */
export async function enrolTotp(
  client: DashboardClient,
): Promise<{ totp: SoftwareTotp; recoveryCodes: string[] }> {
  const begun = await client.call('beginTotp')
  if (begun.status !== 200) throw new Error(`The set-up of an authenticator app was refused: ${begun.text}`)
  const totp = new SoftwareTotp(begun.body.data.secret)
  const confirmed = await client.call('confirmTotp', { body: { code: await totp.code() } })
  if (confirmed.status !== 200) throw new Error(`The authenticator app was not confirmed: ${confirmed.text}`)
  return { totp, recoveryCodes: confirmed.body.data.recovery_codes }
}

/** Adds a passkey for a signed-in user with a recent proof. */
export async function enrolPasskey(
  service: Pick<TestService, 'url'>,
  client: DashboardClient,
  name = 'Test passkey',
): Promise<SoftwarePasskey> {
  const passkey = new SoftwarePasskey(originOf(service))
  const begun = await client.call('beginPasskeyEnrolment')
  if (begun.status !== 200) throw new Error(`The set-up of a passkey was refused: ${begun.text}`)
  const credential = passkey.create(begun.body.data.options)
  const added = await client.call('addPasskey', { body: { name, credential } })
  if (added.status !== 201) throw new Error(`The passkey was not added: ${added.text}`)
  return passkey
}

/** Signs a user in with password and authenticator app. */
export async function signedInWithTotp(
  service: TestService,
  { email, password }: Login,
  totp: SoftwareTotp,
): Promise<DashboardClient> {
  const client = new DashboardClient(service)
  await client.call('signIn', { body: { email, password } })
  const answer = await client.call('showSecondFactor', { body: { totp: await totp.code() } })
  if (answer.status !== 200) throw new Error(`The sign-in failed: ${answer.text}`)
  return client
}

/** Signs a user in with a passkey alone. */
export async function signedInWithPasskey(
  service: TestService,
  passkey: SoftwarePasskey,
): Promise<DashboardClient> {
  const client = new DashboardClient(service)
  const { options } = (await client.call('beginPasskeySignIn')).body.data
  const answer = await client.call('signInWithPasskey', { body: { credential: passkey.get(options) } })
  if (answer.status !== 200) throw new Error(`The sign-in failed: ${answer.text}`)
  return client
}

/** Shows the passkey again, so that sensitive actions are allowed. */
export async function stepUpWithPasskey(client: DashboardClient, passkey: SoftwarePasskey): Promise<void> {
  const { options } = (await client.call('beginPasskeyStepUp')).body.data
  const answer = await client.call('stepUpWithPasskey', { body: { credential: passkey.get(options) } })
  if (answer.status !== 200) throw new Error(`The passkey was not accepted: ${answer.text}`)
}

/** Signs in a user without a second factor. */
export async function signedIn(service: TestService, { email, password }: Login): Promise<DashboardClient> {
  const client = new DashboardClient(service)
  const answer = await client.call('signIn', { body: { email, password } })
  if (answer.status !== 200) throw new Error(`The sign-in failed: ${answer.text}`)
  return client
}
