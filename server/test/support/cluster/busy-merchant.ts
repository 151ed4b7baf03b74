import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { expectSoundBooks } from '../database/books.ts'
import { query } from '../database/database.ts'
import { eventually, type HookReceiver } from '../servers/hook-receiver.ts'
import { type Answer, call } from '../shop/contract-client.ts'
import { newAddress } from '../shop/money-out.ts'

type Made = { readonly id: string; readonly at: string }

/**
 * A merchant who makes invoices, whose customers pay, and who pays out, all at once and without end, at any of several
 * API processes. A request that gets no answer is sent again with the same idempotency key until it gets one.
 */
export type BusyMerchant = {
  /** Starts, unless it is at work already. */
  work(): void
  /** Waits for an invoice that was asked for after this call. Returns how many milliseconds that took. */
  nextInvoice(): Promise<number>
  /** Waits until a payout that was asked for after this call is completed. */
  nextPayout(): Promise<void>
  /** The requests so far that got no answer, or one that says that the service failed. */
  failures(): readonly string[]
  /** Stops, and fails unless all that was acknowledged is there, once, and everything else is as it must be. */
  audit(ownerUrl: string, hooks: HookReceiver): Promise<void>
}

const lanes = ['invoice', 'invoice', 'deposit', 'payout', 'read'] as const
/**
 * How long a lane waits before its next request, and before it repeats one that got no answer. A payout costs as much as
 * twenty invoices. More of them than a small machine can make would only wait for each other.
 */
const paces = {
  // Several requests a second: enough for one to meet every moment of a fault.
  steady: { again: 200, invoice: 600, deposit: 1_000, payout: 4_000, read: 1_000 },
  hurried: { again: 100, invoice: 200, deposit: 400, payout: 4_000, read: 200 },
}
const payoutUnits = 20_000n

