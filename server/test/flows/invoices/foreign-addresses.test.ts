import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditEverything } from '../../../src/app/audit/audit-everything.ts'
import { createLog } from '../../../src/log.ts'
import { readSettings } from '../../../src/settings/settings.ts'
import { startService } from '../../../src/wire.ts'
import { query } from '../../support/database/database.ts'
import { openPage } from '../../support/shop/checkout-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

// The attacker has the database's password: they may insert and change rows. Each network is attacked in one test.
let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
})
afterAll(() => service.stop())

const attack = (statement: string, values: readonly unknown[] = []) =>
  query<Record<string, unknown>>(service.database.url, statement, values)

/** Puts addresses into a pool, so that the next ones to be handed out are the attacker's. Returns them. */
async function putIntoPool(keychain: string, prefix: string, proof: string | null = null): Promise<string[]> {
  const added = await attack(
    `with pool as (
       select keychain, derived from deposit_address_counters where keychain = $1 for update
     ), moved as (
       update deposit_address_counters as counter set derived = pool.derived + 300, given = pool.derived
       from pool where counter.keychain = pool.keychain
     )
     insert into deposit_addresses (keychain, position, address, tag, proof)
     select pool.keychain, n, $2 || n, '', $3 from pool, generate_series(pool.derived, pool.derived + 299) as n
     returning address`,
    [keychain, prefix, proof],
  )
  return added.map(({ address }) => `${address}`)
}

const refusals = (keychain: string) =>
  service.logged.filter(
    (line) => line.keychain === keychain && /is not ours|no valid proof/i.test(`${line.msg}`),
  )
const offline = { code: 'gate_offline' }

it('addresses put into the pool are never handed out or credited, the network stops, and the operator is told', async () => {
  const thieves = await putIntoPool('bitcoin-test', 'tb1qthief')
  // What this process has in stock already is ours; then the network takes no new business.
  const shown: string[] = []
  for (let last = 201; last === 201 && shown.length < 1_000; ) {
    const { status, body } = await shop.call('createInvoice', { json: { currency: 'BTC', amount: '1' } })
    last = status
    if (status === 201) shown.push(body.data.deposit_address)
    else expect(body.error).toMatchObject(offline)
  }
  expect(shown.filter((address) => thieves.includes(address))).toEqual([])
  await expect
    .poll(() => service.app.gates.status('bitcoin-test'))
    .toMatchObject({ online: false, reason: expect.stringContaining('this wallet has another one there') })
  expect(refusals('bitcoin-test')[0]).toMatchObject({ level: 60 })

  const before = await attack('select count(*) from payments')
  await attack(
    `insert into static_addresses (id, merchant_id, environment, currency, network, gate_id, keychain, deposit_position, address)
     select gen_random_uuid(), $1, 'test', 'BTC', 'bitcoin', 'bitcoin-test', keychain, position, address
     from deposit_addresses where address = $2`,
    [shop.merchantId, thieves[0]],
  )
  await shop
    .deposit({ address: thieves[0], amount: '5', currency: 'BTC', network: 'bitcoin' })
    .catch(() => {})
  await shop.mine(10)
  expect(await attack('select count(*) from payments')).toEqual(before)
  expect(await shop.balance('BTC')).toBeUndefined()
})

it('an address that was changed on an invoice is not shown, by the API or the payment page', async () => {
  const invoice = await shop.create({ currency: 'LTC', amount: '1' })
  expect(invoice.deposit_address).toMatch(/^tltc1/)
  await attack(`update invoices set deposit_address = 'tltc1thief' where id = $1`, [invoice.id])
  expect(await shop.get(invoice)).toMatchObject({ deposit_address: null, payment_uri: null })
  const page = await openPage(invoice.checkout_url)
  expect(page.status).toBe(503)
  expect(page.html).not.toContain('tltc1thief')
})

it('the proof of another address does not make an address ours', async () => {
  const ours = await shop.create({ currency: 'ETH', network: 'ethereum', amount: '1' })
  const invoice = await shop.create({ currency: 'ETH', network: 'ethereum', amount: '1' })
  await attack(
    `update invoices set deposit_address = '0x00000000000000000000000000000000000000aa',
       deposit_address_proof = (select deposit_address_proof from invoices where id = $2)
     where id = $1`,
    [invoice.id, ours.id],
  )
  expect((await shop.get(invoice)).deposit_address).toBeNull()
  expect((await shop.get(ours)).deposit_address).toBe(ours.deposit_address)
})

it('a changed static address is not shown', async () => {
  const address = await shop.createAddress({ currency: 'XRP' })
  await attack(`update static_addresses set address = 'rThief', address_proof = null where id = $1`, [
    address.id,
  ])
  const answer = await shop.call('getAddress', { path: { addressID: address.id } })
  expect(answer.status).toBe(503)
  expect(answer.body.error).toMatchObject(offline)
})

it('an address that only the signer can derive needs its proof', async () => {
  const { deposit_address: ours } = await shop.create({ currency: 'SOL', amount: '1' })
  const thieves = await putIntoPool('solana-test', 'thief', 'AAAAAAAAAAAAAAAAAAAAAA')
  const shown = []
  for (let n = 0; n < 40; n++) {
    const { body } = await shop.call('createInvoice', { json: { currency: 'SOL', amount: '1' } })
    shown.push(body.data?.deposit_address ?? null)
  }
  expect(shown.filter((address) => thieves.includes(address))).toEqual([])
  expect(shown).not.toContain(ours)
  expect(refusals('solana-test')[0]).toMatchObject({ level: 50 })
})

it('a service whose public keys were changed in the database opens no gate', async () => {
  const keys = await attack(`select network, public_key from wallet_keys where environment = 'test'`)
  await attack(`update wallet_keys set public_key = $1 where network = 'bitcoin' and environment = 'test'`, [
    keys.find(({ network }) => network === 'litecoin')?.public_key,
  ])
  const logged: string[] = []
  const settings = readSettings({
    PORT: '0',
    SLUICE_METRICS_PORT: '0',
    DATABASE_URL: service.database.url,
    SLUICE_SECRET_KEY: '5e'.repeat(32),
  })
  const log = createLog('fatal', { write: (line) => logged.push(line) })
  const api = await startService(settings, 'api', log)
  try {
    expect(api.app.gates.list()).toEqual([])
    expect(JSON.parse(logged[0] ?? '{}')).toMatchObject({ environment: 'test', networks: ['bitcoin'] })
  } finally {
    await api.stop()
    for (const { network, public_key } of keys)
      await attack(`update wallet_keys set public_key = $2 where network = $1`, [network, public_key])
  }
})

it('the audit names every address that is not ours', async () => {
  const { ok, differences } = await auditEverything(service.app)
  expect(ok).toBe(false)
  expect(differences.filter((line) => line.includes('thief'))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /of bitcoin-test: tb1qthief\d+ is not ours: the wallet has another address there/,
      ),
      expect.stringMatching(/of solana-test: thief\d+ has a wrong proof/),
    ]),
  )
  expect(differences).toContainEqual('and 280 more addresses of bitcoin-test that are not ours')
})
