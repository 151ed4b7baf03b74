import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { journalPath } from '../../src/signer/journal.ts'
import { query } from '../support/database/database.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { arrivals, expectCleanBooks, newAddress, until, untilSettled } from '../support/shop/money-out.ts'
import { openShop, Shop } from '../support/shop/shop.ts'
import { makeGround, runOn, untilStored } from './ground.ts'

let ground: Awaited<ReturnType<typeof makeGround>>
let running: Awaited<ReturnType<typeof runOn>> | null
let follower: ReturnType<typeof ground.follow> | null
beforeEach(async () => {
  ground = await makeGround()
  running = null
  follower = null
})
afterEach(async () => {
  await follower?.kill()
  await stop()
  await ground.remove()
})

async function stop(): Promise<void> {
  await running?.stop()
  running = null
}

async function start(dataDir: string): Promise<typeof running & object> {
  await stop()
  running = await runOn(ground.at(dataDir))
  return running
}

const now = async (url: string): Promise<Date> =>
  (await query(url, 'select clock_timestamp() as now'))[0]?.now as Date

// docs/operating/backups.md, "The drill".
it('a database restored as of a moment before payouts were sent pays none of them a second time', async () => {
  await makeDataFolder(ground.at('data'))
  const first = await start('data')
  const shop = await openShop(first.service)
  follower = ground.follow()
  const [bitcoin, ethereum] = ['bitcoin', 'ethereum'] as const
  await shop.fund('1', 'BTC', bitcoin)
  await shop.fund('1', 'ETH', ethereum)
  const known = await shop.payOut({
    network: bitcoin,
    currency: 'BTC',
    amount: '0.1',
    destination: await newAddress(bitcoin),
  })
  await expect.poll(() => existsSync(join(ground.store, 'log')), { message: follower.said() }).toBe(true)
  // Behind the base backup, so that the restore has a commit to replay.
  const before = await shop.create()
  const moment = await now(first.postgres.superuserUrl)

  // What the restored database will know nothing of: an invoice, an approval, a payout, and two transactions.
  const after = await shop.create()
  expect((await shop.approve(known)).status).toBe(200)
  const sent = await until(shop, known, 'completed')
  const destination = await newAddress(ethereum)
  const forgotten = await shop.payOut({ network: ethereum, currency: 'ETH', amount: '0.1', destination })
  expect((await shop.approve(forgotten)).status).toBe(200)
  const lost = await until(shop, forgotten, 'completed')
  for (const network of [bitcoin, ethereum]) await untilSettled(first.service, network)
  await untilStored(first.postgres.superuserUrl)
  await follower.end()
  follower = null
  const journal = await readFile(journalPath(ground.at('data'), 'test'), 'utf8')
  await stop()

  // The newest state is right, and the copy it was tested on is gone.
  const scratch = ground.at('')
  const verified = await ground.told(
    ['backup', 'verify', '--identity', ground.identityFile, '--scratch', scratch],
    'data',
  )
  expect(verified).toMatchObject({ ok: true, differences: [], everything: true })
  expect(readdirSync(scratch).filter((name) => name.startsWith('sluice-verify-'))).toEqual([])

  // The disaster. The database goes back, the journal does not.
  const at = moment.toISOString()
  const restored = await ground.told(
    ['restore', '--identity', ground.identityFile, '--data', ground.at('restored'), '--at', at],
    'data',
  )
  expect(Date.parse(restored.last_commit)).toBeLessThanOrEqual(moment.getTime())
  expect(restored.everything).toBe(false)
  expect(await readFile(journalPath(ground.at('restored'), 'test'), 'utf8')).toBe(journal)
  expect((await readFile(ground.at('restored/secret-key'), 'utf8')).trim()).toBe('5e'.repeat(32))

  const second = await start('restored')
  const later = new Shop(second.service, shop.merchantId, shop.key)
  expect((await later.get(before)).id).toBe(before.id)
  expect((await later.call('getInvoice', { path: { invoiceID: after.id } })).status).toBe(404)
  expect((await later.payout(known)).status).toBe('pending_approval')
  expect((await later.call('getPayout', { path: { payoutID: forgotten.id } })).status).toBe(404)

  // Staff approve the same payout once more, and request the forgotten one anew.
  expect((await later.approve(known)).status).toBe(200)
  const again = await later.payOut({ network: ethereum, currency: 'ETH', amount: '0.1', destination })
  expect((await later.approve(again)).status).toBe(200)
  expect((await until(later, known, 'completed')).tx_hash).toBe(sent.tx_hash)
  await expect
    .poll(async () => (await later.payout(again)).waiting_reason)
    .toMatch('npx sluice wallet reconcile')
  await later.cancelPayout(again)
  await stop()
  // The simulated chain went back with the database, and must first mine the sweep again that funds the forgotten payout. The
  // signer continues by itself once it has.
  const { stdout } = await ground.run(['wallet', 'reconcile', '--json', '--accept', lost.tx_hash], 'restored')
  expect(JSON.parse(stdout).transactions).toEqual([expect.objectContaining({ tx_hash: lost.tx_hash })])

  // What was paid before the disaster arrives once, by the transaction of then, and payouts go on.
  const third = await start('restored')
  const last = new Shop(third.service, shop.merchantId, shop.key)
  const next = await last.payOut({
    network: ethereum,
    currency: 'ETH',
    amount: '0.2',
    destination: await newAddress(ethereum),
  })
  expect((await last.approve(next)).status).toBe(200)
  await until(last, next, 'completed')
  for (const network of [bitcoin, ethereum]) await untilSettled(third.service, network)
  const hashes = async (network: string, address: string) =>
    (await arrivals(third.service, network, address)).map(({ hash }) => hash)
  expect(await hashes(bitcoin, known.destination)).toEqual([sent.tx_hash])
  expect(await hashes(ethereum, destination)).toEqual([lost.tx_hash])
  await expectCleanBooks(third.service)
})
