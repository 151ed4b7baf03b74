import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeReset, makeResetLink } from '../../../src/app/people/reset-password.ts'
import { makeInvitationLink } from '../../../src/app/team/invite-member.ts'
import type { Role } from '../../../src/domain/roles.ts'
import { query } from '../../support/database/database.ts'
import {
  DashboardClient,
  enrolPasskey,
  enrolTotp,
  makePerson,
  signedIn,
  signedInWithPasskey,
} from '../../support/people/dashboard-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

/** Without a mail server the inviter sees the link. Whoever keeps one gains nothing at another merchant. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ env: { SLUICE_TRUSTED_PROXIES: '127.0.0.1,::1' } })
})
afterAll(() => service.stop())

const by = { actor: 'cli:test', name: 'test', ip: null, userAgent: null }
const password = 'a long enough password'
let people = 0
const newEmail = () => `person${++people}@example.com`

async function place(role: Role = 'owner') {
  const merchantID = await service.makeMerchant()
  const login = await makePerson(service, { merchantId: merchantID, role })
  return { merchantID, login, client: await signedIn(service, login) }
}
type Place = Awaited<ReturnType<typeof place>>

async function invited({ merchantID, client }: Place, email: string, role: Role = 'finance') {
  const made = await client.call('inviteMember', { path: { merchantID }, body: { email, role } })
  expect(made.status, made.text).toBe(201)
  const { invitation, link } = made.body.data
  return { token: tokenOf(link), path: { merchantID, invitationID: invitation.id as string } }
}
const tokenOf = (link: string) => link.split('#')[1] as string

/** Follows a link from an address of its own, so that no test uses up the tries of another. */
function follow(token: string, more: object = {}, client = new DashboardClient(service)) {
  const headers = { 'X-Forwarded-For': `198.51.100.${++people % 250}` }
  return client.call('acceptInvitation', { body: { token, ...more }, headers })
}
const chosen = { name: 'Vic', password }

async function rolesOf(email: string): Promise<Record<string, Role>> {
  const rows = await query<{ merchant_id: string; role: Role }>(
    service.database.url,
    'select merchant_id, role from memberships join users on users.id = user_id where email = $1',
    [email],
  )
  return Object.fromEntries(rows.map(({ merchant_id, role }) => [merchant_id, role]))
}
const said = (answer: Awaited<ReturnType<typeof follow>>) => [
  answer.status,
  answer.body.error?.reasons?.[0]?.code,
]

describe('the link of an invitation', () => {
  it('is shown once, stored only as a hash, and the audit log says who saw it', async () => {
    const shop = await place()
    const { merchantID, client, login } = shop
    const email = newEmail()
    const { token, path } = await invited(shop, email)
    expect(token).toMatch(/^[\w-]{43}$/)
    const team = await client.call('getTeam', { path: { merchantID } })
    expect(team.body.data.invitations).toMatchObject([{ email, is_mailed: false }])
    expect(team.text).not.toContain(token)
    const withdrawn = await client.call('withdrawInvitation', { path })
    expect(withdrawn.text).not.toContain(token)
    const stored = await query<{ row: string }>(
      service.database.url,
      `select (select string_agg(one_time_links::text, '') from one_time_links)
        || coalesce((select string_agg(mails::text, '') from mails), '')
        || (select string_agg(audit_entries::text, '') from audit_entries) as row`,
    )
    expect(stored[0]?.row).not.toContain(token)
    const noted = await query(
      service.database.url,
      `select actor, action, details from audit_entries where chain = $1 and action like 'team.%' order by seq`,
      [merchantID],
    )
    const details = { email, role: 'finance', link_shown: true }
    expect(noted[0]).toEqual({ actor: `user:${login.userId}`, action: 'team.invited', details })
  })

  it('is replaced by a new one, which ends the earlier one', async () => {
    const shop = await place()
    const email = newEmail()
    const { token: old, path } = await invited(shop, email)
    const renewed = await shop.client.call('renewInvitation', { path })
    expect([renewed.status, renewed.body.data.invitation.id]).toEqual([201, path.invitationID])
    expect((await follow(old, chosen)).status).toBe(400)
    expect((await follow(tokenOf(renewed.body.data.link), chosen)).status).toBe(200)
    expect(await rolesOf(email)).toEqual({ [shop.merchantID]: 'finance' })
    expect((await shop.client.call('renewInvitation', { path })).status).toBe(404)
  })

  it('is renewed at no other merchant, and by an administrator not for an owner', async () => {
    const [shop, other] = [await place(), await place()]
    const { path } = await invited(shop, newEmail(), 'owner')
    const elsewhere = { ...path, merchantID: other.merchantID }
    expect((await other.client.call('renewInvitation', { path: elsewhere })).status).toBe(404)
    expect((await other.client.call('renewInvitation', { path })).status).toBe(404)
    const login = await makePerson(service, { merchantId: shop.merchantID, role: 'admin' })
    const admin = await signedIn(service, login)
    expect((await admin.call('renewInvitation', { path })).status).toBe(403)
  })

  it('says nothing about whether the address has an account, until a name and a good password are given', async () => {
    const [shop, other] = [await place(), await place()]
    const tokens = [
      (await invited(shop, other.login.email)).token,
      (await invited(shop, newEmail())).token,
    ] as const
    const stranger = new DashboardClient(service)
    const answers = await Promise.all(
      tokens.map(async (token) => [
        Object.entries((await stranger.call('lookAtInvitation', { body: { token } })).body.data).filter(
          ([name]) => !['email', 'expires_at'].includes(name),
        ),
        (await follow(token)).body.error,
        (await follow(token, { name: 'Vic' })).body.error,
        (await follow(token, { ...chosen, password: '1q2w3e4r5t6y' })).body.error,
        (await follow(token, {}, shop.client)).body.error,
      ]),
    )
    expect(JSON.stringify(answers[0])).toContain('is required')
    expect(answers[0]).toEqual(answers[1])
  })
})

