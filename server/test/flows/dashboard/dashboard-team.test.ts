import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { disableUser } from '../../../src/app/people/disable-user.ts'
import { makeResetLink } from '../../../src/app/people/reset-password.ts'
import { inviteMember, makeInvitationLink } from '../../../src/app/team/invite-member.ts'
import type { Role } from '../../../src/domain/roles.ts'
import { query } from '../../support/database/database.ts'
import { DashboardClient, type Login, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { type MailServer, startMailServer } from '../../support/servers/mail-server.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let post: MailServer
beforeAll(async () => {
  post = await startMailServer()
  service = await startTestService({
    env: { SMTP_URL: post.url, SLUICE_PUBLIC_URL: 'https://pay.example.com' },
  })
})
afterAll(async () => {
  await service.stop()
  await post.stop()
})

const by = { actor: 'cli:test', name: 'test', ip: null, userAgent: null }
const hasLink = ({ text }: { text: string }) => text.includes('#')
const tokenIn = (text: string) => /#([\w-]{43})\s/.exec(text)?.[1] as string
const password = 'a long enough password'

async function place(role: Role = 'owner') {
  const merchantID = await service.makeMerchant()
  const login = await makePerson(service, { merchantId: merchantID, role })
  return { merchantID, login, client: await signedIn(service, login) }
}

describe('an invitation', () => {
  it('is mailed, admits a new user once, and gives them the role they were invited to', async () => {
    const { merchantID, client } = await place()
    const email = 'New.Person@example.com'
    const body = { email, role: 'finance' }
    const made = await client.call('inviteMember', { path: { merchantID }, body })
    expect([made.status, made.body.data.invitation.is_mailed, made.body.data.link]).toEqual([201, true, null])
    const mail = await post.mail(email, hasLink)
    expect(mail.text).toContain('https://pay.example.com/dashboard/invitation#')
    const token = tokenIn(mail.text)
    const [row] = await query<{ row: string }>(
      service.database.url,
      `select (select string_agg(one_time_links::text, '') from one_time_links)
        || (select string_agg(mails::text, '') from mails) as row`,
    )
    expect(row?.row).not.toContain(token)

    const fresh = new DashboardClient(service)
    const seen = (await fresh.call('lookAtInvitation', { body: { token } })).body.data
    expect(seen).toMatchObject({ email, merchant_name: 'Test shop', role: 'finance', is_yours: false })
    const half = await fresh.call('acceptInvitation', { body: { token } })
    expect([half.status, half.body.error.details]).toEqual([
      400,
      ['/name: is required', '/password: is required'],
    ])
    const weak = await fresh.call('acceptInvitation', {
      body: { token, name: 'New', password: '1q2w3e4r5t6y' },
    })
    expect(weak.status).toBe(400)
    const whole = { token, name: 'New', password }
    const answers = await Promise.all([
      fresh.call('acceptInvitation', { body: whole }),
      new DashboardClient(service).call('acceptInvitation', { body: whole }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const accepted = answers.find(({ status }) => status === 200)
    expect(accepted?.body.data).toEqual({ stage: 'signed_in', merchant_id: merchantID })
    expect(accepted?.headers.get('set-cookie')).toContain('__Host-sluice_session=')
    const again = await signedIn(service, { userId: '', email, password })
    expect((await again.call('getSession')).body.data.memberships).toMatchObject([{ role: 'finance' }])
    expect((await fresh.call('lookAtInvitation', { body: { token } })).status).toBe(400)
  })

  it('adds an existing account to the team only while that account is signed in', async () => {
    const [here, there] = [await place(), await place()]
    const { email } = there.login
    const body = { email, role: 'viewer' }
    await here.client.call('inviteMember', { path: { merchantID: here.merchantID }, body })
    const token = tokenIn((await post.mail(email, hasLink)).text)
    const stranger = new DashboardClient(service)
    expect((await stranger.call('lookAtInvitation', { body: { token } })).body.data.is_yours).toBe(false)
    const refused = await stranger.call('acceptInvitation', { body: { token, name: 'Other', password } })
    expect([refused.status, refused.body.error.reasons]).toMatchObject([409, [{ code: 'account_known' }]])
    expect([stranger.cookie, refused.headers.get('set-cookie')]).toEqual([null, null])
    const { client } = there
    expect((await client.call('lookAtInvitation', { body: { token } })).body.data.is_yours).toBe(true)
    const accepted = await client.call('acceptInvitation', { body: { token, name: 'Other', password } })
    expect(accepted.body.data).toEqual({ stage: 'signed_in', merchant_id: here.merchantID })
    expect(accepted.headers.get('set-cookie')).toBeNull()
    const session = (await (await signedIn(service, there.login)).call('getSession')).body.data
    expect(session).toMatchObject({ name: email })
    expect(session.memberships.map(({ role }: { role: string }) => role).sort()).toEqual(['owner', 'viewer'])
  })

  it('is renewed by inviting again, and invalid once it is withdrawn', async () => {
    const { merchantID, client } = await place()
    const invite = (role: string) =>
      client.call('inviteMember', { path: { merchantID }, body: { email: 'twice@example.com', role } })
    const first = await invite('viewer')
    const old = tokenIn((await post.mail('twice@example.com')).text)
    const second = await invite('developer')
    expect(second.body.data.invitation.id).toBe(first.body.data.invitation.id)
    const isNew = ({ text }: { text: string }) => tokenIn(text) !== old
    const token = tokenIn((await post.mail('twice@example.com', isNew)).text)
    const stranger = new DashboardClient(service)
    expect((await stranger.call('lookAtInvitation', { body: { token: old } })).status).toBe(400)
    expect((await stranger.call('lookAtInvitation', { body: { token } })).body.data.role).toBe('developer')
    const path = { merchantID, invitationID: first.body.data.invitation.id }
    expect((await client.call('getTeam', { path })).body.data.invitations).toHaveLength(1)
    expect((await client.call('withdrawInvitation', { path })).status).toBe(200)
    expect((await client.call('withdrawInvitation', { path })).status).toBe(404)
    expect((await client.call('getTeam', { path })).body.data.invitations).toHaveLength(0)
    expect((await stranger.call('acceptInvitation', { body: { token, name: 'T', password } })).status).toBe(
      400,
    )
  })

  it('gets a new link by mail, and no one who invites is ever shown one', async () => {
    const { merchantID, client } = await place()
    const email = 'again@example.com'
    const made = await client.call('inviteMember', { path: { merchantID }, body: { email, role: 'viewer' } })
    const old = tokenIn((await post.mail(email)).text)
    const path = { merchantID, invitationID: made.body.data.invitation.id }
    const renewed = await client.call('renewInvitation', { path })
    expect([renewed.status, renewed.body.data.link]).toEqual([201, null])
    const isNew = ({ text }: { text: string }) => tokenIn(text) !== old
    const token = tokenIn((await post.mail(email, isNew)).text)
    const stranger = new DashboardClient(service)
    expect((await stranger.call('lookAtInvitation', { body: { token: old } })).status).toBe(400)
    expect((await stranger.call('lookAtInvitation', { body: { token } })).status).toBe(200)
    const noted = await query<{ shown: boolean }>(
      service.database.url,
      `select details -> 'link_shown' as shown from audit_entries where chain = $1 and action = 'team.invited'`,
      [merchantID],
    )
    expect(noted).toEqual([{ shown: false }, { shown: false }])
  })

  it('that was shown before there was a mail server is mailed when renewed, and the shown link dies', async () => {
    const { merchantID, client } = await place()
    const app = { ...service.app, people: { ...service.app.people, sendsMail: false } }
    const request = { merchantId: merchantID, role: 'viewer', appointer: 'owner' } as const
    const { invitation, link } = await inviteMember(app, by, { ...request, email: 'later@example.com' })
    const path = { merchantID, invitationID: invitation.id }
    expect((await client.call('renewInvitation', { path })).body.data.link).toBeNull()
    const stranger = new DashboardClient(service)
    const shown = tokenIn(`${link} `)
    expect((await stranger.call('lookAtInvitation', { body: { token: shown } })).status).toBe(400)
    const token = tokenIn((await post.mail('later@example.com')).text)
    expect((await stranger.call('lookAtInvitation', { body: { token } })).status).toBe(200)
  })

  it('gets the same answer for an email address with an account and for one without', async () => {
    const { merchantID, client } = await place()
    const other = await place()
    const answers = []
    for (const email of [other.login.email, 'nobody-at-all@example.com'])
      answers.push(
        await client.call('inviteMember', { path: { merchantID }, body: { email, role: 'viewer' } }),
      )
    const shapes = answers.map(({ status, body, headers }) => ({
      status,
      fields: Object.keys(body.data.invitation),
      mailed: body.data.invitation.is_mailed,
      link: body.data.link,
      headers: [...headers.keys()].sort(),
    }))
    expect(shapes[0]).toEqual(shapes[1])
  })

  it('expires after seven days', async () => {
    const { merchantID } = await place()
    const request = {
      merchantId: merchantID,
      email: 'late@example.com',
      role: 'owner',
      appointer: null,
    } as const
    const { link } = await makeInvitationLink(service.app, by, request)
    const token = link.split('#')[1] as string
    const stranger = new DashboardClient(service)
    expect((await stranger.call('lookAtInvitation', { body: { token } })).status).toBe(200)
    await query(
      service.database.url,
      `update one_time_links set expires_at = expires_at - interval '7 days' where email = 'late@example.com'`,
    )
    expect((await stranger.call('lookAtInvitation', { body: { token } })).status).toBe(400)
    expect((await stranger.call('acceptInvitation', { body: { token, name: 'L', password } })).status).toBe(
      400,
    )
  })
})

describe('members', () => {
  it('are listed, given other roles and removed, and lose their access with the next request', async () => {
    const { merchantID, client } = await place()
    const login = await makePerson(service, { merchantId: merchantID, role: 'developer' })
    const member = await signedIn(service, login)
    const path = { merchantID, userID: login.userId }
    expect((await client.call('getTeam', { path })).body.data.members).toHaveLength(2)
    const address = { path: { merchantID, environment: 'test' }, body: { currency: 'BTC' } }
    expect((await member.call('createAddress', address)).status).toBe(201)
    const changed = await client.call('changeMember', { path, body: { role: 'viewer' } })
    expect(changed.body.data).toMatchObject({ role: 'viewer', email: login.email, second_factors: [] })
    expect((await member.call('createAddress', address)).status).toBe(403)
    expect((await client.call('removeMember', { path })).status).toBe(200)
    expect((await member.call('createAddress', address)).status).toBe(404)
    expect((await client.call('removeMember', { path })).status).toBe(404)
  })

  it('cannot be made or unmade owners by administrators, nor be invited as owners by them', async () => {
    const { merchantID, login } = await place()
    const admin = await signedIn(
      service,
      await makePerson(service, { merchantId: merchantID, role: 'admin' }),
    )
    const viewer = await makePerson(service, { merchantId: merchantID, role: 'viewer' })
    const owner = { path: { merchantID, userID: login.userId } }
    expect((await admin.call('changeMember', { ...owner, body: { role: 'viewer' } })).status).toBe(403)
    expect((await admin.call('removeMember', owner)).status).toBe(403)
    const path = { merchantID, userID: viewer.userId }
    expect((await admin.call('changeMember', { path, body: { role: 'owner' } })).status).toBe(403)
    const body = { email: 'x@example.com', role: 'owner' }
    expect((await admin.call('inviteMember', { path, body })).status).toBe(403)
    expect((await admin.call('changeMember', { path, body: { role: 'admin' } })).status).toBe(200)
  })

  it('keep at least one owner, even when two remove each other at once', async () => {
    const { merchantID, login, client } = await place()
    const alone = { path: { merchantID, userID: login.userId } }
    expect((await client.call('removeMember', alone)).status).toBe(409)
    expect((await client.call('changeMember', { ...alone, body: { role: 'admin' } })).status).toBe(409)
    const second = await makePerson(service, { merchantId: merchantID, role: 'owner' })
    const other = await signedIn(service, second)
    const answers = await Promise.all([
      client.call('removeMember', { path: { merchantID, userID: second.userId } }),
      other.call('removeMember', { path: { merchantID, userID: login.userId } }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const [left] = await query<{ owners: string }>(
      service.database.url,
      `select count(*) as owners from memberships where merchant_id = $1 and role = 'owner'`,
      [merchantID],
    )
    expect(Number(left?.owners)).toBe(1)
  })
})

describe('a new password', () => {
  const reset = async ({ email }: Pick<Login, 'email'>) => {
    const answer = await new DashboardClient(service).call('askPasswordReset', { body: { email } })
    expect(answer.status).toBe(202)
  }
  const complete = (token: string, wanted = password) =>
    new DashboardClient(service).call('completePasswordReset', { body: { token, password: wanted } })

  it('is set with a mailed link, once, and ends every session', async () => {
    const other = await place()
    await reset(other.login)
    const second = tokenIn((await post.mail(other.login.email, hasLink)).text)
    expect((await complete(second, 'short')).status).toBe(400)
    expect((await complete(second, '123456789qwe')).status).toBe(400)
    const answers = await Promise.all([complete(second), complete(second), complete(second)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect((await other.client.call('getSession')).status).toBe(401)
    const again = await signedIn(service, { ...other.login, password })
    expect((await again.call('getSession')).status).toBe(200)
    await expect(signedIn(service, other.login)).rejects.toThrow(/is wrong/)
    await post.mail(other.login.email, ({ text }) => text.includes('was reset by a link'))
  })

  it('cannot be set with an expired or superseded link', async () => {
    const { login } = await place()
    const make = async () =>
      (await makeResetLink(service.app, by, login.email, { dropFactors: false })).link.split('#')[1] as string
    const [old, token] = [await make(), await make()]
    expect((await complete(token)).status).toBe(200)
    expect((await complete(old)).status).toBe(400)
    const late = await make()
    await query(
      service.database.url,
      `update one_time_links set expires_at = expires_at - interval '1 hour' where used_at is null`,
    )
    expect((await complete(late)).status).toBe(400)
  })

  it('is requested with the same answer for any email address, and unknown addresses get no mail', async () => {
    const { login } = await place()
    const answers = []
    for (const email of [login.email, 'unknown@example.com'])
      answers.push(await new DashboardClient(service).call('askPasswordReset', { body: { email } }))
    const shapes = answers.map(({ status, body, headers }) => ({
      status,
      data: body.data,
      headers: [...headers.keys()].sort(),
    }))
    expect(shapes[0]).toEqual(shapes[1])
    await post.mail(login.email, hasLink)
    const done = `select count(*) as open from jobs where kind = 'send_mail'`
    await expect
      .poll(async () => (await query<{ open: string }>(service.database.url, done))[0]?.open)
      .toBe('0')
    expect(post.mails.filter(({ to }) => to === 'unknown@example.com')).toEqual([])
  })

  it('sends at most three mails, however often it is requested', async () => {
    const { login } = await place()
    for (let n = 0; n < 6; n++) await reset(login)
    const done = `select count(*) as open from jobs where kind = 'send_mail'`
    await expect
      .poll(async () => (await query<{ open: string }>(service.database.url, done))[0]?.open)
      .toBe('0')
    expect(post.mails.filter((mail) => mail.to === login.email && hasLink(mail))).toHaveLength(3)
  })

  it('set with the old one ends all other sessions, and the user is told', async () => {
    const { login, client } = await place()
    const elsewhere = await signedIn(service, login)
    const change = (current: string, wanted: string) =>
      client.call('changePassword', { body: { current_password: current, password: wanted } })
    expect((await change('wrong', password)).body.error.details).toEqual(['/current_password: is wrong'])
    expect((await change(login.password, 'passwordpassword')).body.error.details[0]).toContain(
      'common password',
    )
    expect((await change(login.password, password)).status).toBe(200)
    expect([(await client.call('getSession')).status, (await elsewhere.call('getSession')).status]).toEqual([
      200, 401,
    ])
    await post.mail(login.email, ({ text }) => text.includes('password was changed'))
  })
})

describe('sessions', () => {
  it('are listed with browser and place, and ended one by one or all at once', async () => {
    const { login, client } = await place()
    const others = [
      await signedIn(service, login),
      await signedIn(service, login),
      await signedIn(service, login),
    ]
    await query(
      service.database.url,
      `update sessions set user_agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
        where user_id = $1`,
      [login.userId],
    )
    const list = async () => (await client.call('listSessions')).body.data
    const sessions = await list()
    expect(sessions).toHaveLength(4)
    expect(sessions.filter((each: { is_this: boolean }) => each.is_this)).toMatchObject([
      { browser: 'Firefox on Linux', proved_by: 'password' },
    ])
    const { id } = sessions.find((each: { is_this: boolean }) => !each.is_this)
    expect((await client.call('endSession', { path: { sessionID: id } })).body.data.ended).toBe(1)
    expect((await client.call('endSession', { path: { sessionID: id } })).status).toBe(404)
    expect((await client.call('endOtherSessions')).body.data.ended).toBe(2)
    expect(await list()).toHaveLength(1)
    for (const other of others) expect((await other.call('getSession')).status).toBe(401)
    const stranger = await place()
    const own = (await list())[0].id
    expect((await stranger.client.call('endSession', { path: { sessionID: own } })).status).toBe(404)
  })

  it('end at once for a disabled user, who cannot start another', async () => {
    const { login, client } = await place()
    const { email } = login
    expect(await disableUser(service.app, by, { email, isDisabled: true })).toBe(1)
    expect((await client.call('getSession')).status).toBe(401)
    await expect(signedIn(service, login)).rejects.toThrow(/is wrong/)
    await disableUser(service.app, by, { email, isDisabled: false })
    expect((await client.call('getSession')).status).toBe(401)
    expect((await (await signedIn(service, login)).call('getSession')).status).toBe(200)
  })
})

it('a user changes their name and language', async () => {
  const { client } = await place()
  const changed = await client.call('changeAccount', { body: { name: ' Ann ', language: 'de' } })
  expect(changed.body.data).toMatchObject({ name: 'Ann', language: 'de' })
  const back = await client.call('changeAccount', { body: { language: '' } })
  expect(back.body.data).toMatchObject({ name: 'Ann', language: null })
  expect((await client.call('getSession')).body.data).toMatchObject({ name: 'Ann', language: null })
})
