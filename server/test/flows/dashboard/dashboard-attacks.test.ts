import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { disableUser } from '../../../src/app/people/disable-user.ts'
import { query } from '../../support/database/database.ts'
import {
  DashboardClient,
  enrolPasskey,
  enrolTotp,
  type Login,
  makePerson,
  originOf,
  signedIn,
  signedInWithPasskey,
} from '../../support/people/dashboard-client.ts'
import { hashesDuring } from '../../support/people/hashes-during.ts'
import { SoftwarePasskey } from '../../support/people/software-passkey.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
/** Another process on the same database. */
let twin: TestService
let merchantId: string
beforeAll(async () => {
  const env = { SLUICE_TRUSTED_PROXIES: '127.0.0.1,::1' }
  service = await startTestService({ env })
  // Users reach both under one URL, to which their passkeys belong.
  const shared = { ...env, SLUICE_PUBLIC_URL: originOf(service) }
  twin = await startTestService({ env: shared, database: service.database })
  merchantId = await service.makeMerchant()
})
afterAll(async () => {
  await twin.stop()
  await service.stop()
})

const newViewer = () => makePerson(service, { merchantId, role: 'viewer' })
let lastIp = 0
/** An IP address from which nothing was called before. */
const freshIp = () => `10.${(++lastIp >> 16) & 255}.${(lastIp >> 8) & 255}.${lastIp & 255}`
const tryPassword = (
  { email }: Pick<Login, 'email'>,
  password: string,
  { ip = freshIp(), at = service }: { ip?: string; at?: TestService } = {},
) =>
  new DashboardClient(at).call('signIn', {
    body: { email, password },
    headers: { 'X-Forwarded-For': ip },
  })
const count = (statuses: readonly number[], status: number) =>
  statuses.filter((each) => each === status).length
/** Five guesses are checked, and one more for each wait that has passed since; all others are refused unchecked. */
function expectFew(
  statuses: readonly number[],
  wrong: number,
  { firstWaitMs, elapsedMs }: { firstWaitMs: number; elapsedMs: number },
): void {
  const waits = Math.floor(Math.log2(elapsedMs / firstWaitMs + 1))
  expect(count(statuses, wrong)).toBeGreaterThanOrEqual(5)
  expect(count(statuses, wrong)).toBeLessThanOrEqual(5 + waits)
  expect(count(statuses, wrong) + count(statuses, 429)).toBe(statuses.length)
}
/** Extends current blocks: the first waits are shorter than a busy machine takes to try again. */
const prolong = () =>
  query(
    service.database.url,
    `update sign_in_failures set blocked_until = clock_timestamp() + interval '100 seconds' where blocked_until > last_at`,
  )
const lift = () => query(service.database.url, `update sign_in_failures set blocked_until = '-infinity'`)

describe('session fixation', () => {
  it('a cookie planted by an attacker is worthless after the victim signs in', async () => {
    const login = await newViewer()
    const planted = `sluice_session=${randomBytes(32).toString('base64url')}`
    const client = new DashboardClient(service)
    client.cookie = planted
    await client.call('signIn', { body: { email: login.email, password: login.password } })
    expect(client.cookie).not.toBe(planted)
    expect((await client.call('getSession')).status).toBe(200)
    client.cookie = planted
    expect((await client.call('getSession')).status).toBe(401)
  })

  it('the attacker’s own half-open session does not become the victim’s', async () => {
    const [attacker, victim] = [await newViewer(), await newViewer()]
    await enrolTotp(await signedIn(service, attacker))
    const { totp } = await enrolTotp(await signedIn(service, victim))
    const half = new DashboardClient(service)
    await half.call('signIn', { body: { email: attacker.email, password: attacker.password } })
    expect((await half.call('showSecondFactor', { body: { totp: await totp.code() } })).status).toBe(400)
    expect((await half.call('getSession')).status).toBe(401)
  })
})

it('a stolen cookie is worthless after its user has signed out', async () => {
  const client = await signedIn(service, await newViewer())
  const stolen = client.cookie
  await client.call('signOut')
  for (const at of [service, twin]) {
    const thief = new DashboardClient(at)
    thief.cookie = stolen
    expect((await thief.call('getSession')).status).toBe(401)
  }
})