describe('a person who made an account with the link for another', () => {
  /** They invite the victim's address, keep the link and follow it themselves. */
  async function squatted() {
    const [own, other] = [await place(), await place()]
    const victim = newEmail()
    const { token } = await invited(own, victim)
    const thief = new DashboardClient(service)
    expect((await follow(token, { ...chosen, password: 'the thief’s password' }, thief)).status).toBe(200)
    expect(await rolesOf(victim)).toEqual({ [own.merchantID]: 'finance' })
    return { own, other, victim, thief }
  }

  it('does not become a member where the victim is invited later, whoever follows that link', async () => {
    const { own, other, victim, thief } = await squatted()
    const passkey = await enrolPasskey(service, thief)
    const { token } = await invited(other, victim)
    expect(said(await follow(token, chosen))).toEqual([409, 'account_known'])
    expect(said(await follow(token, chosen, other.client))).toEqual([409, 'account_known'])
    expect((await follow(token)).status).toBe(400)
    expect(await rolesOf(victim)).toEqual({ [own.merchantID]: 'finance' })
    const offered = await query(
      service.database.url,
      'select from passkey_enrolments where merchant_id = $1',
      [other.merchantID],
    )
    expect(offered).toEqual([])
    const again = await signedInWithPasskey(service, passkey)
    expect((await again.call('getTeam', { path: { merchantID: other.merchantID } })).status).toBe(404)
    // The link of one merchant is good for no other.
    const { invitations } = (await other.client.call('getTeam', { path: { merchantID: other.merchantID } }))
      .body.data
    expect(invitations).toMatchObject([{ email: victim }])
  })

  it('is out once the operator has given the account to its person, who then joins', async () => {
    const { own, other, victim, thief } = await squatted()
    const passkey = await enrolPasskey(service, thief)
    const { token } = await invited(other, victim)
    const reset = await makeResetLink(service.app, by, victim, { dropFactors: true })
    const from = { ip: '192.0.2.1', userAgent: '' }
    await completeReset(service.app, { token: tokenOf(reset.link), password }, from)
    const person = await signedIn(service, { userId: '', email: victim, password })
    const accepted = await follow(token, {}, person)
    expect(accepted.body.data).toEqual({ stage: 'signed_in', merchant_id: other.merchantID })
    expect(await rolesOf(victim)).toEqual({ [own.merchantID]: 'finance', [other.merchantID]: 'finance' })
    expect((await thief.call('getSession')).status).toBe(401)
    await expect(signedInWithPasskey(service, passkey)).rejects.toThrow()
  })

  it('keeps nobody’s account: a new password alone does not let its person join past the thief’s passkey', async () => {
    const { own, other, victim, thief } = await squatted()
    await enrolPasskey(service, thief)
    const { token } = await invited(other, victim)
    const reset = await makeResetLink(service.app, by, victim, { dropFactors: false })
    const from = { ip: '192.0.2.1', userAgent: '' }
    await completeReset(service.app, { token: tokenOf(reset.link), password }, from)
    const half = new DashboardClient(service)
    const begun = await half.call('signIn', { body: { email: victim, password } })
    expect(begun.body.data.stage).toBe('second_factor')
    expect(said(await follow(token, chosen, half))).toEqual([409, 'account_known'])
    expect(await rolesOf(victim)).toEqual({ [own.merchantID]: 'finance' })
  })

  it('cannot use an account that existed before the invitation', async () => {
    const [own, other] = [await place(), await place()]
    const { token } = await invited(own, other.login.email)
    expect(said(await follow(token, chosen))).toEqual([409, 'account_known'])
    expect(said(await follow(token, chosen, own.client))).toEqual([409, 'account_known'])
    expect(await rolesOf(other.login.email)).toEqual({ [other.merchantID]: 'owner' })
  })
})

