import { afterEach, beforeEach, expect, it } from 'vitest'
import { bookSuspense } from '../../../src/app/chain/book-suspense.ts'
import { doJobs } from '../../../src/app/chain/do-jobs.ts'
import { followChain } from '../../../src/app/chain/follow-chain.ts'
import { assessInvoices } from '../../../src/app/invoices/assess-invoices.ts'
import { expireDue } from '../../../src/app/invoices/expire-due.ts'
import type { Store } from '../../../src/store/store.ts'
import { type ChainBench, openChainBench, priceOn, transferTo } from '../../support/nodes/chain-bench.ts'
import { signal } from '../../support/nodes/scripted-gate.ts'

let bench: ChainBench
beforeEach(async () => {
  bench = await openChainBench()
})
afterEach(() => bench.close())

/** The store; right after the first read of the chain's state through it, `meanwhile` happens, as if by another process. */
function interrupted(store: Store, meanwhile: () => Promise<unknown>): Store {
  let isDone = false
  const after = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>
        return async (...given: unknown[]) => {
          const result = await method(...given)
          if (!isDone) {
            isDone = true
            await meanwhile()
          }
          return result
        }
      },
    })
  return { ...store, payments: after(store.payments), followedChains: after(store.followedChains) }
}

it('a payment that a reorganisation removes during the assessment is not credited', async () => {
  const { gate, script } = await bench.follow()
  const { id, place } = await bench.makeInvoice(gate)
  script.mine(1, [transferTo(gate, place)])
  await bench.settle(gate)
  expect(await bench.statusOf(id)).toBe('pending')
  await bench.app.transaction((tx) =>
    assessInvoices(
      bench.app,
      interrupted(tx, async () => {
        script.fork(1, 3)
        await bench.catchUp(gate, bench.process())
      }),
      [id],
    ),
  )
  await doJobs(bench.app)
  expect(await bench.statusOf(id)).toBe('pending')
  expect(await bench.eventsOf(id)).toEqual(['invoice.payment_detected'])
})

it('a payment that a reorganisation moves during the assessment, deep enough before and after, is not reversed', async () => {
  const { gate, script } = await bench.follow()
  const { id, place } = await bench.makeInvoice(gate)
  const payment = transferTo(gate, place)
  script.mine(2, [payment])
  await bench.settle(gate)
  expect(await bench.statusOf(id)).toBe('paid')
  const events = await bench.eventsOf(id)
  await bench.app.transaction((tx) =>
    assessInvoices(
      bench.app,
      interrupted(tx, async () => {
        script.fork(2, 1)
        script.mine(4, [payment])
        await bench.catchUp(gate, bench.process())
      }),
      [id],
    ),
  )
  await doJobs(bench.app)
  expect(await bench.eventsOf(id)).toEqual(events)
})

it('an invoice does not expire by a scan that shows its payment', async () => {
  const { gate, script } = await bench.follow()
  const { id, place } = await bench.makeInvoice(gate, { windowSeconds: 0 })
  await bench.app.transaction((tx) =>
    assessInvoices(
      bench.app,
      interrupted(tx, async () => {
        // In an old block, so it was in time; and the scan is later than the window.
        script.mine(1, [transferTo(gate, place)])
        await bench.catchUp(gate, bench.process())
      }),
      [id],
    ),
  )
  script.mine(1)
  await bench.settle(gate)
  expect(await bench.statusOf(id)).toBe('paid')
})

it('a suspense booking that hung does not book a payment that has vanished meanwhile', async () => {
  const { gate, script } = await bench.follow()
  const place = await bench.makeAddress(gate)
  script.mine(2, [transferTo(gate, place)])
  await bench.catchUp(gate)
  const [payment] = await bench.sql<{ id: string }>('select id from payments')
  const id = payment?.id ?? ''
  const reached = signal()
  const resume = signal()
  const stale = bench.app.transaction(async (tx) => {
    const held: Store = {
      ...tx,
      ledger: {
        ...tx.ledger,
        post: async (...given) => {
          reached.give()
          await resume.given
          return tx.ledger.post(...given)
        },
      },
    }
    await bookSuspense(bench.app, held, [id])
  })
  await reached.given
  script.fork(2, 3)
  const others = bench.catchUp(gate, bench.process()).then(() => doJobs(bench.process()))
  await bench.doneOrBlocked(others)
  resume.give()
  await stale.catch(() => {})
  await others
  await doJobs(bench.app)
  const sums = await bench.sql(`select kind, balance_units from ledger_accounts where balance_units <> 0`)
  expect(sums).toEqual([])
  expect(await bench.sql('select credited from payment_bookings')).not.toContainEqual({ credited: true })
})

