import { afterAll, beforeAll, expect, it } from 'vitest'
import { gateId } from '../../../src/domain/networks/network.ts'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { patienceMs } from '../../support/patience.ts'
import { type CallOptions, call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

// A quarter of the payments go to one invoice each, the rest to one address; `npm run soak` runs more.
const paymentCount = Number(process.env.SLUICE_BLOCK_PAYMENTS ?? 400)
const invoiceCount = paymentCount / 4
const staticDeposits = paymentCount - invoiceCount
const bitcoin = gateId('bitcoin', 'test')

let service: TestService
let key: string

beforeAll(async () => {
  service = await startTestService({
    config: { limits: { key_per_minute: 100_000, ip_per_minute: 100_000 } },
    env: { SLUICE_SANDBOX_BLOCK_SECONDS: '0' },
  })
  key = (await service.makeKey(await service.makeMerchant())).key
})
afterAll(async () => {
  await service.stop()
})

const find = (statement: string) => query(service.database.url, statement)

const create = (idempotencyKey: string) =>
  call(service.url, 'createInvoice', {
    key,
    body: JSON.stringify({ currency: 'BTC', amount: '0.001', idempotency_key: idempotencyKey }),
  })

async function inParallel<T>(count: number, lanes: number, run: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < count) {
        const n = next++
        results[n] = await run(n)
      }
    }),
  )
  return results
}

it(`each of ${paymentCount} payments in one block to one merchant is credited once, under concurrent cancels, creates and reads`, async () => {
  const made = await inParallel(invoiceCount + 40, 32, async (n) => (await create(`before-${n}`)).body.data)
  const paid = made.slice(0, invoiceCount)
  const unpaid = made.slice(invoiceCount)
  const address = (
    await call(service.url, 'createAddress', { key, body: JSON.stringify({ currency: 'BTC' }) })
  ).body.data
  const places = [
    ...paid.map(({ deposit_address: place }) => ({ address: place as string, units: 100_000n })),
    ...Array.from({ length: staticDeposits }, (_, n) => ({
      address: address.address as string,
      units: 10_000n + BigInt(n),
    })),
  ]
  const { simulatedChains } = service.app.store
  const { makeTransaction } = service.app.gates.find(bitcoin)?.simulated ?? {}
  if (makeTransaction === undefined) throw new Error('bitcoin-test is simulated')
  // All in one block before it can be followed: the chain is announced when the transaction ends.
  await service.app.transaction(async (tx) => {
    for (let at = 0; at < places.length; at += 100) {
      await tx.simulatedChains.submit(bitcoin, {
        feeUnits: 1n,
        outputs: places
          .slice(at, at + 100)
          .map(({ address: place, units }) => ({ address: place, tag: null, currency: 'BTC', units })),
        makeTransaction,
      })
    }
    await tx.simulatedChains.mine(bitcoin, 1)
  })
  await simulatedChains.mine(bitcoin, 1)

  // Meanwhile the merchant keeps working.
  let over = false
  const status = async (operation: string, options: CallOptions) =>
    (await call(service.url, operation, { key, ...options })).status
  const cancelling = inParallel(unpaid.length, 2, (n) =>
    status('cancelInvoice', { path: { invoiceID: unpaid[n].id } }),
  )
  await expect.poll(async () => (await find(`select from payments`)).length).toBe(paymentCount)
  const refusedCancels = inParallel(20, 1, (n) =>
    status('cancelInvoice', { path: { invoiceID: paid[(n * 37) % invoiceCount].id } }),
  )
  const others = [
    async (n: number) => (await create(`during-${n}`)).status,
    (n: number) => status('getInvoice', { path: { invoiceID: paid[(n * 7) % invoiceCount].id } }),
    () => status('listInvoices', { query: { status: 'paid', limit: '100' } }),
  ].map(async (run) => {
    const statuses = new Set<number>()
    for (let n = 0; !over; n++) statuses.add(await run(n))
    return [...statuses]
  })
  const paidInvoices = async () => (await find(`select from invoices where status = 'paid'`)).length
  await expect.poll(paidInvoices, { timeout: patienceMs, interval: 100 }).toBe(invoiceCount + staticDeposits)
  over = true

  expect(await cancelling).toEqual(unpaid.map(() => 200))
  expect(new Set(await refusedCancels)).toEqual(new Set([409]))
  expect(await Promise.all(others)).toEqual([[201], [200], [200]])
  // A database that is slow under this load is no fault, and it is logged.
  const isSlowness = (line: object) => /"OutageError"|for now/.test(JSON.stringify(line))
  expect(service.logged.filter((line) => Number(line.level) >= 40 && !isSlowness(line))).toEqual([])
  await expectSoundBooks(service.database.url, { settled: true })
  const [balance] = (await call(service.url, 'listBalances', { key })).body.data
  expect(balance.available).toBe(balance.total_received)
  const list = await call(service.url, 'listAddressInvoices', {
    key,
    path: { addressID: address.id },
    query: { limit: '1' },
  })
  expect(list.body.meta.pagination.total).toBe(staticDeposits)
}, 300_000)
