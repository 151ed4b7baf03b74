import type { Invoice } from '@sluice/sdk/contract'
import type { Stage } from './stage.ts'

/** What a story ends with: where its traces can be seen. */
export type Ending = {
  readonly invoice: Invoice | null
  readonly payoutId: string | null
}

export type Story = {
  readonly name: string
  readonly description: string
  play(stage: Stage): Promise<Ending>
}

const half = '0.0005'
const double = '0.002'
/** Enough on every simulated network. */
const manyBlocks = 12

const confirmationsOf = ({ required_confirmations: count }: Invoice) => count ?? manyBlocks

/** An invoice that gets one payment of this amount, confirmed. */
async function paid(stage: Stage, amount: string, ends: string): Promise<Ending & { txHash: string }> {
  const invoice = await stage.createInvoice()
  const txHash = await stage.pay(invoice.deposit_address ?? '', amount)
  await stage.event('invoice.payment_detected', invoice.id)
  await stage.mine(confirmationsOf(invoice))
  await stage.event(ends, invoice.id)
  return { invoice, payoutId: null, txHash }
}

export const stories: readonly Story[] = [
  {
    name: 'invoice.paid',
    description: 'an invoice is paid in full and confirmed',
    play: (stage) => paid(stage, stage.price, 'invoice.paid'),
  },
  {
    name: 'invoice.underpaid',
    description: 'an invoice gets half of its amount',
    play: (stage) => paid(stage, half, 'invoice.underpaid'),
  },
  {
    name: 'invoice.overpaid',
    description: 'an invoice gets twice its amount',
    play: (stage) => paid(stage, double, 'invoice.overpaid'),
  },
  {
    name: 'invoice.expired',
    description: 'the payment window of an invoice ends without a payment',
    async play(stage) {
      const invoice = await stage.createInvoice()
      await stage.expire(invoice)
      await stage.event('invoice.expired', invoice.id)
      return { invoice, payoutId: null }
    },
  },
  {
    name: 'invoice.late',
    description: 'an expired invoice is paid after all: a late deposit',
    async play(stage) {
      const invoice = await stage.createInvoice()
      await stage.expire(invoice)
      await stage.event('invoice.expired', invoice.id)
      await stage.pay(invoice.deposit_address ?? '', stage.price)
      await stage.mine(confirmationsOf(invoice))
      await stage.event('invoice.late_deposit', invoice.id)
      return { invoice, payoutId: null }
    },
  },
  {
    name: 'reorg',
    description: 'a confirmed payment leaves the chain, and its deposit is reversed',
    async play(stage) {
      const { invoice, payoutId, txHash } = await paid(stage, stage.price, 'invoice.paid')
      if (invoice === null) throw new Error('This story has an invoice.')
      await stage.reorganise(confirmationsOf(invoice), txHash)
      await stage.event('invoice.deposit_reversed', invoice.id)
      return { invoice, payoutId }
    },
  },
  {
    name: 'payout.completed',
    description: 'a payout is approved, sent and confirmed',
    async play(stage) {
      await stage.takeMoney()
      const { id } = await stage.createPayout()
      await stage.approve(id)
      await stage.event('payout.processing', id)
      await stage.confirm(id)
      return { invoice: null, payoutId: id }
    },
  },
  {
    name: 'payout.failed',
    description: 'the network refuses a payout for good, and its money is free again',
    async play(stage) {
      await stage.takeMoney()
      const { id } = await stage.createPayout()
      await stage.approve(id)
      await stage.failPayout(id)
      await stage.event('payout.failed', id)
      return { invoice: null, payoutId: id }
    },
  },
  {
    name: 'refund.completed',
    description: 'part of a paid invoice is refunded',
    async play(stage) {
      const invoice = await stage.takeMoney()
      const refund = await stage.createRefund(invoice)
      await stage.approve(refund.payout_id)
      await stage.event('payout.processing', refund.payout_id)
      await stage.confirm(refund.payout_id)
      await stage.event('refund.completed', refund.id)
      return { invoice, payoutId: refund.payout_id }
    },
  },
  {
    name: 'static-deposit',
    description: 'a deposit to a permanent address becomes an invoice that is paid',
    async play(stage) {
      const address = await stage.createAddress()
      await stage.pay(address, stage.price)
      await stage.mine(manyBlocks)
      const { data } = await stage.event('invoice.paid', (event) => event.data.deposit_address === address)
      return { invoice: data as unknown as Invoice, payoutId: null }
    },
  },
]