it('a deposit to a static address is processed although its merchant has set the network offline', async () => {
  const { gate, script } = await bench.follow()
  const place = await bench.makeAddress(gate)
  const other = await bench.makeInvoice(gate)
  await bench.sql(
    `insert into static_addresses (id, merchant_id, environment, currency, network, gate_id, keychain,
       deposit_position, address)
     values (gen_random_uuid(), $1, 'test', 'BTC', 'bitcoin', $2, 'bitcoin-test', $3, $4)`,
    [bench.merchantId, gate.id, place.position, place.address],
  )
  await bench.app.store.gatesOffline.set(
    { merchantId: bench.merchantId, environment: 'test' } as never,
    gate.id,
    true,
  )
  script.mine(2, [transferTo(gate, place), transferTo(gate, other.place)])
  await bench.settle(gate)
  expect(await bench.statusOf(other.id)).toBe('paid')
  expect(
    await bench.sql(`select status, amount_units from invoices where source = 'static_address'`),
  ).toEqual([{ status: 'paid', amount_units: String(priceOn(gate)) }])
})

it('a job that fails is postponed and reported, and all other jobs are done', async () => {
  const { gate, script } = await bench.follow()
  const invoices = []
  for (let n = 0; n < 60; n++) invoices.push(await bench.makeInvoice(gate))
  const poisoned = invoices[17]?.id ?? ''
  script.mine(
    2,
    invoices.map(({ place }) => transferTo(gate, place)),
  )
  await bench.catchUp(gate)
  const broken = bench.process({
    present: {
      ...bench.app.present,
      invoice: (invoice) => {
        if (invoice.id === poisoned) throw new Error('cannot be shown')
        return bench.app.present.invoice(invoice)
      },
    },
  })
  const [start] = await bench.sql<{ now: Date }>('select clock_timestamp() as now')
  expect(await doJobs(broken)).toBe(59)
  // On a slow machine its turn may come again before the other jobs are done.
  expect(new Set(bench.failures.map(({ subject }) => subject))).toEqual(new Set([poisoned]))
  expect(bench.failures[0]?.error).toEqual(new Error('cannot be shown'))
  const open = `select subject, claimed_until, due_at >= $1::timestamptz + interval '1 second' as later from jobs`
  expect(await bench.sql(open, [start?.now])).toEqual([
    { subject: poisoned, claimed_until: null, later: true },
  ])
  const paid = await bench.sql(`select id from invoices where status = 'paid'`)
  expect(paid).toHaveLength(59)

  // When it is due again and nothing is wrong any more, it is done.
  await bench.sql('update jobs set due_at = clock_timestamp()')
  expect(await doJobs(bench.app)).toBe(1)
  expect(await bench.statusOf(poisoned)).toBe('paid')
})

it('a failing job requested by the clock is postponed too, and not requested again at once', async () => {
  const { gate, script } = await bench.follow()
  const { id } = await bench.makeInvoice(gate, { windowSeconds: -1 })
  script.mine(1)
  await bench.catchUp(gate)
  const broken = bench.process({
    present: {
      ...bench.app.present,
      invoice: () => {
        throw new Error('cannot be shown')
      },
    },
  })
  expect(await expireDue(broken)).toBe(1)
  await doJobs(broken)
  expect(bench.failures[0]?.subject).toBe(id)
  const putOff = await bench.sql('select due_at from jobs')
  expect(putOff).toHaveLength(1)
  expect(await expireDue(broken)).toBe(0)
  expect(await bench.sql('select due_at from jobs')).toEqual(putOff)
  await bench.sql('update jobs set due_at = clock_timestamp()')
  await doJobs(bench.app)
  expect(await bench.statusOf(id)).toBe('expired')
})

