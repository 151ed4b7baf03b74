import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../../src/domain/roles.ts'
import { query } from '../../support/database/database.ts'
import { type DashboardClient, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

/** Saved views of the dashboard's lists: whose they are, who sees and changes them, and what they can hold. */

let service: TestService
let merchantID: string
beforeAll(async () => {
  service = await startTestService()
  merchantID = await service.makeMerchant()
})
afterAll(() => service.stop())

async function member(role: Role, at = merchantID) {
  const login = await makePerson(service, { merchantId: at, role })
  return { client: await signedIn(service, login), ...login }
}
const paid = { list: 'invoices', name: 'Paid', query: 'status=paid', is_shared: false }
const save = (client: DashboardClient, body: object = {}, at = merchantID) =>
  client.call('createSavedView', { path: { merchantID: at }, body: { ...paid, ...body } })
const list = async (client: DashboardClient, at = merchantID) =>
  (await client.call('listSavedViews', { path: { merchantID: at } })).body.data as {
    id: string
    name: string
  }[]
const change = (client: DashboardClient, id: string, body: object, at = merchantID) =>
  client.call('updateSavedView', { path: { merchantID: at, viewID: id }, body })
const remove = (client: DashboardClient, id: string, at = merchantID) =>
  client.call('deleteSavedView', { path: { merchantID: at, viewID: id } })

it('the name of a view has no character that cannot be seen, or that turns the text around', async () => {
  const { client } = await member('viewer')
  const { id } = (await save(client, { name: 'Mine' })).body.data
  for (const sign of [
    '\u0000',
    '\n',
    '\u00ad',
    '\u061c',
    '\u200b',
    '\u200e',
    '\u202e',
    '\u2060',
    '\u2066',
    '\u2069',
  ]) {
    const name = `Pa${sign}id`
    for (const answer of [await save(client, { name }), await change(client, id, { name })]) {
      expect(answer.status, JSON.stringify(name)).toBe(400)
      expect(answer.body.error.details[0]).toMatch(/^\/name: /)
    }
  }
  for (const name of ['Bezahlt – März', 'پرداخت\u200cشده', '👩\u200d💻 offen'])
    expect((await change(client, id, { name })).body.data.name).toBe(name)
})

it('a member saves a view, finds it on another device, renames, replaces and deletes it, and the log says so', async () => {
  const { client, ...login } = await member('viewer')
  const made = await save(client, { name: '  Paid lately ', query: 'period=7_days&status=paid' })
  const view = { ...paid, name: 'Paid lately', query: 'status=paid&period=7_days' }
  const { id } = made.body.data
  const shown = { ...view, id, is_own: true, may_change: true, owner_name: login.email }
  expect([made.status, made.body.data]).toEqual([201, shown])
  const elsewhere = await signedIn(service, login)
  expect(await list(elsewhere)).toEqual([shown])

  const renamed = await change(elsewhere, id, { name: 'Ours' })
  expect([renamed.status, renamed.body.data]).toEqual([200, { ...shown, name: 'Ours' }])
  const replaced = await change(client, id, { query: 'search=50%25+off' })
  expect(replaced.body.data).toEqual({ ...shown, name: 'Ours', query: 'search=50%25+off' })
  expect([(await remove(client, id)).status, await list(elsewhere)]).toEqual([200, []])
  expect([(await remove(client, id)).status, (await change(client, id, { name: 'x' })).status]).toEqual([
    404, 404,
  ])
  const entries = await query<{ action: string }>(
    service.database.url,
    'select action from audit_entries where chain = $1 and actor = $2 order by seq',
    [merchantID, `user:${login.userId}`],
  )
  const acts = entries.map(({ action }) => action).filter((action) => action.startsWith('view.'))
  expect(acts).toEqual(['view.saved', 'view.changed', 'view.changed', 'view.deleted'])
})

it('others neither see nor change a view that is not shared, nor any at another merchant', async () => {
  const { client: owner } = await member('owner')
  const { client } = await member('developer')
  const other = await service.makeMerchant()
  const { client: stranger } = await member('owner', other)
  const { id } = (await save(client)).body.data
  const { id: shared } = (await save(client, { name: 'Shared', is_shared: true })).body.data
  expect((await list(owner)).some((each) => each.id === id)).toBe(false)
  expect([(await change(owner, id, { name: 'x' })).status, (await remove(owner, id)).status]).toEqual([
    404, 404,
  ])
  for (const each of [id, shared])
    for (const at of [merchantID, other]) {
      expect((await change(stranger, each, { name: 'x' }, at)).status).toBe(404)
      expect((await remove(stranger, each, at)).status).toBe(404)
    }
  expect([await list(stranger, other), (await list(client)).map(({ name }) => name)]).toEqual([
    [],
    ['Paid', 'Shared'],
  ])
  const { key } = await service.makeKey(merchantID)
  const byKey = await fetch(`${service.url}/dashboard-api/merchants/${merchantID}/lists/views`, {
    headers: { 'X-API-Key': key },
  })
  expect(byKey.status).toBe(401)
})

it('everyone sees a shared view with its owner; only its owner and those who may change the team change it', async () => {
  const at = await service.makeMerchant()
  const [ann, finance, admin] = [
    await member('viewer', at),
    await member('finance', at),
    await member('admin', at),
  ]
  const { id } = (await save(ann.client, { is_shared: true }, at)).body.data
  expect(await list(finance.client, at)).toMatchObject([
    { id, owner_name: ann.email, is_own: false, may_change: false, is_shared: true },
  ])
  for (const answer of [
    await change(finance.client, id, { name: 'x' }, at),
    await change(finance.client, id, { is_shared: false }, at),
    await remove(finance.client, id, at),
  ])
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
  expect(await list(admin.client, at)).toMatchObject([{ id, is_own: false, may_change: true }])
  expect((await change(admin.client, id, { name: 'Ours' }, at)).body.data).toMatchObject({ name: 'Ours' })
  expect((await change(ann.client, id, { is_shared: false }, at)).status).toBe(200)
  expect([await list(finance.client, at), await list(admin.client, at)]).toEqual([[], []])
})

it('a view of a list that a role may not see is neither saved nor shown, even where it is shared', async () => {
  const at = await service.makeMerchant()
  const [finance, viewer] = [await member('finance', at), await member('viewer', at)]
  const log = { list: 'audit_log', query: 'action=payout.approved', is_shared: true }
  const refused = await save(viewer.client, log, at)
  expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
  const { id } = (await save(finance.client, log, at)).body.data
  expect([await list(viewer.client, at), (await remove(viewer.client, id, at)).status]).toEqual([[], 404])
})

it('who leaves the merchant leaves no view behind, not even a shared one', async () => {
  const at = await service.makeMerchant()
  const [owner, leaver] = [await member('owner', at), await member('viewer', at)]
  await save(leaver.client, { is_shared: true }, at)
  expect(await list(owner.client, at)).toHaveLength(1)
  const path = { merchantID: at, userID: leaver.userId }
  expect((await owner.client.call('removeMember', { path })).status).toBe(200)
  expect([await list(owner.client, at), (await save(leaver.client, {}, at)).status]).toEqual([[], 404])
})

describe('what is refused names the field and what to do', () => {
  let client: DashboardClient
  beforeAll(async () => {
    ;({ client } = await member('viewer'))
    await save(client)
  })

  it.each([
    [{ query: 'https://evil.example/' }, '/query: names a parameter that this list lacks'],
    [{ query: 'status=paid&view=x' }, '/query: names a parameter that this list lacks'],
    [{ query: 'search=%00' }, '/query: has a control character in search'],
    [{ query: '' }, '/query: '],
    [{ query: 'a'.repeat(1001) }, '/query: '],
    [{ name: '' }, '/name: must be more than spaces'],
    [{ name: ' \t ' }, '/name: '],
    [{ name: 'x'.repeat(61) }, '/name: '],
    [{ list: 'settings' }, '/list: '],
    [{ list: '../account' }, '/list: '],
    [{ url: '//evil.example' }, '/url: '],
  ])('%j', async (body, detail) => {
    const answer = await save(client, { name: 'New', ...body })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
    expect(answer.body.error.details).toEqual([expect.stringContaining(detail)])
  })

  it('a name that is taken, when a view is saved and when it is renamed', async () => {
    const { id } = (await save(client, { name: 'Mine' })).body.data
    for (const answer of [
      await save(client, { name: ' PAID' }),
      await change(client, id, { name: 'paid' }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
      expect(answer.body.error.details).toEqual(['/name: is the name of another view of this list'])
    }
    expect((await save(client, { list: 'payouts', query: 'status=failed' })).status).toBe(201)
    expect((await change(client, id, {})).status).toBe(400)
  })
})

it('at most 100 views are saved and 100 shared, however many are asked for at once', async () => {
  const at = await service.makeMerchant()
  const [ann, bob] = [await member('viewer', at), await member('viewer', at)]
  await query(
    service.database.url,
    `insert into saved_views (id, merchant_id, user_id, list, name, query, is_shared)
      select gen_random_uuid(), $1, $2, 'invoices', 'View ' || n, 'status=paid', true from generate_series(1, 98) as n`,
    [at, ann.userId],
  )
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) => save(ann.client, { name: `More ${n}`, is_shared: true }, at)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409])
  expect((await save(bob.client, { is_shared: true }, at)).body.error.message).toBe(
    'A team can share at most 100 views. Delete one, or stop sharing it, first.',
  )
  const { id } = (await save(bob.client, {}, at)).body.data
  expect((await change(bob.client, id, { is_shared: true }, at)).status).toBe(409)
  const full = await save(ann.client, { name: 'One more' }, at)
  expect([full.status, full.body.error.message]).toEqual([
    409,
    'A user can save at most 100 views. Delete one first.',
  ])
})

