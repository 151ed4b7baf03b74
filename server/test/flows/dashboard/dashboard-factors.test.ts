import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
  signedInWithTotp,
  stepUpWithPasskey,
} from '../../support/people/dashboard-client.ts'
import { SoftwarePasskey } from '../../support/people/software-passkey.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let merchantId: string
beforeAll(async () => {
  service = await startTestService()
  merchantId = await service.makeMerchant()
})
afterAll(() => service.stop())

const newViewer = () => makePerson(service, { merchantId, role: 'viewer' })
const statusOf = async (client: DashboardClient) => (await client.call('getSession')).status
const grow = (login: Login) =>
  query(
    service.database.url,
    `update sessions set proved_at = proved_at - interval '6 minutes' where user_id = $1`,
    [login.userId],
  )

describe('an authenticator app', () => {
  it('is set up with its first code, and is then required after the password', async () => {
    const login = await newViewer()
    const first = await signedIn(service, login)
    const elsewhere = await signedIn(service, login)
    const begun = (await first.call('beginTotp')).body.data
    expect(begun.uri).toContain(`secret=${begun.secret}`)
    expect(begun.qr_code.path).toMatch(/^M/)
    const { totp, recoveryCodes } = await enrolTotp(first)
    expect(new Set(recoveryCodes).size).toBe(10)
    expect([await statusOf(first), await statusOf(elsewhere)]).toEqual([200, 401])
    const session = (await first.call('getSession')).body.data
    expect(session).toMatchObject({ second_factors: ['totp', 'recovery_code'], recovery_codes_left: 10 })
    expect(session.proof_fresh_until).not.toBeNull()

    const client = new DashboardClient(service)
    const given = await client.call('signIn', { body: { email: login.email, password: login.password } })
    expect(given.body.data.stage).toBe('second_factor')
    expect(await statusOf(client)).toBe(401)
    const half = client.cookie
    const shown = await client.call('showSecondFactor', { body: { totp: await totp.code() } })
    expect([shown.status, shown.body.data.stage]).toEqual([200, 'signed_in'])
    expect(client.cookie).not.toBe(half)
    expect(await statusOf(client)).toBe(200)
    client.cookie = half
    expect(await statusOf(client)).toBe(401)
    expect((await client.call('showSecondFactor', { body: { totp: await totp.code() } })).status).toBe(401)
  })

  it('is sealed, and opens only for its own user', async () => {
    const login = await newViewer()
    const { totp } = await enrolTotp(await signedIn(service, login))
    const [row] = await query<{ row: string }>(
      service.database.url,
      'select users::text as row from users where id = $1',
      [login.userId],
    )
    expect(row?.row).not.toContain(Buffer.from(totp.secret).toString('hex'))
    const other = await newViewer()
    await query(
      service.database.url,
      `update users set (totp_secret, totp_confirmed_at, totp_last_step) =
        (select totp_secret, now(), 0 from users where id = $1) where id = $2`,
      [login.userId, other.userId],
    )
    const client = new DashboardClient(service)
    await client.call('signIn', { body: { email: other.email, password: other.password } })
    expect((await client.call('showSecondFactor', { body: { totp: await totp.code() } })).status).toBe(503)
  })

  it('counts only once one of its codes was shown, and until then the previous one counts', async () => {
    const login = await newViewer()
    const client = await signedIn(service, login)
    await client.call('beginTotp')
    const wrong = await client.call('confirmTotp', { body: { code: '000000' } })
    expect([wrong.status, wrong.body.error.details]).toEqual([400, ['/code: is wrong']])
    expect((await client.call('getSession')).body.data.second_factors).toEqual([])
    const { totp } = await enrolTotp(client)
    await client.call('beginTotp')
    const again = await signedInWithTotp(service, login, totp)
    expect(await statusOf(again)).toBe(200)
  })
})

describe('recovery codes', () => {
  it('replace the app, each once, however they are written', async () => {
    const login = await newViewer()
    const { recoveryCodes } = await enrolTotp(await signedIn(service, login))
    const [code = ''] = recoveryCodes
    const enter = async (written: string) => {
      const client = new DashboardClient(service)
      await client.call('signIn', { body: { email: login.email, password: login.password } })
      const answer = await client.call('showSecondFactor', { body: { recovery_code: written } })
      return { client, status: answer.status }
    }
    const { client, status } = await enter(` ${code.toUpperCase().replaceAll('-', ' ')} `)
    expect(status).toBe(200)
    expect((await enter(code)).status).toBe(400)
    expect((await client.call('getSession')).body.data.recovery_codes_left).toBe(9)
    const renewed = (await client.call('makeRecoveryCodes')).body.data.recovery_codes as string[]
    expect((await enter(recoveryCodes[1] as string)).status).toBe(400)
    expect((await enter(renewed[0] as string)).status).toBe(200)
  })

  it('require another second factor', async () => {
    const client = await signedIn(service, await newViewer())
    expect((await client.call('makeRecoveryCodes')).status).toBe(409)
  })
})

