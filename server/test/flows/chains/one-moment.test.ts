import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { doJobs } from '../../../src/app/chain/do-jobs.ts'
import { query } from '../../support/database/database.ts'
import { call } from '../../support/shop/contract-client.ts'
import { fewNetworks } from '../../support/shop/registry.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let key: string

beforeAll(async () => {
  service = await startTestService({ networks: fewNetworks, env: { SLUICE_SANDBOX_BLOCK_SECONDS: '0' } })
  key = (await service.makeKey(await service.makeMerchant())).key
})
afterAll(async () => {
  await service.stop()
})

it('an invoice is assessed on one snapshot: a scan that ends meanwhile counts only together with its payments', async () => {
  const { id } = (
    await call(service.url, 'createInvoice', {
      key,
      body: JSON.stringify({ currency: 'BTC', amount: '0.001' }),
    })
  ).body.data
  const { url } = service.database
  const follower = new pg.Client({ connectionString: url })
  await follower.connect()
  await follower.query('begin')
  await follower.query('lock table followed_chains in access exclusive mode')
  // Its window has just ended, and a worker starts to assess it.
  await query(
    url,
    `update invoices set expires_at = clock_timestamp(), due_at = clock_timestamp() where id = $1`,
    [id],
  )
  await query(
    url,
    `insert into jobs (kind, subject, gate_id) values ('assess_invoice', $1, 'bitcoin-test')`,
    [id],
  )
  const assessed = doJobs(service.app)
  await expect
    .poll(() =>
      query(
        url,
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%height as tip%'`,
      ),
    )
    .toHaveLength(1)
  // Meanwhile the follower processes a block from inside the window and records a later scan.
  await follower.query(
    `insert into payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address,
       invoice_id, required_confirmations, seen_at, waiting, block_height, block_hash)
     select $1, gate_id, $2, 0, 'test', 'BTC', 'bitcoin', 8, amount_units, deposit_address, id, 2, created_at, false,
       (select height from followed_chains where gate_id = 'bitcoin-test'),
       (select hash from followed_chains where gate_id = 'bitcoin-test')
     from invoices where id = $3`,
    [randomUUID(), 'ab'.repeat(32), id],
  )
  await follower.query(
    `update followed_chains set scanned_at = clock_timestamp(), revision = revision + 1 where gate_id = 'bitcoin-test'`,
  )
  await follower.query('update jobs set version = version + 1 where subject = $1', [id])
  await follower.query('commit')
  await follower.end()

  await assessed
  await expect.poll(() => query(url, 'select from jobs where subject = $1', [id])).toEqual([])
  const { data } = (await call(service.url, 'getInvoice', { key, path: { invoiceID: id } })).body
  expect(data.status).toBe('pending')
  expect(data.amount_pending).toBe('0.001')
  expect(await query(url, `select from events where event = 'invoice.expired'`)).toEqual([])
})
