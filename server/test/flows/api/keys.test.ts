import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let first: TestService
let second: TestService
beforeAll(async () => {
  first = await startTestService()
  second = await startTestService({ database: first.database })
})
afterAll(async () => {
  await second.stop()
  await first.stop()
})

const status = async (service: TestService, key: string) =>
  (await call(service.url, 'listEvents', { key })).status

it('a key revoked on one process is refused by every other within 5 seconds', async () => {
  const { keyId, key } = await first.makeKey(await first.makeMerchant())
  expect([await status(first, key), await status(second, key)]).toEqual([200, 200])
  await first.app.store.apiKeys.revoke(keyId)
  await expect.poll(() => status(second, key), { timeout: 5_000, interval: 50 }).toBe(401)
})

it('a revocation takes effect in time even without a notification and with the key in constant use', async () => {
  const { keyId, key } = await first.makeKey(await first.makeMerchant())
  expect(await status(second, key)).toBe(200)
  await query(first.database.url, 'alter table api_keys disable trigger announce_api_key_change')
  try {
    await first.app.store.apiKeys.revoke(keyId)
    await expect.poll(() => status(second, key), { timeout: 5_000, interval: 50 }).toBe(401)
  } finally {
    await query(first.database.url, 'alter table api_keys enable trigger announce_api_key_change')
  }
})

it('a new key works at once everywhere', async () => {
  const { key } = await first.makeKey(await first.makeMerchant())
  expect([await status(second, key), await status(first, key)]).toEqual([200, 200])
})

it('a key’s new permissions take effect within 5 seconds', async () => {
  const { keyId, key } = await first.makeKey(await first.makeMerchant(), { permissions: ['balances:read'] })
  expect(await status(second, key)).toBe(403)
  await query(first.database.url, `update api_keys set permissions = '{events:read}' where id = $1`, [keyId])
  await expect.poll(() => status(second, key), { timeout: 5_000, interval: 50 }).toBe(200)
})

it('the database holds no key, only its hash and a hint', async () => {
  const { keyId, key } = await first.makeKey(await first.makeMerchant())
  const [row] = await query<{ text: string }>(
    first.database.url,
    'select api_keys::text as text from api_keys where id = $1',
    [keyId],
  )
  expect(row?.text).toContain(key.slice(-4))
  expect(row?.text).not.toContain(key.slice(-8))
})