it('where there are live gates, views work without a second factor, as the lists of the test environment do', async () => {
  const gate = { network: 'bitcoin', environment: 'live', kind: 'bitcoin', chain: 'main' }
  const live = await startTestService({
    config: { gates: [{ ...gate, rpc_url: 'http://user:pass@127.0.0.1:9' }] },
  })
  try {
    const path = { merchantID: await live.makeMerchant() }
    const login = await makePerson(live, { merchantId: path.merchantID, role: 'owner' })
    const client = await signedIn(live, login)
    // Else a list in test would lead its user away, to set one up.
    const saved = await client.call('createSavedView', { path, body: paid })
    expect([saved.status, (await list(client, path.merchantID)).length]).toEqual([201, 1])
    expect((await client.call('getTeam', { path })).body.error.code).toBe('second_factor_required')
  } finally {
    await live.stop()
  }
})

it('only members are let in: no one else sees whether a merchant has views, not even the operator', async () => {
  const operator = await signedIn(service, await makePerson(service, null))
  const { client } = await member('viewer')
  const { id } = (await save(client, { is_shared: true })).body.data
  const path = { merchantID }
  for (const answer of [
    await operator.call('listSavedViews', { path }),
    await save(operator),
    await change(operator, id, { name: 'x' }),
    await remove(operator, id),
  ])
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
})