describe('a passkey', () => {
  it('signs its user in without a password, and counts as both factors', async () => {
    const login = await newViewer()
    const first = await signedIn(service, login)
    const passkey = await enrolPasskey(service, first)
    const client = await signedInWithPasskey(service, passkey)
    const session = (await client.call('getSession')).body.data
    expect(session).toMatchObject({ user_id: login.userId, second_factors: ['passkey'] })
    expect(session.proof_fresh_until).not.toBeNull()
    const [listed] = (await client.call('listPasskeys')).body.data
    expect(listed).toMatchObject({ name: 'Test passkey', is_backed_up: false })
    expect(listed.last_used_at).not.toBeNull()
    const path = { passkeyID: listed.id }
    const renamed = await client.call('renamePasskey', { path, body: { name: 'My key ' } })
    expect(renamed.body.data.name).toBe('My key')
    expect((await client.call('removePasskey', { path })).body.data.second_factors).toEqual([])
    expect((await client.call('removePasskey', { path })).status).toBe(404)
    await expect(signedInWithPasskey(service, passkey)).rejects.toThrow(/not accepted/)
  })

  it('works only at the service’s host name, and the error says where to open it', async () => {
    const client = await signedIn(service, await newViewer())
    const byNumber = await fetch(`${service.url}/dashboard-api/sign-in/passkey/options`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    })
    expect(byNumber.status).toBe(400)
    expect(JSON.stringify(await byNumber.json())).toContain(`Open ${originOf(service)}/dashboard`)
    expect((await client.call('beginPasskeyEnrolment')).status).toBe(200)
  })

  it('belongs to one user only', async () => {
    const owner = await signedIn(service, await newViewer())
    const passkey = await enrolPasskey(service, owner)
    const other = await signedIn(service, await newViewer())
    const { options } = (await other.call('beginPasskeyEnrolment')).body.data
    const body = { name: 'Taken', credential: passkey.create(options) }
    expect((await other.call('addPasskey', { body })).status).toBe(409)
  })
})

describe('step-up', () => {
  it('accepts the app, a recovery code or a passkey, and a password only from a user without them', async () => {
    const login = await newViewer()
    const client = await signedIn(service, login)
    const password = { body: { password: login.password } }
    await grow(login)
    expect((await client.call('beginTotp')).body.error.details).toEqual(['/: password'])
    const wrong = await client.call('stepUp', { body: { password: 'wrong' } })
    expect([wrong.status, wrong.body.error.details]).toEqual([400, ['/password: is wrong']])
    expect((await client.call('stepUp', password)).status).toBe(200)

    const { totp, recoveryCodes } = await enrolTotp(client)
    const passkey = await enrolPasskey(service, client)
    await grow(login)
    const stale = await client.call('makeRecoveryCodes')
    expect(stale.body.error.details).toEqual(['/: totp', '/: passkey', '/: recovery_code'])
    expect((await client.call('stepUp', password)).status).toBe(400)
    for (const body of [{ totp: await totp.code() }, { recovery_code: recoveryCodes[0] }]) {
      await grow(login)
      const proved = await client.call('stepUp', { body })
      expect(proved.status).toBe(200)
      expect(Date.parse(proved.body.data.proof_fresh_until)).toBeGreaterThan(Date.now())
      expect((await client.call('beginTotp')).status).toBe(200)
    }
    await grow(login)
    await stepUpWithPasskey(client, passkey)
    expect((await client.call('beginTotp')).status).toBe(200)
  })

  it('refuses another user’s passkey and another session’s challenge', async () => {
    const [mine, theirs] = [await newViewer(), await newViewer()]
    const client = await signedIn(service, mine)
    const own = await enrolPasskey(service, client)
    const foreign = await enrolPasskey(service, await signedIn(service, theirs))
    const options = async (asker: DashboardClient) =>
      (await asker.call('beginPasskeyStepUp')).body.data.options
    const show = (credential: unknown) => client.call('stepUpWithPasskey', { body: { credential } })
    expect((await show(foreign.get(await options(client)))).status).toBe(400)
    const elsewhere = await signedInWithPasskey(service, own)
    expect((await show(own.get(await options(elsewhere)))).status).toBe(400)
    expect((await show(own.get(await options(client)))).status).toBe(200)
  })
})

describe('the last second factor', () => {
  it('of an owner stays until there is another', async () => {
    const owner = await makePerson(service, { merchantId: await service.makeMerchant(), role: 'owner' })
    const client = await signedIn(service, owner)
    await enrolTotp(client)
    expect((await client.call('removeTotp')).status).toBe(409)
    await enrolPasskey(service, client)
    expect((await client.call('removeTotp')).body.data.second_factors).toEqual(['passkey', 'recovery_code'])
  })

  it('of any other user takes the recovery codes with it when it is removed', async () => {
    const login = await newViewer()
    const client = await signedIn(service, login)
    await enrolTotp(client)
    expect((await client.call('removeTotp')).body.data.second_factors).toEqual([])
    expect((await client.call('removeTotp')).status).toBe(404)
    expect((await client.call('getSession')).body.data).toMatchObject({
      second_factors: [],
      recovery_codes_left: 0,
    })
    const again = await signedIn(service, login)
    expect(await statusOf(again)).toBe(200)
  })
})

it('an authenticator that forges its data cannot be enrolled', async () => {
  const client = await signedIn(service, await newViewer())
  const passkey = new SoftwarePasskey(originOf(service))
  for (const mischief of [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { userVerified: false },
    { challenge: Buffer.alloc(32, 7).toString('base64url') },
  ]) {
    const { options } = (await client.call('beginPasskeyEnrolment')).body.data
    const credential = passkey.create(options, mischief)
    const answer = await client.call('addPasskey', { body: { name: 'Odd', credential } })
    expect([answer.status, mischief]).toEqual([400, mischief])
  }
})
