/**
 * What one invoice, one deposit and one webhook use: processor time of the service and of PostgreSQL, rows, bytes on disk and
 * bytes of WAL. Not a ratio: docs/operating/scale.md says what a machine carries from it.
 */
import { join } from 'node:path'
import { invoiceCreator } from '../../server/src/app/invoices/create-invoice.ts'
import { createDeliverer } from '../../server/src/app/webhooks/deliver.ts'
import type { Caller } from '../../server/src/domain/caller.ts'
import { makeTemporaryFolder } from '../../server/test/support/processes/temporary-folder.ts'
import { makeEndpoint, webhookEnv } from '../../server/test/support/shop/webhook-shop.ts'
import { type BenchApp, openBenchApp } from '../follow/app.ts'
import { startServer } from '../load.ts'
import type { Ratio } from '../measure.ts'
import { ownDatabase } from '../scale/fill.ts'
import { openChain } from '../scale/follow.ts'
import { withDatabase } from '../service.ts'
import { type Reading, readMeters } from './meter.ts'

const invoices = 4_000
const warmUp = 800
const atOnce = 32
const perBlock = 40

export async function run(): Promise<Record<string, Ratio>> {
  const folder = await makeTemporaryFolder('sluice-bench-', 'disk')
  const bench = await openBenchApp(folder.path, {}, webhookEnv)
  const receiver = await startServer<{ url: string }>(
    [join(import.meta.dirname, '../webhooks/receiver.ts')],
    {},
  )
  try {
    await makeEndpoint(bench.app, bench.merchantId, `${receiver.ready.url}/hook`)
    // In place of the signer, which is not part of this.
    await bench.app.store.addressGrants.put([
      { keychain: 'bitcoin-test', first: 0, below: 1_000_000, stamp: 'bench' },
    ])
    console.log('of one:      ours, ms  PostgreSQL, ms    rows   bytes  WAL bytes')
    await createInvoices(bench, warmUp)
    await metered(bench, 'invoice', invoices, () => createInvoices(bench, invoices))
    await deliverAll(bench)
    const chain = await openChain(bench)
    for (let block = 0; block < warmUp / perBlock; block++) await chain.follow()
    // Payments count from their second block on, so as many are credited as are seen.
    await metered(bench, 'deposit', invoices - perBlock, async () => {
      for (let block = 0; block < (invoices - perBlock) / perBlock; block++) await chain.follow()
    })
    const waiting = await withDatabase(bench.url, async (client) => {
      const { rows } = await client.query(`select from webhook_deliveries where status = 'pending'`)
      return rows.length
    })
    await metered(bench, 'webhook', waiting, () => deliverAll(bench))
    return {}
  } finally {
    await receiver.stop()
    await bench.close()
    await folder.remove()
  }
}

async function metered(
  bench: BenchApp,
  name: string,
  count: number,
  work: () => Promise<void>,
): Promise<void> {
  const url = ownDatabase(bench.superuserUrl)
  const before = await readMeters(url)
  const startedAt = performance.now()
  await work()
  const perSecond = count / ((performance.now() - startedAt) / 1_000)
  const after = await readMeters(url)
  const each = (of: keyof Reading, digits: number) => ((after[of] - before[of]) / count).toFixed(digits)
  const cells = [
    each('ownMs', 2),
    each('databaseMs', 2),
    each('rows', 1),
    each('bytes', 0),
    each('walBytes', 0),
  ]
  const widths = [12, 16, 8, 8, 11]
  const shown = cells.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('')
  console.log(`${name.padEnd(9)}${shown}   (${count} at ${perSecond.toFixed(0)}/s)`)
}

/** Bitcoin invoices by the use case, without HTTP: it derives their addresses too. */
async function createInvoices({ app, merchantId }: BenchApp, count: number): Promise<void> {
  const create = invoiceCreator(app)
  const merchant = { baseCurrency: 'USD', feeBps: 50, payoutFeeBps: 0, refundFeeBps: 0, toleranceBps: 0 }
  const caller: Caller = {
    actor: 'key:bench',
    person: null,
    merchantId,
    environment: 'test',
    permissions: new Set(),
    merchant,
  }
  let left = count
  const body = { currency: 'BTC', amount: '0.0015', metadata: { customer: 'c-1234' } }
  const request = {
    currency: 'BTC',
    network: null,
    amount: '0.0015',
    amountFiat: null,
    fiatCurrency: null,
    deferred: null,
    description: 'Order 1234',
    externalId: 'order-1234',
    metadata: body.metadata,
    redirectUrl: null,
    expiresIn: null,
    idempotencyKey: null,
  }
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await create(caller, request, body)
    }),
  )
}

async function deliverAll({ app }: BenchApp): Promise<void> {
  let failure: unknown = null
  const deliverer = createDeliverer(app, {
    onFinished: () => {},
    onError: (error) => {
      failure = error
    },
  })
  for (let started = -1; started !== 0; ) {
    started = await deliverer.start()
    await deliverer.settled()
    if (failure !== null) throw failure
  }
}