describe('guessing a password', () => {
  it('is slowed down more and more, and even the right password waits', async () => {
    const login = await newViewer()
    for (let n = 0; n < 5; n++) expect((await tryPassword(login, `wrong ${n}`)).status).toBe(401)
    await prolong()
    const blocked = await tryPassword(login, login.password)
    expect([blocked.status, blocked.body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
    const waits: number[] = []
    for (let n = 0; n < 12; n++) {
      await lift()
      await tryPassword(login, 'wrong')
      const [row] = await query<{ wait: number }>(
        service.database.url,
        `select extract(epoch from blocked_until - last_at)::float8 as wait from sign_in_failures
          where subject like 'account:%' order by last_at desc limit 1`,
      )
      waits.push(Math.round(row?.wait ?? 0))
    }
    expect(waits.slice(0, 5)).toEqual([2, 4, 8, 16, 32])
    expect(waits.at(-1)).toBe(900)
    await lift()
    expect((await tryPassword(login, login.password)).status).toBe(200)
    expect((await tryPassword(login, 'wrong')).status).toBe(401)
  })

  it('concurrently over two processes allows no more guesses than one by one', async () => {
    const login = await newViewer()
    const began = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        tryPassword(login, `wrong ${n}`, { at: n % 2 === 0 ? service : twin }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expectFew(statuses, 401, { firstWaitMs: 1_000, elapsedMs: performance.now() - began })
  })

  it('does not lock out a user at a known IP address, with a passkey, or with an open session', async () => {
    const login = await newViewer()
    const home = freshIp()
    expect((await tryPassword(login, login.password, { ip: home })).status).toBe(200)
    const open = await signedIn(service, login)
    const passkey = await enrolPasskey(service, open)
    for (let n = 0; n < 6; n++) await tryPassword(login, 'wrong')
    await prolong()
    expect((await tryPassword(login, login.password)).status).toBe(429)
    expect((await tryPassword(login, login.password, { ip: home })).status).toBe(200)
    expect((await open.call('getSession')).status).toBe(200)
    expect((await (await signedInWithPasskey(service, passkey)).call('getSession')).status).toBe(200)
  })

  it('on many accounts from one IP address is slowed down as well', async () => {
    const ip = freshIp()
    const statuses: number[] = []
    for (let n = 0; n < 32; n++)
      statuses.push((await tryPassword({ email: `guess-${n}@example.com` }, 'wrong', { ip })).status)
    expect(count(statuses.slice(0, 30), 401)).toBe(30)
    expect(count(statuses.slice(30), 429)).toBeGreaterThan(0)
  })

  it('is recorded once when the waits begin', async () => {
    const login = await newViewer()
    for (let n = 0; n < 9; n++) {
      await tryPassword(login, 'wrong')
      await lift()
    }
    const rows = await query(
      service.database.url,
      `select from audit_entries where action = 'sign_in.slowed' and subject = $1`,
      [login.userId],
    )
    expect(rows).toHaveLength(1)
  })
})

/** Headers that differ between two answers of the same kind. */
const passing = new Set(['date', 'x-request-id', 'retry-after', 'ratelimit-reset'])

describe('the existence of an account', () => {
  it('does not show in status, body or headers, even once the caller has to wait', async () => {
    const [known, disabled] = [await newViewer(), await newViewer()]
    await disableUser(
      service.app,
      { actor: 'cli:test', name: 'test', ip: null, userAgent: null },
      { email: disabled.email, isDisabled: true },
    )
    const unknown = { email: `${randomBytes(6).toString('hex')}@example.com` }
    const seen = async (login: Pick<Login, 'email'>, password: string) => {
      const { status, body, headers } = await tryPassword(login, password)
      const fixed = [...headers].filter(([name]) => !passing.has(name))
      const message = body.error.message.replace(/\d+ seconds?/, 'a while')
      return { status, error: { ...body.error, message }, headers: fixed, retry: headers.has('retry-after') }
    }
    for (let n = 0; n < 7; n++) {
      if (n === 5)
        await query(
          service.database.url,
          `update sign_in_failures set blocked_until = clock_timestamp() + interval '100 seconds' where failures = 5`,
        )
      const expected = await seen(unknown, 'wrong')
      expect(await seen(known, 'wrong')).toEqual(expected)
      expect(await seen(disabled, disabled.password)).toEqual(expected)
    }
  })

  it('does not show in the time taken, because an unknown account’s password is hashed too', async () => {
    const known = await newViewer()
    for (const login of [known, { email: 'nobody-here@example.com' }])
      expect(await hashesDuring(() => tryPassword(login, 'wrong'))).toBe(1)
  })
})

describe('second-factor codes', () => {
  const half = async ({ email, password }: Login, at = service) => {
    const client = new DashboardClient(at)
    await client.call('signIn', { body: { email, password } })
    return client
  }

  it('cannot be guessed concurrently over two processes', async () => {
    const login = await newViewer()
    const { totp } = await enrolTotp(await signedIn(service, login))
    const clients = [await half(login), await half(login, twin)]
    const began = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        (clients[n % 2] as DashboardClient).call('showSecondFactor', {
          body: { totp: String(n).padStart(6, '0') },
          headers: { 'X-Forwarded-For': freshIp() },
        }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expectFew(statuses, 400, { firstWaitMs: 5_000, elapsedMs: performance.now() - began })
    await prolong()
    const right = { body: { totp: await totp.code() } }
    expect((await (await half(login)).call('showSecondFactor', right)).status).toBe(429)
    await lift()
    expect((await (await half(login)).call('showSecondFactor', right)).status).toBe(200)
  })

  it.each(['totp', 'recovery_code'])('are accepted once, even when shown concurrently: %s', async (kind) => {
    const login = await newViewer()
    const { totp, recoveryCodes } = await enrolTotp(await signedIn(service, login))
    const body = kind === 'totp' ? { totp: await totp.code() } : { recovery_code: recoveryCodes[3] }
    const clients = [await half(login), await half(login, twin), await half(login)]
    const answers = await Promise.all(clients.map((client) => client.call('showSecondFactor', { body })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect((await (await half(login)).call('showSecondFactor', { body })).status).toBe(400)
  })

  it('are refused when earlier than the last one accepted', async () => {
    const login = await newViewer()
    const { totp } = await enrolTotp(await signedIn(service, login))
    const [earlier, later] = [await totp.code(), await totp.code()]
    expect((await (await half(login)).call('showSecondFactor', { body: { totp: later } })).status).toBe(200)
    expect((await (await half(login)).call('showSecondFactor', { body: { totp: earlier } })).status).toBe(400)
  })

  it('need a password at most ten minutes before them', async () => {
    const login = await newViewer()
    const { totp } = await enrolTotp(await signedIn(service, login))
    const body = { totp: await totp.code() }
    expect((await new DashboardClient(service).call('showSecondFactor', { body })).status).toBe(401)
    const client = await half(login)
    await query(
      service.database.url,
      `update sessions set expires_at = expires_at - interval '10 minutes' where not is_complete`,
    )
    expect((await client.call('showSecondFactor', { body })).status).toBe(401)
  })
})

describe('passkeys', () => {
  let passkey: SoftwarePasskey
  let login: Login
  beforeAll(async () => {
    login = await newViewer()
    passkey = await enrolPasskey(service, await signedIn(service, login))
  })
  const options = async () =>
    (await new DashboardClient(service).call('beginPasskeySignIn')).body.data.options
  const show = (credential: unknown, at = service) =>
    new DashboardClient(at).call('signInWithPasskey', { body: { credential } })

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['a user who was not verified', { userVerified: false }],
    ['a challenge that was never issued', { challenge: randomBytes(32).toString('base64url') }],
    ['another user’s handle', { userHandle: randomBytes(16).toString('base64url') }],
  ])('an assertion with %s is refused', async (_, mischief) => {
    expect((await show(passkey.get(await options(), mischief))).status).toBe(400)
    expect((await show(passkey.get(await options()))).status).toBe(200)
  })

  it('an assertion is accepted once, even when sent concurrently, and not after five minutes', async () => {
    const credential = passkey.get(await options())
    const answers = await Promise.all([show(credential), show(credential, twin)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await show(credential)).status).toBe(400)
    const late = passkey.get(await options())
    await query(service.database.url, `update ceremonies set expires_at = expires_at - interval '5 minutes'`)
    expect((await show(late)).status).toBe(400)
  })

  it('a challenge for one purpose is refused for another', async () => {
    const client = await signedInWithPasskey(service, passkey)
    const stepUp = (await client.call('beginPasskeyStepUp')).body.data.options
    expect((await show(passkey.get(stepUp))).status).toBe(400)
    const credential = passkey.get(await options())
    expect((await client.call('stepUpWithPasskey', { body: { credential } })).status).toBe(400)
  })

  it('a copied authenticator is detected by its counter and recorded', async () => {
    expect((await show(passkey.get(await options()))).status).toBe(200)
    passkey.counter -= 1
    expect((await show(passkey.get(await options()))).status).toBe(400)
    const rows = await query(
      service.database.url,
      `select from audit_entries where action = 'passkey.counter_went_back' and actor = $1`,
      [`user:${login.userId}`],
    )
    expect(rows).toHaveLength(1)
    expect((await show(passkey.get(await options()))).status).toBe(200)
  })

  it('an unknown passkey and a signature by another key are refused', async () => {
    const stranger = new SoftwarePasskey(originOf(service))
    expect((await show(stranger.get(await options()))).status).toBe(400)
    const { id, rawId } = passkey.get(await options())
    expect((await show({ ...stranger.get(await options()), id, rawId })).status).toBe(400)
  })
})
