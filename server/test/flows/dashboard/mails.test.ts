import { afterEach, beforeEach, expect, it } from 'vitest'
import { sendMails } from '../../../src/app/mail/send-mails.ts'
import { askReset } from '../../../src/app/people/reset-password.ts'
import { createPost, type Post } from '../../../src/outbound/mail/post.ts'
import { query } from '../../support/database/database.ts'
import { makePerson } from '../../support/people/dashboard-client.ts'
import { type MailServer, startMailServer } from '../../support/servers/mail-server.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let server: MailServer
let post: Post
beforeEach(async () => {
  server = await startMailServer()
  service = await startTestService()
  post = createPost(server.url, 'sluice@example.com')
})
afterEach(async () => {
  post.close()
  await service.stop()
  await server.stop()
})

type Row = { sent_at: Date | null; failed_at: Date | null; failure: string | null; attempts: number | null }
const rows = () =>
  query<Row>(
    service.database.url,
    `select sent_at, failed_at, failure, attempts from mails left join jobs on subject = mails.id order by created_at`,
  )
/** The service itself sends no mail, so that the test can. */
const app = () => ({ ...service.app, people: { ...service.app.people, sendsMail: true } })
const failures: string[] = []
const send = () =>
  sendMails(app(), post, {
    signal: new AbortController().signal,
    onFailed: (_mail, _error, isLast) => failures.push(isLast ? 'last' : 'again'),
  })
const dueNow = () =>
  query(service.database.url, 'update jobs set due_at = clock_timestamp(), claimed_until = null')

it('a mail refused temporarily is retried with a new link, and sent once', async () => {
  const { email } = await makePerson(service, null)
  await askReset(app(), email)
  server.refusal = '451 not now'
  expect(await send()).toBe(0)
  expect((await rows())[0]).toMatchObject({ sent_at: null, failed_at: null, attempts: 1 })
  expect(await send()).toBe(0)
  server.refusal = null
  await dueNow()
  const sent = await Promise.all([send(), send(), send()])
  expect(sent.reduce((sum, each) => sum + each)).toBe(1)
  expect(server.mails).toHaveLength(1)
  expect((await rows())[0]?.attempts).toBeNull()
})

it('a mail refused for good is given up at once, and any other after ten tries', async () => {
  const { email } = await makePerson(service, null)
  await askReset(app(), email)
  server.refusal = '550 no such person'
  await send()
  expect((await rows())[0]).toMatchObject({ attempts: null, failure: expect.stringContaining('550') })
  await askReset(app(), email)
  server.refusal = '451 not now'
  failures.length = 0
  for (let n = 0; n < 12; n++) {
    await send()
    await dueNow()
  }
  expect(failures).toEqual([...Array(9).fill('again'), 'last'])
  expect((await rows())[1]?.failed_at).not.toBeNull()
})

it('a mail is in the language of its reader', async () => {
  const { email, userId } = await makePerson(service, null)
  await query(service.database.url, `update users set language = 'fr' where id = $1`, [userId])
  await askReset(app(), email)
  expect(await send()).toBe(1)
  expect(server.mails[0]).toMatchObject({
    subject: 'Nouveau mot de passe pour Sluice',
    text: expect.stringContaining('Quelqu’un a demandé un nouveau mot de passe'),
  })
})

it('no mail is created where the service sends none', async () => {
  const { email } = await makePerson(service, null)
  await askReset(service.app, email)
  expect(await rows()).toEqual([])
})

it('only expired records are deleted', async () => {
  const { userId, email } = await makePerson(service, null)
  await askReset(app(), email)
  const { url } = service.database
  const session = (id: number, age: string, ended: string) =>
    query(
      url,
      `insert into sessions (id, user_id, token_hash, is_complete, ip, user_agent, last_seen_at, expires_at, ended_at)
        values ($1, $2, $3, true, '', '', now() - $4::interval, now() + interval '30 days' - $4::interval, ${ended})`,
      [`01890000-0000-7000-8000-00000000000${id}`, userId, Buffer.alloc(32, id), age],
    )
  await session(1, '0 days', 'null')
  await session(2, '40 days', `now() - interval '31 days'`)
  await session(3, '5 days', `now() - interval '5 days'`)
  await session(4, '31 days', 'null')
  await query(
    url,
    `insert into ceremonies (id, purpose, session_id, nonce, challenge, expires_at)
      values (gen_random_uuid(), 'step_up', '01890000-0000-7000-8000-000000000002', '\\x01', '\\x01', now()),
        (gen_random_uuid(), 'sign_in', null, '\\x02', '\\x02', now() - interval '2 hours'),
        (gen_random_uuid(), 'sign_in', null, '\\x03', '\\x03', now())`,
  )
  await query(
    url,
    `insert into sign_in_failures values ('ip:x', 3, now() - interval '2 days'), ('ip:y', 3, now())`,
  )
  await query(
    url,
    `insert into devices (user_id, token_hash, last_seen_at)
      values ($1, $2, now() - interval '401 days'), ($1, $3, now() - interval '399 days')`,
    [userId, Buffer.alloc(32, 1), Buffer.alloc(32, 2)],
  )
  const { ceremonies, sessions, devices, mails, oneTimeLinks, signInFailures } = service.app.store
  const forgotten = []
  for (const kept of [ceremonies, sessions, devices, mails, oneTimeLinks, signInFailures])
    forgotten.push(await kept.forget(100))
  expect(forgotten).toEqual([1, 2, 1, 0, 0, 1])
  const left = await query<{ id: string }>(url, 'select right(id::text, 1) as id from sessions order by id')
  expect(left.map(({ id }) => id)).toEqual(['1', '3'])
})
