import type { Answer, Asker, Row } from './client.ts'
import { Findings } from './findings.ts'
import type { Fuzz } from './fuzz.ts'
import { Measures } from './measures.ts'
import {
  type Asset,
  Chains,
  Merchant,
  newInvoice,
  newPayment,
  type Payout,
  type PricedInvoice,
} from './model.ts'
import { Randomness } from './randomness.ts'
import { assess, seePayment } from './settlement.ts'
import { learnPayout } from './steps/payouts.ts'

/** What an honest service answers about one paid invoice and one payout; a test plants a mistake in it. */
export type HonestService = {
  readonly fuzz: Fuzz
  readonly merchant: Merchant
  readonly invoice: PricedInvoice
  readonly payout: Payout
  readonly api: { invoices: Row[]; payouts: Row[]; balances: Row[]; ledger: Row[]; events: Row[] }
}

const bitcoin: Asset = {
  currency: 'BTC',
  network: 'bitcoin',
  decimals: 8,
  required: 2,
  minimum: 1000n,
  hasTag: false,
}
export const startedAt = Date.parse('2026-01-01T00:00:00.000Z')
/** Timestamps a minute apart: no two things happen at the same time. */
export const minute = (count: number) => new Date(startedAt + 60_000 * count).toISOString()

export function makeHonestService(): HonestService {
  const api = { invoices: [] as Row[], payouts: [] as Row[], ...honestBooks(), events: [] as Row[] }
  const merchant = new Merchant({
    name: 'A',
    id: 'merchant',
    api: answering(api),
    terms: { fee: 100, tolerance: 0, payoutFee: 0, refundFee: 0 },
  })
  const fuzz: Fuzz = {
    random: new Randomness(1),
    findings: new Findings(1, () => {}),
    measures: new Measures(),
    assets: [bitcoin],
    rates: new Map(),
    chains: new Chains(),
    merchants: [merchant],
    live: null,
    dust: new Map(),
    kills: 0,
  }
  const row = invoiceRow()
  const invoice = newInvoice(merchant, row, bitcoin) as PricedInvoice
  const payment = newPayment(invoice, 'hash', 1_000_000n)
  seePayment(fuzz, payment)
  payment.height = 10
  fuzz.chains.of('bitcoin').tip = 11
  assess(fuzz, invoice)
  api.invoices.push(row)
  api.payouts.push(payoutRow())
  const payout = learnPayout(fuzz, merchant, bitcoin, api.payouts[0])
  api.events.push(
    eventRow(1, 'invoice.confirming', row),
    eventRow(2, 'invoice.payment_detected', row),
    eventRow(3, 'balance.credited', {
      currency: 'BTC',
      network: 'bitcoin',
      amount: '0.01',
      entry_type: 'deposit',
      ledger_entry_id: 1,
      invoice_id: 'invoice',
    }),
    eventRow(4, 'invoice.paid', row),
  )
  return { fuzz, merchant, invoice, payout, api }
}

/** Answers as the service does, from rows. */
function answering(api: HonestService['api']): Asker {
  const answer = (data: Row, page?: Row): Answer => ({
    status: 200,
    data,
    error: undefined,
    code: undefined,
    page,
    text: '',
    headers: new Headers(),
  })
  const listed = (rows: Row[]) => answer(rows, { total: rows.length, has_more: false })
  return {
    name: 'A',
    async call(_method, path) {
      const { pathname, searchParams } = new URL(path, 'http://service')
      const status = searchParams.get('status')
      const after = Number(searchParams.get('after') ?? 0)
      if (pathname === '/v1/invoices')
        return listed(api.invoices.filter((row) => status === null || row.status === status))
      if (pathname === '/v1/payouts') return listed(api.payouts)
      if (pathname === '/v1/balances') return answer(api.balances)
      if (pathname === '/v1/balances/BTC/ledger') return listed(api.ledger.toReversed())
      if (pathname === '/v1/events') return listed(api.events.filter((row) => Number(row.position) > after))
      return listed([])
    },
  }
}

function invoiceRow(): Row {
  return {
    id: 'invoice',
    merchant_id: 'merchant',
    environment: 'test',
    status: 'paid',
    currency: 'BTC',
    network: 'bitcoin',
    amount: '0.01',
    amount_paid: '0.01',
    amount_pending: '0',
    amount_due: '0',
    amount_overpaid: '0',
    amount_refunded: '0',
    fee_amount: '0.0001',
    required_confirmations: 2,
    deposit_address: 'tb1',
    deposit_address_tag: null,
    payment_uri: null,
    paid_at: minute(1),
    created_at: minute(0),
  }
}

function payoutRow(): Row {
  return {
    id: 'payout',
    environment: 'test',
    status: 'pending_approval',
    currency: 'BTC',
    network: 'bitcoin',
    amount: '0.002',
    fee_amount: '0',
    network_fee: '0.000005',
    tx_hash: null,
    waiting_reason: null,
    waiting_reasons: [],
    approved_at: null,
    executable_at: null,
    completed_at: null,
    failure_reason: null,
    failure_reasons: [],
  }
}

/** 0.01 came in, 1 % of it went to the fee, and a payout holds 0.002 plus the network's 0.000005. */
function honestBooks(): { balances: Row[]; ledger: Row[] } {
  const amounts = {
    available: '0.007895',
    pending: '0',
    reserved: '0.002005',
    total_received: '0.01',
    total_fees: '0.0001',
    total_paid_out: '0',
  }
  return {
    balances: [{ currency: 'BTC', ...amounts, networks: [{ network: 'bitcoin', ...amounts }] }],
    ledger: [
      entryRow(1, 'deposit', 'credit', '0.01', '0.01', 'invoice'),
      entryRow(2, 'fee', 'debit', '0.0001', '0.0099', 'invoice'),
      entryRow(3, 'payout', 'debit', '0.002', '0.0079', 'payout'),
      entryRow(4, 'network_fee', 'debit', '0.000005', '0.007895', 'payout'),
    ],
  }
}

export function entryRow(
  id: number,
  type: string,
  direction: string,
  amount: string,
  balance: string,
  reference: string,
): Row {
  return {
    id,
    entry_type: type,
    direction,
    amount,
    balance_after: balance,
    reference_id: reference,
    currency: 'BTC',
    network: 'bitcoin',
    environment: 'test',
    created_at: minute(id),
  }
}

export function eventRow(position: number, event: string, data: Row): Row {
  return {
    id: `evt_${position}`,
    position: String(position),
    event,
    data,
    environment: 'test',
    created_at: minute(position),
  }
}
