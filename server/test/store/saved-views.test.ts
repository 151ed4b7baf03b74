import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import type { SavedView, Viewer } from '../../src/store/people/saved-views.ts'
import { type Store, storeOn } from '../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

let test: TestDatabase
let database: Database
let store: Store
let merchantId: string
let [ann, bob] = ['', '']
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 2)
  store = storeOn(database.db)
})
beforeEach(async () => {
  merchantId = await newMerchant()
  ;[ann, bob] = [await newMember('Ann'), await newMember('Bob')]
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

async function newMerchant(): Promise<string> {
  const id = randomUUID()
  await store.merchants.insert({ id, name: 'Test shop' })
  return id
}
async function newMember(name: string): Promise<string> {
  const id = randomUUID()
  await store.users.insert({ id, email: `${id}@example.com`, name, passwordHash: null, isOperator: false })
  await store.users.setRole(id, merchantId, 'viewer')
  return id
}
const viewer = (userId: string, more: Partial<Viewer> = {}): Viewer => ({
  merchantId,
  userId,
  lists: ['invoices', 'payouts'],
  ...more,
})
async function save(userId: string, more: Partial<SavedView> = {}) {
  const view = {
    id: randomUUID(),
    merchantId,
    userId,
    list: 'invoices',
    name: 'Paid',
    query: 'status=paid',
    isShared: false,
    ...more,
  } as const
  return { view, isSaved: await store.savedViews.insert(view) }
}
const names = async (of: Viewer) => (await store.savedViews.list(of)).map(({ name }) => name)

it('a member sees their own views and those that others share, of lists open to them, by list and name', async () => {
  await save(ann, { list: 'payouts', name: 'c' })
  await save(ann, { name: 'B' })
  await save(ann, { name: 'a' })
  await save(bob, { name: 'private' })
  const { view } = await save(bob, { name: 'shared', isShared: true })
  await save(bob, { name: 'log', list: 'audit_log', isShared: true })
  expect(await names(viewer(ann))).toEqual(['a', 'B', 'shared', 'c'])
  expect(await store.savedViews.find(viewer(ann), view.id)).toEqual({ ...view, ownerName: 'Bob' })
  expect(await store.savedViews.count(merchantId, ann)).toEqual({ own: 3, shared: 2 })
})

it('views of another merchant and private views of another member are neither found nor changed', async () => {
  const { view: secret } = await save(bob)
  const { view: shared } = await save(bob, { name: 'Shared', isShared: true })
  expect(await store.savedViews.find(viewer(ann), secret.id)).toBeNull()
  const elsewhere = viewer(bob, { merchantId: await newMerchant() })
  expect(await store.savedViews.list(elsewhere)).toEqual([])
  for (const { id } of [secret, shared]) {
    expect(await store.savedViews.find(elsewhere, id)).toBeNull()
    const stolen = { ...secret, ownerName: '', id, merchantId: elsewhere.merchantId, name: 'Stolen' }
    expect(await store.savedViews.change(stolen)).toBe(false)
    await store.savedViews.remove(stolen)
  }
  expect(await names(viewer(bob))).toEqual(['Paid', 'Shared'])
})

it('an owner uses a name once for each list, in upper or lower case', async () => {
  const { isSaved } = await save(ann, { name: 'Paid' })
  expect(isSaved).toBe(true)
  expect((await save(ann, { name: 'PAID' })).isSaved).toBe(false)
  expect((await save(ann, { list: 'payouts' })).isSaved).toBe(true)
  expect((await save(bob)).isSaved).toBe(true)
  const { view } = await save(ann, { name: 'Open' })
  const changed = (name: string) => store.savedViews.change({ ...view, ownerName: '', name })
  expect([await changed('paid'), await changed('OPEN'), await changed('Overdue')]).toEqual([
    false,
    true,
    true,
  ])
  expect(await names(viewer(ann))).toEqual(['Overdue', 'Paid', 'Paid'])
})

it('who leaves the merchant takes their views along, and no one else’s', async () => {
  await save(ann, { isShared: true })
  await save(bob)
  await store.members.remove(merchantId, ann)
  const left = await query<{ user_id: string }>(
    test.url,
    'select user_id from saved_views where merchant_id = $1',
    [merchantId],
  )
  expect(left).toEqual([{ user_id: bob }])
})
