import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maxDeviceMails } from '../../../src/app/people/meet-device.ts'
import { query } from '../../support/database/database.ts'
import {
  DashboardClient,
  enrolPasskey,
  enrolTotp,
  type Login,
  makePerson,
  signedIn,
} from '../../support/people/dashboard-client.ts'
import { type MailServer, startMailServer } from '../../support/servers/mail-server.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

/** A stolen password does not go unnoticed: its owner gets a mail when it is used on another device. */

let mailServer: MailServer
let service: TestService
let merchantId: string
beforeAll(async () => {
  mailServer = await startMailServer()
  service = await startTestService({
    env: { SMTP_URL: mailServer.url, SLUICE_TRUSTED_PROXIES: '127.0.0.1,::1' },
  })
  merchantId = await service.makeMerchant()
})
afterAll(async () => {
  await service.stop()
  await mailServer.stop()
})

const person = () => makePerson(service, { merchantId, role: 'finance' })
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
/** Counted as they are queued, in the transaction of the sign-in. */
async function mailed({ email }: Login): Promise<number> {
  const [row] = await query<{ count: number }>(
    service.database.url,
    `select count(*)::int as count from mails where kind = 'new_device' and recipient = $1`,
    [email],
  )
  return row?.count ?? 0
}
async function again(client: DashboardClient, { email, password }: Login, headers = {}) {
  const answer = await client.call('signIn', { body: { email, password }, headers })
  expect(answer.status, answer.text).toBe(200)
  return client
}

it('a sign-in from a new device is mailed: when, which browser, from where, and what to do', async () => {
  const owner = await person()
  const headers = { 'User-Agent': `${firefox} https://evil.example/click`, 'X-Forwarded-For': '203.0.113.9' }
  const client = await again(new DashboardClient(service), owner, headers)
  const mail = await mailServer.mail(owner.email, ({ subject }) => subject.includes('new device'))
  for (const said of ['Browser: Firefox on Linux', 'IP address: 203.0.113.9', '/dashboard/account'])
    expect(mail.text).toContain(said)
  expect(mail.text).toMatch(/When: \w+ \d{1,2}, \d{4} at \d\d:\d\d UTC/)
  for (const secret of [owner.password, client.cookie, client.device, 'evil.example'])
    expect(mail.text).not.toContain(secret)
  const [session] = (await client.call('listSessions')).body.data
  expect(session).toMatchObject({ is_this: true, is_new_device: true })
})

it('the same device is known from then on, whatever its IP address, and the cookie is stored only as a hash', async () => {
  const owner = await person()
  const client = await again(new DashboardClient(service), owner)
  await client.call('signOut')
  expect([client.cookie, client.device]).toEqual([null, expect.stringMatching(/^sluice_device=[\w-]{43}$/)])
  await again(client, owner, { 'X-Forwarded-For': '198.51.100.1' })
  expect(await mailed(owner)).toBe(1)
  expect((await client.call('listSessions')).body.data[0].is_new_device).toBe(false)
  const [row] = await query<{ all: string }>(
    service.database.url,
    'select json_agg(devices)::text as all from devices',
  )
  expect(row?.all).not.toContain(client.device?.split('=')[1])
})

it('a device is known to each person alone, and people who share it keep it', async () => {
  const [ann, bob] = [await person(), await person()]
  const client = await again(new DashboardClient(service), ann)
  await again(client, bob)
  await again(client, ann)
  await again(client, bob)
  expect([await mailed(ann), await mailed(bob)]).toEqual([1, 1])
})

it('a token that an attacker has put into the cookie never becomes known', async () => {
  const owner = await person()
  const planted = `sluice_device=${randomBytes(32).toString('base64url')}`
  const victim = new DashboardClient(service)
  victim.device = planted
  await again(victim, owner)
  const thief = new DashboardClient(service)
  thief.device = planted
  await again(thief, owner)
  expect(await mailed(owner)).toBe(2)
})

it('with a second factor the device counts once the sign-in is complete; a passkey alone completes it', async () => {
  const owner = await person()
  const first = await signedIn(service, owner)
  const { totp } = await enrolTotp(first)
  const passkey = await enrolPasskey(service, first)
  const half = await again(new DashboardClient(service), owner)
  expect([half.device, await mailed(owner)]).toEqual([null, 1])
  await half.call('showSecondFactor', { body: { totp: await totp.code() } })
  expect(await mailed(owner)).toBe(2)
  const third = new DashboardClient(service)
  const { options } = (await third.call('beginPasskeySignIn')).body.data
  await third.call('signInWithPasskey', { body: { credential: passkey.get(options) } })
  expect(await mailed(owner)).toBe(3)
})

it('a device whose session its owner has ended is a new one again, and the own device stays known', async () => {
  const owner = await person()
  const own = await again(new DashboardClient(service), owner)
  const thief = await again(new DashboardClient(service), owner)
  await own.call('endOtherSessions')
  await again(thief, owner)
  expect(await mailed(owner)).toBe(3)
  const sessions = (await own.call('listSessions')).body.data
  const { id } = sessions.find((each: { is_this: boolean }) => !each.is_this)
  await own.call('endSession', { path: { sessionID: id } })
  await again(thief, owner)
  await again(own, owner)
  expect(await mailed(owner)).toBe(4)
})

it('a thief can neither flood the mailbox nor fill the table', async () => {
  const owner = await person()
  for (let n = 0; n < maxDeviceMails + 15; n++)
    await again(new DashboardClient(service), owner, { 'X-Forwarded-For': `10.1.${n}.1` })
  expect(await mailed(owner)).toBe(maxDeviceMails)
  const [row] = await query<{ count: number }>(
    service.database.url,
    'select count(*)::int as count from devices where user_id = $1',
    [owner.userId],
  )
  expect(row?.count).toBe(20)
})