export async function openBusyMerchant(
  urls: readonly string[],
  key: string,
  pace: keyof typeof paces,
): Promise<BusyMerchant> {
  const pauseMs = paces[pace]
  const invoices = new Map<string, Made>()
  const payouts = new Map<string, Made>()
  const deposits: string[] = []
  const failures: string[] = []
  let asked = 0

  /** The answer, or null if there was none or the service says that it cannot answer now. */
  async function ask(operation: string, options: Parameters<typeof call>[2]): Promise<Answer | null> {
    try {
      const answer = await call(urls[asked++ % urls.length] ?? '', operation, { key, ...options })
      if (answer.status >= 500) failures.push(`${operation}: ${answer.status} ${answer.text}`)
      return answer.status === 503 ? null : answer
    } catch (error) {
      // The connection broke: that happens here, and is not a wrong answer.
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
      failures.push(`${operation}: ${error.message} ${error.cause ?? ''}`)
      return null
    }
  }

  async function insist(operation: string, options: Parameters<typeof call>[2]): Promise<Answer> {
    for (;;) {
      const answer = await ask(operation, options)
      if (answer !== null) return answer
      await delay(pauseMs.again)
    }
  }

  const makeInvoice = (idempotencyKey: string, amount = '0.001') =>
    insist('createInvoice', {
      body: JSON.stringify({ currency: 'BTC', amount, idempotency_key: idempotencyKey }),
    })
  const makePayout = (idempotencyKey: string, destination: string) =>
    insist('createPayout', {
      body: JSON.stringify({
        currency: 'BTC',
        amount: '0.0002',
        destination,
        idempotency_key: idempotencyKey,
      }),
    })

  const steps = {
    async invoice() {
      const idempotencyKey = randomUUID()
      const { status, body } = await makeInvoice(idempotencyKey)
      expect(status, JSON.stringify(body)).toBe(201)
      invoices.set(idempotencyKey, { id: body.data.id, at: body.data.deposit_address })
    },
    async deposit() {
      const all = [...invoices.values()]
      const address = all[Math.floor(Math.random() * all.length)]?.at
      if (address === undefined) return
      const amount = Math.random() < 0.5 ? '0.001' : '0.0004'
      const paid = await ask('createTestDeposit', {
        body: JSON.stringify({ address, amount, currency: 'BTC' }),
      })
      if (paid?.status === 201) deposits.push(paid.body.data.tx_hash)
    },
    async payout(): Promise<string> {
      const idempotencyKey = randomUUID()
      const at = await newAddress('bitcoin')
      const { status, body } = await makePayout(idempotencyKey, at)
      expect(status, JSON.stringify(body)).toBe(201)
      const { id } = body.data
      const approved = await insist('approveTestPayout', { path: { payoutID: id } })
      // Approved by the first request, which got no answer.
      if (approved.status !== 409) expect(approved.status, approved.text).toBe(200)
      payouts.set(idempotencyKey, { id, at })
      return id
    },
    async read() {
      const [last] = [...invoices.values()].slice(-1)
      const answers = [
        await insist('getInvoice', { path: { invoiceID: last?.id ?? '' } }),
        await insist('listPayouts', { query: { limit: '5' } }),
        await insist('listEvents', { query: { limit: '5' } }),
        await insist('listBalances', {}),
      ]
      for (const { status, text } of answers) expect(status, text).toBe(200)
    },
  }

  const statusOf = async (id: string): Promise<string> =>
    (await insist('getPayout', { path: { payoutID: id } })).body.data.status
  const invoiceStatusOf = async (id: string): Promise<string> =>
    (await insist('getInvoice', { path: { invoiceID: id } })).body.data.status

  /** Enough for thousands of payouts. */
  async function fund(): Promise<void> {
    const idempotencyKey = randomUUID()
    const { id, deposit_address: at } = (await makeInvoice(idempotencyKey, '10')).body.data
    invoices.set(idempotencyKey, { id, at })
    await insist('createTestDeposit', {
      body: JSON.stringify({ address: at, amount: '10', currency: 'BTC' }),
    })
    await eventually(async () => expect(await invoiceStatusOf(id)).toBe('paid'))
  }
  await fund()

  let over = true
  let running: Promise<void>[] = []

  async function stop(): Promise<void> {
    over = true
    await Promise.all(running)
  }

  async function nothingIsLost(): Promise<void> {
    for (const [idempotencyKey, { id, at }] of invoices) {
      const { body, headers } = await makeInvoice(idempotencyKey, at === first.at ? '10' : '0.001')
      expect([headers.get('idempotent-replayed'), body.data?.id, body.data?.deposit_address]).toEqual([
        'true',
        id,
        at,
      ])
    }
    for (const [idempotencyKey, { id, at }] of payouts)
      expect((await makePayout(idempotencyKey, at)).body.data?.id).toBe(id)
    for (const [operation, made] of [
      ['listInvoices', invoices],
      ['listPayouts', payouts],
    ] as const)
      expect((await insist(operation, { query: { limit: '1' } })).body.meta.pagination.total).toBe(made.size)
  }
  const [first] = [...invoices.values()] as [Made]

  return {
    work() {
      if (!over) return
      over = false
      running = lanes.map(async (lane) => {
        while (!over) {
          await steps[lane]()
          await delay(pauseMs[lane])
        }
      })
    },
    async nextInvoice() {
      const startedAt = performance.now()
      await steps.invoice()
      return performance.now() - startedAt
    },
    async nextPayout() {
      const id = await steps.payout()
      await expect.poll(() => statusOf(id)).toBe('completed')
    },
    failures: () => failures,
    async audit(ownerUrl, hooks) {
      await stop()
      await nothingIsLost()
      for (const { id } of payouts.values()) await expect.poll(() => statusOf(id)).toBe('completed')
      // Payments that got no answer are credited too.
      await expect.poll(() => query(ownerUrl, `select from spends where status = 'open'`)).toEqual([])
      await expect.poll(() => query(ownerUrl, 'select from jobs')).toEqual([])
      const arrived = await query(
        ownerUrl,
        `select address, sum(units)::text as units, count(*)::int as times from simulated_outputs as o
         join simulated_transactions as t on t.gate_id = o.gate_id and t.hash = o.tx_hash and t.state = 'mined'
         where address = any($1) group by 1 order by 1`,
        [[...payouts.values()].map(({ at }) => at)],
      )
      expect(arrived).toEqual(
        [...payouts.values()]
          .map(({ at }) => ({ address: at, units: String(payoutUnits), times: 1 }))
          .sort((a, b) => (a.address < b.address ? -1 : 1)),
      )
      const seen = await query<{ hash: string }>(
        ownerUrl,
        'select distinct tx_hash as hash from payments where tx_hash = any($1)',
        [deposits],
      )
      expect(new Set(seen.map(({ hash }) => hash))).toEqual(new Set(deposits))
      const undelivered = async () => {
        const delivered = new Set(hooks.hooks.map(({ id }) => id))
        const events = await query<{ id: string }>(ownerUrl, 'select id from events')
        return events.filter(({ id }) => !delivered.has(`evt_${id}`))
      }
      await expect.poll(undelivered).toEqual([])
      await expectSoundBooks(ownerUrl, { settled: true })
    },
  }
}
