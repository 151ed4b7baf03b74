import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { journalPath } from '../../../src/signer/journal.ts'
import {
  copyDatabase,
  createTestDatabase,
  query,
  type TestDatabase,
} from '../../support/database/database.ts'
import { runSluice } from '../../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/processes/temporary-folder.ts'
import { networkOf } from '../../support/shop/registry.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, Shop, settle } from '../../support/shop/shop.ts'

let folder: TemporaryFolder
let databases: TestDatabase[]
let service: TestService | null
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  databases = [await createTestDatabase()]
  service = null
})
afterEach(async () => {
  await service?.stop()
  for (const database of databases) await database.drop()
  await folder.remove()
})

const currencies = ['BTC', 'LTC', 'ETH', 'SOL', 'XRP']
const networks = ['bitcoin', 'litecoin', 'ethereum', 'solana', 'xrp'].map(networkOf)

/** Continues with a database, and with the wallet folder as it is. */
async function runOn(database: TestDatabase | undefined): Promise<TestService> {
  await stop()
  service = await startTestService({
    ...quiet,
    ...(database !== undefined && { database }),
    networks,
    env: { ...quiet.env, SLUICE_DATA_DIR: folder.path },
  })
  return service
}

async function stop(): Promise<void> {
  await service?.stop()
  service = null
}

async function backUp(): Promise<TestDatabase> {
  await stop()
  const backup = await copyDatabase(databases[0] as TestDatabase)
  databases.push(backup)
  return backup
}

const env = (database: TestDatabase) => ({ SLUICE_DATA_DIR: folder.path, DATABASE_URL: database.serviceUrl })
const askFor = (shop: Shop, currency: string) =>
  shop.call('createInvoice', { json: { currency, amount: '1' } })

/** The addresses that the payers of this many invoices pay to. */
async function placesOf(shop: Shop, currency: string, count: number): Promise<string[]> {
  const places: string[] = []
  for (let nth = 0; nth < count; nth++) {
    let answer = await askFor(shop, currency)
    // Addresses that only the seed can derive may take a moment.
    await expect
      .poll(async () => {
        if (answer.status !== 201) answer = await askFor(shop, currency)
        return answer.status
      })
      .toBe(201)
    const { deposit_address, deposit_address_tag } = answer.body.data
    places.push(`${deposit_address} ${deposit_address_tag ?? ''}`)
  }
  return places
}

it('after a restore no address is given out twice, and payments to forgotten addresses are recognised', async () => {
  const first = await openShop(await runOn(databases[0]))
  const given = new Map<string, string[]>()
  for (const currency of currencies) given.set(currency, await placesOf(first, currency, 2))
  const backup = await backUp()
  const later = new Shop(await runOn(databases[0]), first.merchantId, first.key)
  const forgotten = new Map<string, string[]>()
  for (const currency of currencies) forgotten.set(currency, await placesOf(later, currency, 12))

  // The database server was not restarted: apart from the addresses that processes held, positions continue.
  const reached = await query(databases[0]?.url ?? '', 'select max(deposit_position) as at from invoices')
  expect(Number(reached[0]?.at)).toBeLessThan(60)

  const restored = new Shop(await runOn(backup), first.merchantId, first.key)
  for (const currency of currencies) {
    const before = [...(given.get(currency) ?? []), ...(forgotten.get(currency) ?? [])]
    const after = await placesOf(restored, currency, 12)
    expect(new Set([...before, ...after]).size, currency).toBe(26)
  }
  expect(restored.service.logged.map(({ msg }) => msg)).toContainEqual(expect.stringContaining('are skipped'))

  // A payer kept the page of an invoice that the database has forgotten, and pays now.
  const [address] = forgotten.get('BTC')?.[0]?.split(' ') ?? []
  await restored.service.app.store.simulatedChains.submit('bitcoin-test', {
    feeUnits: 1_000n,
    outputs: [{ currency: 'BTC', address: address ?? '', tag: null, units: 100_000n }],
    makeTransaction: () => ({ hash: 'd'.repeat(64), bytes: null }),
  })
  await restored.mine(2)
  await settle(restored.service, 'bitcoin-test')
  expect(
    await query(backup.url, 'select suspense_reason from payments where address = $1', [address]),
  ).toHaveLength(1)
})

describe('without the journal', () => {
  it('no address is given out after a restore until the operator says how many to skip', async () => {
    const shop = await openShop(await runOn(databases[0]))
    const given = await placesOf(shop, 'BTC', 2)
    const backup = await backUp()
    const later = new Shop(await runOn(databases[0]), shop.merchantId, shop.key)
    const forgotten = await placesOf(later, 'BTC', 20)
    await stop()
    await rm(journalPath(folder.path, 'test'))

    const held = new Shop(await runOn(backup), shop.merchantId, shop.key)
    const refused = await askFor(held, 'BTC')
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'gate_offline' } } })
    expect(held.service.logged).toContainEqual(
      expect.objectContaining({ msg: 'NO DEPOSIT ADDRESSES ARE GIVEN', keychain: 'bitcoin-test' }),
    )
    await stop()
    const asked = await runSluice(['wallet', 'reconcile', '--json'], env(backup))
    expect(asked.code).toBe(1)
    expect(JSON.parse(asked.stdout).addresses).toContainEqual(
      expect.objectContaining({ keychain: 'bitcoin-test', outcome: 'unresolved' }),
    )
    const told = await runSluice(['wallet', 'reconcile', '--skip-addresses', '50', '--json'], env(backup))
    expect(told.code, told.stderr).toBe(0)
    expect(JSON.parse(told.stdout).addresses).toContainEqual(
      expect.objectContaining({ keychain: 'bitcoin-test', outcome: 'skipped' }),
    )
    const settled = new Shop(await runOn(backup), shop.merchantId, shop.key)
    const after = await placesOf(settled, 'BTC', 2)
    expect(new Set([...given, ...forgotten, ...after]).size).toBe(24)
  })
})
