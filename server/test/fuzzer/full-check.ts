import { setTimeout as sleep } from 'node:timers/promises'
import { checkBacking } from './backing-checks.ts'
import { checkBalances } from './balance-checks.ts'
import { get, listAll, type Row } from './client.ts'
import { checkEvents, readEvents } from './event-checks.ts'
import type { Fuzz } from './fuzz.ts'
import { checkInvoice } from './invoice-checks.ts'
import { checkReferences, readLedger } from './ledger-checks.ts'
import type { Merchant } from './model.ts'
import { sum, toText, toUnits } from './money.ts'
import { seePayout } from './payout-checks.ts'

const maxTries = 40
const tryEveryMs = 150
const invoiceStatuses = ['pending', 'paid', 'underpaid', 'overpaid', 'expired', 'cancelled']

/** Compares everything of a merchant with the model: invoices, payouts, refunds, addresses, balances, ledger and events. */
export async function fullCheck(fuzz: Fuzz, merchant: Merchant, where: string): Promise<void> {
  const { findings, measures } = fuzz
  measures.count('full_checks')
  const startedAt = performance.now()
  const moment = await quietMoment(fuzz, merchant)
  findings.check(
    moment !== null,
    'never-still',
    `${where}: the books kept changing during ${maxTries} attempts`,
  )
  if (moment === null) return
  checkPayouts(fuzz, merchant, moment, where)
  if (!(await checkInvoices(fuzz, merchant, where))) return
  await checkAddresses(fuzz, merchant, where)
  checkBalances(fuzz, merchant, moment.balances, where)
  checkReferences(fuzz, merchant, where)
  if (!(await readEvents(fuzz, merchant))) return
  checkEvents(fuzz, merchant, where)
  checkBacking(fuzz, merchant)
  measures.took('full-check', performance.now() - startedAt)
}

type Moment = { payouts: Row[]; total: number; balances: Row[]; refunds: Row[] }

/** A consistent view: payouts and ledgers were the same before and after the balances were read. */
async function quietMoment(fuzz: Fuzz, merchant: Merchant): Promise<Moment | null> {
  for (let tried = 0; tried < maxTries; tried++) {
    if (tried > 0) await sleep(tryEveryMs)
    const before = await look(merchant)
    const refunds = await listAll(merchant.api, '/v1/refunds')
    if (before === null || refunds === null) continue
    const readAt = Date.now()
    for (const { currency } of before.balances) await readLedger(fuzz, merchant, currency)
    const after = await look(merchant)
    if (after === null || before.sign !== after.sign) continue
    merchant.ledgerReadAt = readAt
    const { payouts, total, balances } = after
    return { payouts, total, balances, refunds: refunds.rows }
  }
  return null
}

async function look(merchant: Merchant) {
  const payouts = await listAll(merchant.api, '/v1/payouts')
  const { status, data: balances } = await get(merchant.api, '/v1/balances')
  if (payouts === null || status !== 200) return null
  const tops: string[] = []
  for (const { currency } of balances) {
    const ledger = await get(merchant.api, `/v1/balances/${currency}/ledger?limit=1`)
    if (ledger.status !== 200) return null
    tops.push(`${currency} ${ledger.page.total} ${ledger.data[0]?.id}`)
  }
  const states = payouts.rows.map((row) => [row.id, row.status, row.network_fee])
  return {
    payouts: payouts.rows,
    total: payouts.total,
    balances,
    sign: JSON.stringify([states, tops, balances]),
  }
}

function checkPayouts(fuzz: Fuzz, merchant: Merchant, { payouts, total, refunds }: Moment, where: string) {
  const { findings } = fuzz
  const known = merchant.payouts.size
  findings.check(
    payouts.length === known && total === known,
    'payouts-count',
    `${where}: payouts listed ${payouts.length} (total ${total}), known ${known}`,
    () => differing(payouts, merchant.payouts),
  )
  for (const data of payouts) {
    const payout = merchant.payouts.get(data.id)
    if (payout !== undefined) seePayout(fuzz, payout, data, where)
  }
  const counted = `${where}: refunds listed ${refunds.length}, known ${merchant.refunds.size}`
  findings.check(refunds.length === merchant.refunds.size, 'refunds-count', counted)
  for (const data of refunds) {
    const refund = merchant.refunds.get(data.id)
    if (refund === undefined) continue
    const { decimals } = refund.asset
    findings.same(data.status, refund.status, 'refund-status', 'refund status', data)
    findings.same(data.amount, toText(refund.amount, decimals), 'refund-amount', 'refund amount', data)
    findings.same(data.refund_fee, toText(refund.fee, decimals), 'refund-fee', 'refund fee', data)
    if (data.status !== 'completed') continue
    const fee = toUnits(data.network_fee, decimals)
    const what = 'network fee of refund and payout'
    findings.same(fee, refund.payout?.actual ?? null, 'refund-network-fee', what, data)
  }
}

/** Compares the list, its totals and each invoice with the model; false if they could not be read. */
async function checkInvoices(fuzz: Fuzz, merchant: Merchant, where: string): Promise<boolean> {
  const { findings } = fuzz
  const list = await listAll(merchant.api, '/v1/invoices')
  if (list === null) return false
  const { rows, total } = list
  const known = merchant.invoices.size
  findings.check(
    rows.length === known && total === known,
    'invoices-count',
    `${where}: invoices listed ${rows.length} (total ${total}), known ${known}`,
    () => differing(rows, merchant.invoices),
  )
  for (const [at, row] of rows.entries()) {
    const newer = rows[at - 1]
    const isOrdered = !newer || Date.parse(newer.created_at) > Date.parse(row.created_at) - 5000
    findings.check(isOrdered, 'list-order', 'invoices are not newest first', [newer?.id, row.id])
    const invoice = merchant.invoices.get(row.id)
    if (invoice !== undefined) checkInvoice(fuzz, invoice, row, where)
    const isOwn = row.merchant_id === merchant.id
    findings.check(isOwn, 'foreign-invoice', 'an invoice of another merchant is listed', row.id)
  }
  for (const status of invoiceStatuses) {
    const answer = await get(merchant.api, `/v1/invoices?status=${status}&limit=1`)
    const want = [...merchant.invoices.values()].filter((invoice) => invoice.status === status).length
    if (answer.status === 200)
      findings.same(answer.page.total, want, 'status-total', `${where}: total of status ${status}`)
  }
  return true
}

async function checkAddresses({ findings }: Fuzz, merchant: Merchant, where: string): Promise<void> {
  for (const { id, invoices, asset } of merchant.addresses.values()) {
    const { status, data } = await get(merchant.api, `/v1/addresses/${id}`)
    if (!findings.check(status === 200, 'address-lost', `${where}: answered ${status}`, id)) continue
    const good = [...invoices].flatMap(({ payments }) => payments.filter((each) => each.credited !== null))
    const received = toText(sum(good.map(({ units }) => units)), asset.decimals)
    findings.same(data.total_received, received, 'address-received', 'total_received', id)
    findings.same(data.invoice_count, good.length, 'address-count', 'invoice_count', id)
  }
}

function differing(rows: readonly Row[], known: ReadonlyMap<string, unknown>): object {
  const listed = new Set(rows.map(({ id }) => id))
  return {
    unknown: rows.filter(({ id }) => !known.has(id)).slice(0, 3),
    lost: [...known.keys()].filter((id) => !listed.has(id)).slice(0, 3),
  }
}
