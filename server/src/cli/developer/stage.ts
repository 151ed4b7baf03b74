import { setTimeout as delay } from 'node:timers/promises'
import type { Event, Invoice, Payout, Refund } from '@sluice/sdk/contract'
import { UsageError } from '../failure.ts'
import type { ApiClient } from './client.ts'
import { eventLine } from './event-lines.ts'
import { watchEvents } from './watch.ts'

/** Enough on every simulated network. */
const manyBlocks = 12
const network = 'bitcoin'
const currency = 'BTC'
const price = '0.001'
const little = '0.0002'
const betweenBlocksMs = 250
// BIP-173's own example: no one misses what is sent there.
const somewhere = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'

/** What a story can do; each says so as it happens. Money is on the simulated Bitcoin network. */
export type Stage = {
  createInvoice(): Promise<Invoice>
  /** Pays an address, and returns the hash of the transaction. */
  pay(address: string, amount: string): Promise<string>
  mine(count: number): Promise<void>
  /** Replaces as many blocks, and leaves one transaction out for good. */
  reorganise(depth: number, dropped: string): Promise<void>
  expire(invoice: Invoice): Promise<void>
  createAddress(): Promise<string>
  /** An invoice, paid and confirmed, so that there is money to send. */
  takeMoney(): Promise<Invoice>
  createPayout(): Promise<Payout>
  createRefund(invoice: Invoice): Promise<Refund>
  /** Approves as a person would; fails if the merchant's policy asks for more. */
  approve(payoutId: string): Promise<void>
  failPayout(payoutId: string): Promise<void>
  /** Mines until the payout is completed. */
  confirm(payoutId: string): Promise<void>
  /** Waits for an event about this resource, or about one that fits. */
  event(name: string, about: string | ((event: Event) => boolean)): Promise<Event>
  readonly price: string
  /** Every event that came, by name. */
  readonly told: readonly string[]
}

/** Plays with a key on its simulated networks; `say` tells each step and each event. */
export async function withStage<T>(
  api: ApiClient,
  say: (line: string) => void,
  play: (stage: Stage) => Promise<T>,
): Promise<T> {
  const { sluice } = api
  const told: string[] = []
  const held: string[] = []
  let isActing = false
  const watch = await watchEvents(api, (event) => {
    told.push(event.event)
    held.push(`  ← ${eventLine(event)}`)
    if (!isActing) sayHeld()
  })
  const sayHeld = () => held.splice(0).forEach(say)
  const about = (wanted: string) => (event: Event) => event.data.id === wanted

  /** Does a step and says so, and then which events it brought: often they come before its answer. */
  async function step<T>(act: () => Promise<T>, inWords: (result: T) => string): Promise<T> {
    isActing = true
    try {
      const result = await act()
      say(`→ ${inWords(result)}`)
      return result
    } finally {
      isActing = false
      sayHeld()
    }
  }

  const mine = (count: number) => sluice.request('mineTestBlocks', { body: { network, count } })

  const stage: Stage = {
    price,
    told,
    createInvoice: () =>
      step(
        () => sluice.invoices.create({ currency, network, amount: price }),
        ({ id, amount }) => `created invoice ${id} over ${amount} ${currency}`,
      ),
    async pay(address, amount) {
      const body = { address, amount, currency, network }
      const { data } = await step(
        () => sluice.request('createTestDeposit', { body }),
        () => `paid ${amount} ${currency} to ${address}`,
      )
      return data.tx_hash
    },
    async mine(count) {
      await step(
        () => mine(count),
        () => `mined ${count === 1 ? '1 block' : `${count} blocks`}`,
      )
    },
    async reorganise(depth, dropped) {
      await step(
        () => sluice.request('reorganiseTestChain', { body: { network, depth, drop: [dropped] } }),
        () => `replaced the last ${depth} blocks, without the payment`,
      )
    },
    async expire({ id }) {
      await step(
        () => sluice.request('expireTestInvoice', { path: { invoiceID: id } }),
        () => `ended the payment window of invoice ${id}`,
      )
    },
    async createAddress() {
      const { address } = await step(
        () => sluice.addresses.create({ currency, network, label: 'sluice trigger' }),
        ({ id }) => `created static address ${id}`,
      )
      return address
    },
    async takeMoney() {
      const invoice = await stage.createInvoice()
      await stage.pay(invoice.deposit_address ?? '', price)
      await stage.mine(invoice.required_confirmations ?? manyBlocks)
      await stage.event('invoice.paid', invoice.id)
      return invoice
    },
    createPayout: () =>
      step(
        () => sluice.payouts.create({ currency, network, amount: little, destination: somewhere }),
        ({ id, amount }) => `created payout ${id} over ${amount} ${currency}`,
      ),
    createRefund: ({ id: invoice_id }) =>
      step(
        () =>
          sluice.refunds.create({ invoice_id, currency, network, amount: little, destination: somewhere }),
        ({ id, amount }) => `created refund ${id} over ${amount} ${currency}`,
      ),
    async approve(payoutId) {
      const { data } = await step(
        () => sluice.request('approveTestPayout', { path: { payoutID: payoutId } }),
        () => `approved payout ${payoutId}`,
      )
      if (data.status !== 'pending_approval') return
      const reason = data.waiting_reason === null ? '' : `: ${data.waiting_reason}`
      throw new UsageError(
        `Payout ${payoutId} still waits for approval${reason}. Approve it in the dashboard, or relax the test policy.`,
      )
    },
    async failPayout(payoutId) {
      await step(
        () => sluice.request('failTestPayout', { path: { payoutID: payoutId } }),
        () => `let the network refuse payout ${payoutId}`,
      )
    },
    async confirm(payoutId) {
      say('→ mining until it is confirmed')
      let isDone = false
      const completed = stage.event('payout.completed', payoutId).finally(() => {
        isDone = true
      })
      // It is sent a moment after it was announced: blocks mined before that do not count for it.
      while (!isDone) {
        await mine(1)
        await Promise.race([completed, delay(betweenBlocksMs)])
      }
      await completed
    },
    event: (name, wanted) => watch.seen(name, typeof wanted === 'string' ? about(wanted) : wanted),
  }
  try {
    return await play(stage)
  } finally {
    await watch.end()
  }
}