describe('two open invitations of one new address', () => {
  it('make one account, which joins the second merchant signed in', async () => {
    const [one, two] = [await place(), await place()]
    const email = newEmail()
    const tokens = [(await invited(one, email)).token, (await invited(two, email)).token] as const
    const browsers = [new DashboardClient(service), new DashboardClient(service)] as const
    const answers = await Promise.all([
      follow(tokens[0], chosen, browsers[0]),
      follow(tokens[1], chosen, browsers[1]),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const first = answers[0].status === 200 ? 0 : 1
    const second = first === 0 ? 1 : 0
    const seen = await browsers[first].call('lookAtInvitation', { body: { token: tokens[second] } })
    expect(seen.body.data.is_yours).toBe(true)
    expect((await follow(tokens[second], {}, browsers[first])).status).toBe(200)
    expect(await rolesOf(email)).toEqual({ [one.merchantID]: 'finance', [two.merchantID]: 'finance' })
  })
})

describe('an account that is signed in', () => {
  it('offers its passkeys to the signer of the merchant that it joins', async () => {
    const [shop, other] = [await place(), await place()]
    await enrolPasskey(service, other.client)
    const { token } = await invited(shop, other.login.email)
    expect((await follow(token, {}, other.client)).status).toBe(200)
    const offered = await query(
      service.database.url,
      'select user_id from passkey_enrolments where merchant_id = $1',
      [shop.merchantID],
    )
    expect(offered).toEqual([{ user_id: other.login.userId }])
  })

  it('does not join before its second factor was shown, nor with a printed password, nor twice', async () => {
    const [shop, other] = [await place(), await place()]
    const { userId, email } = other.login
    await enrolTotp(other.client)
    const { token } = await invited(shop, email)
    const half = new DashboardClient(service)
    await half.call('signIn', { body: { email, password: other.login.password } })
    expect(said(await follow(token, chosen, half))).toEqual([409, 'account_known'])
    const printed = (isPrinted: boolean) =>
      query(service.database.url, 'update users set must_change_password = $1 where id = $2', [
        isPrinted,
        userId,
      ])
    await printed(true)
    const refused = await follow(token, {}, other.client)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'password_change_required'])
    await printed(false)
    expect((await follow(token, {}, other.client)).status).toBe(200)
    expect((await follow(token, {}, other.client)).status).toBe(400)
  })

  it('of an operator joins as any other, with a link that the operator’s command printed too', async () => {
    const shop = await place()
    const login = await makePerson(service, null)
    const operator = await signedIn(service, login)
    const request = {
      merchantId: shop.merchantID,
      email: login.email,
      role: 'viewer',
      appointer: null,
    } as const
    const token = tokenOf((await makeInvitationLink(service.app, by, request)).link)
    expect(said(await follow(token, chosen))).toEqual([409, 'account_known'])
    expect((await follow(token, {}, operator)).status).toBe(200)
    expect(await rolesOf(login.email)).toEqual({ [shop.merchantID]: 'viewer' })
  })
})