it('a job claimed by a killed worker is taken over when the claim expires', async () => {
  const { gate, script } = await bench.follow()
  const { id, place } = await bench.makeInvoice(gate)
  script.mine(2, [transferTo(gate, place)])
  await bench.catchUp(gate)
  expect(await bench.app.store.jobs.claim('assess_invoice', 10, 60_000)).toHaveLength(1)
  expect(await doJobs(bench.app)).toBe(0)
  expect(await bench.statusOf(id)).toBe('pending')
  await bench.sql(`update jobs set claimed_until = clock_timestamp() - interval '1 second'`)
  expect(await doJobs(bench.app)).toBe(1)
  expect(await bench.statusOf(id)).toBe('paid')
})

it('a job requested again while it runs is run again', async () => {
  const { gate, script } = await bench.follow()
  const { id, place } = await bench.makeInvoice(gate)
  const payment = transferTo(gate, place)
  script.mempool = [payment]
  await bench.catchUp(gate)
  let times = 0
  let following: Promise<unknown> = Promise.resolve()
  const app = bench.process({
    present: {
      ...bench.app.present,
      invoice: (invoice) => {
        times++
        return bench.app.present.invoice(invoice)
      },
    },
    // While the first assessment is under way, the payment confirms.
    transaction: (run) =>
      bench.app.transaction(async (tx) => {
        const result = await run(tx)
        if (script.mempool.length > 0) {
          script.mempool = []
          script.mine(2, [payment])
          following = bench.catchUp(gate, bench.process())
          await bench.doneOrBlocked(following)
        }
        return result
      }),
  })
  await doJobs(app)
  await following
  await doJobs(app)
  expect(times).toBeGreaterThan(1)
  expect(await bench.statusOf(id)).toBe('paid')
  expect(await bench.sql('select from jobs')).toEqual([])
})

it('many concurrent workers credit every payment once', async () => {
  const { gate, script } = await bench.follow()
  const invoices = []
  for (let n = 0; n < 120; n++) invoices.push(await bench.makeInvoice(gate, { feeBps: 100 }))
  script.mine(
    2,
    invoices.map(({ place }) => transferTo(gate, place)),
  )
  await bench.catchUp(gate)
  const done = await Promise.all(Array.from({ length: 6 }, () => doJobs(bench.process())))
  expect(done.reduce((sum, count) => sum + count)).toBe(120)
  expect(bench.failures).toEqual([])
  expect(await bench.sql(`select count(*) from invoices where status = 'paid'`)).toEqual([{ count: '120' }])
  expect(
    await bench.sql(`select entry_type, count(*) from ledger_transactions group by 1 order by 1`),
  ).toEqual([
    { entry_type: 'deposit', count: '120' },
    { entry_type: 'fee', count: '120' },
  ])
  const [numbers] = await bench.sql('select count(*), max(number) from ledger_entries')
  expect(numbers).toEqual({ count: '240', max: '240' })
})

it('an invoice expires by the database’s clock, and only after a scan later than its window', async () => {
  const { gate } = await bench.follow()
  const over = await bench.makeInvoice(gate, { windowSeconds: 0 })
  const open = await bench.makeInvoice(gate, { windowSeconds: 60 })
  // Processes whose own clocks are years ahead or behind.
  const confused = [new Date('2000-01-01'), new Date('2100-01-01')].map((now) =>
    bench.process({ now: () => now }),
  )
  for (const app of confused) {
    await expireDue(app)
    await doJobs(app)
  }
  expect(await bench.statusOf(over.id)).toBe('pending')
  for (const app of confused) {
    await bench.catchUp(gate, app)
    await expireDue(app)
    await doJobs(app)
  }
  expect(await bench.statusOf(over.id)).toBe('expired')
  expect(await bench.statusOf(open.id)).toBe('pending')
  expect(await bench.eventsOf(over.id)).toEqual(['invoice.expired'])
  expect(await followChain(bench.app, gate, { evenIfHeld: true })).toBe('idle')
})
