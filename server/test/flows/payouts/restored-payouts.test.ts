import { afterEach, beforeEach, expect, it } from 'vitest'
import { copyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/database.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/processes/temporary-folder.ts'
import { expectCleanBooks, newAddress, payOutTo, until, untilSettled } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, Shop } from '../../support/shop/shop.ts'

let folder: TemporaryFolder
let databases: TestDatabase[]
let service: TestService | null
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  databases = [await createTestDatabase()]
  service = null
})
afterEach(async () => {
  await stop()
  for (const database of databases) await database.drop()
  await folder.remove()
})

async function stop(): Promise<void> {
  await service?.stop()
  service = null
}

async function runOn(database: TestDatabase | undefined): Promise<TestService> {
  await stop()
  service = await startTestService({
    ...quiet,
    ...(database !== undefined && { database }),
    env: { ...quiet.env, SLUICE_DATA_DIR: folder.path },
  })
  return service
}

/** Copies the database, and continues with the original. */
async function backUp(shop: Shop): Promise<{ backup: TestDatabase; later: Shop }> {
  await stop()
  const backup = await copyDatabase(databases[0] as TestDatabase)
  databases.push(backup)
  return { backup, later: new Shop(await runOn(databases[0]), shop.merchantId, shop.key) }
}

const networks = [
  ['bitcoin', 'BTC'],
  ['ethereum', 'ETH'],
] as const

// docs/operating/wallets.md, "After a restore" and "A drill".
it('after a restore and a reconcile, payouts continue and the audit is clean, although payouts were made after the backup', async () => {
  const first = await openShop(await runOn(databases[0]))
  for (const [network, currency] of networks) await first.fund('1', currency, network)
  const { backup, later } = await backUp(first)
  for (const [network, currency] of networks)
    for (let nth = 0; nth < 2; nth++)
      await until(later, await payOutTo(later, network, { currency, amount: '0.1' }), 'completed')
  for (const [network] of networks) await untilSettled(later.service, network)
  await stop()

  const env = { SLUICE_DATA_DIR: folder.path, DATABASE_URL: backup.serviceUrl }
  const asked = await runCommand(['wallet', 'reconcile', '--json'], env)
  expect(asked.code).toBe(1)
  const lost = JSON.parse(asked.stdout).transactions.filter(
    ({ kind, outcome }: { kind: string; outcome: string }) => kind === 'payout' && outcome === 'unresolved',
  )
  expect(lost).toHaveLength(4)
  const accepted = lost.flatMap(({ tx_hash }: { tx_hash: string }) => ['--accept', tx_hash])
  await runCommand(['wallet', 'reconcile', '--json', ...accepted], env)

  const restored = new Shop(await runOn(backup), first.merchantId, first.key)
  for (const [network, currency] of networks) {
    const payout = await payOutTo(restored, network, { currency, amount: '0.2' })
    await until(restored, payout, 'completed')
    await untilSettled(restored.service, network)
  }
  await expectCleanBooks(restored.service)
})

it('after a restore the signer restores signed payouts by itself, and until then others on that network wait with a reason', async () => {
  const first = await openShop(await runOn(databases[0]))
  const made = []
  for (const [network, currency] of networks) {
    await first.fund('1', currency, network)
    const destination = await newAddress(network)
    made.push(await first.payOut({ network, currency, destination, amount: '0.1' }))
  }
  const { backup, later } = await backUp(first)
  const paid = new Map<string, string>()
  for (const payout of made) {
    expect((await later.approve(payout)).status).toBe(200)
    paid.set(payout.id, (await until(later, payout, 'completed')).tx_hash)
    await untilSettled(later.service, payout.network)
  }

  const restored = new Shop(await runOn(backup), first.merchantId, first.key)
  const others = []
  for (const [network, currency] of networks)
    others.push(await payOutTo(restored, network, { currency, amount: '0.2' }))
  for (const payout of others)
    await expect
      .poll(async () => (await restored.payout(payout)).waiting_reason)
      .toMatch('npx sluice wallet reconcile')
  for (const payout of made) expect((await restored.approve(payout)).status).toBe(200)
  for (const payout of made)
    expect((await until(restored, payout, 'completed')).tx_hash).toBe(paid.get(payout.id))
  for (const payout of others) {
    await until(restored, payout, 'completed')
    await untilSettled(restored.service, payout.network)
  }
  await expectCleanBooks(restored.service)
})
