import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { challengeOf, statementText } from '../../../src/domain/passkey-statements.ts'
import { query } from '../../support/database/database.ts'
import {
  DashboardClient,
  enrolPasskey,
  makePerson,
  originOf,
  signedIn,
} from '../../support/people/dashboard-client.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  const PORT = String(await freePort())
  service = await startTestService({ ...quiet, env: { ...quiet.env, PORT } })
})
afterAll(() => service.stop())

async function owner() {
  const shop = await openShop(service)
  const person = await makePerson(service, { merchantId: shop.merchantId, role: 'owner' })
  const client = await signedIn(service, person)
  return { shop, person, client, passkey: await enrolPasskey(service, client) }
}

/** A row as an attacker with the database's password would add it. */
async function plant(purpose: string, sessionId: string | null, challenge: Buffer) {
  await query(
    service.database.url,
    `insert into ceremonies (id, purpose, session_id, challenge, nonce, expires_at)
     values ($1, $2, $3, $4, $4, now() + interval '1 hour')`,
    [randomUUID(), purpose, sessionId, challenge],
  )
}

it('an approval is never a sign-in or a proof, even where the database says that it was asked for as one', async () => {
  const { shop, person, client, passkey } = await owner()
  const said = { kind: 'approve', environment: 'test', merchantId: shop.merchantId } as const
  const challenge = challengeOf(statementText({ ...said, approvalHashes: ['a'.repeat(64)] }))
  const signed = () =>
    passkey.get({ challenge: challenge.toString('base64url'), rpId: new URL(originOf(service)).hostname })
  await plant('sign_in', null, challenge)
  const thief = new DashboardClient(service)
  const entered = await thief.call('signInWithPasskey', { body: { credential: signed() } })
  expect([entered.status, entered.body.error?.code]).toEqual([400, 'invalid_state'])
  expect((await thief.call('getSession')).status).toBe(401)

  const [session] = await query<{ id: string }>(
    service.database.url,
    `update sessions set proved_at = proved_at - interval '1 hour' where user_id = $1 returning id`,
    [person.userId],
  )
  await query(service.database.url, 'delete from ceremonies')
  await plant('step_up', session?.id ?? '', challenge)
  const proved = await client.call('stepUpWithPasskey', { body: { credential: signed() } })
  expect([proved.status, proved.body.error?.code]).toEqual([400, 'invalid_state'])
})

it('a challenge for signing in proves nothing later, even where the database says so', async () => {
  const { person, client, passkey } = await owner()
  const { options } = (await new DashboardClient(service).call('beginPasskeySignIn')).body.data
  const [session] = await query<{ id: string }>(
    service.database.url,
    'select id from sessions where user_id = $1',
    [person.userId],
  )
  await query(
    service.database.url,
    `update ceremonies set purpose = 'step_up', session_id = $1 where challenge = $2`,
    [session?.id, Buffer.from(options.challenge, 'base64url')],
  )
  const proved = await client.call('stepUpWithPasskey', { body: { credential: passkey.get(options) } })
  expect([proved.status, proved.body.error?.code]).toEqual([400, 'invalid_state'])
})

it('the database cannot choose what a person signs to sign in', async () => {
  const { passkey } = await owner()
  const client = new DashboardClient(service)
  const asked = (await client.call('beginPasskeySignIn')).body.data.options
  // What is sent to the browser never comes from a row: changing the row only makes the answer useless.
  await query(
    service.database.url,
    `update ceremonies set challenge = sha256('other'), nonce = 'other' where challenge = $1`,
    [Buffer.from(asked.challenge, 'base64url')],
  )
  const entered = await client.call('signInWithPasskey', { body: { credential: passkey.get(asked) } })
  expect(entered.status).toBe(400)
})
