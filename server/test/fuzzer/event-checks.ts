import { get, type Row } from './client.ts'
import type { Fuzz } from './fuzz.ts'
import {
  isMoving,
  type LedgerEntry,
  type ListedEvent,
  largestDecimals,
  type Merchant,
  type Payout,
} from './model.ts'
import { toUnits } from './money.ts'

const maxPages = 1000

/** Catches up with a merchant's events; false if it could not. */
export async function readEvents({ findings }: Fuzz, merchant: Merchant): Promise<boolean> {
  for (let page = 0; page < maxPages; page++) {
    const answer = await get(merchant.api, `/v1/events?after=${merchant.position}&limit=100`)
    if (answer.status !== 200) return false
    for (const { id, event: name, position, data, environment, created_at: at } of answer.data) {
      findings.check(!merchant.eventIds.has(id), 'event-twice', 'an event is listed twice', id)
      findings.check(BigInt(position) > BigInt(merchant.position), 'event-order', 'positions do not rise', id)
      merchant.eventIds.add(id)
      merchant.position = position
      const about = name === 'balance.credited' ? data.invoice_id : data.id
      merchant.events.push({ id, name, at, data, about })
      findings.check(environment === 'test', 'event-environment', 'an event of another environment', id)
      if (data.merchant_id)
        findings.check(data.merchant_id === merchant.id, 'event-foreign', 'an event of another merchant', id)
    }
    if (!answer.page.has_more) return true
  }
  return true
}

type Counts = Record<string, number>

/** Compares a merchant's events with the model: each event once, and none for something that did not happen. */
export function checkEvents(fuzz: Fuzz, merchant: Merchant, where: string): void {
  const { findings } = fuzz
  const counts = new Map<string, Counts>()
  for (const { about, name } of merchant.events) {
    const own = counts.get(about) ?? {}
    own[name] = (own[name] ?? 0) + 1
    counts.set(about, own)
  }
  for (const invoice of merchant.invoices.values()) {
    const got = counts.get(invoice.id) ?? {}
    const paid = got['invoice.paid'] ?? 0
    findings.check(paid <= 1, 'paid-twice', `${where}: invoice.paid ${paid} times`, invoice.id)
    if (invoice.isBlurred) continue
    for (const name of new Set([...Object.keys(got), ...Object.keys(invoice.events)])) {
      const least = invoice.events[name] ?? 0
      const most = least + (invoice.maybe[name] ?? 0)
      const times = got[name] ?? 0
      findings.check(
        times >= least && times <= most,
        'invoice-events',
        `${where}: ${name} ${times} times, want ${least === most ? least : `${least} to ${most}`}`,
        { id: invoice.id, status: invoice.status, got, want: invoice.events },
      )
    }
  }
  for (const payout of merchant.payouts.values()) checkPayoutEvents(fuzz, payout, counts)
  checkCredits(fuzz, merchant, where)
}

function checkPayoutEvents({ findings }: Fuzz, payout: Payout, counts: ReadonlyMap<string, Counts>): void {
  const { id, status, refund } = payout
  const got = counts.get(id) ?? {}
  const refunded = counts.get(refund?.id ?? '') ?? {}
  const context = { id, status, got, refunded }
  const times = (what: string) => got[`payout.${what}`] ?? 0
  const check = (ok: boolean, what: string) => findings.check(ok, 'payout-events', what, context)
  // Events are read after the payouts: a payout in progress may have arrived in between.
  const once = (count: number, is: boolean) => count === (is ? 1 : 0) || (isMoving(payout) && count === 1)
  check(once(times('completed'), status === 'completed'), 'payout.completed')
  check(once(times('failed'), status === 'failed'), 'payout.failed')
  check(times('cancelled') === (status === 'cancelled' ? 1 : 0), 'payout.cancelled')
  check(times('approved') <= 1 && times('processing') <= 1, 'approved or processing more than once')
  if (['processing', 'completed', 'failed'].includes(status))
    check(times('approved') === 1, 'no payout.approved')
  if (['processing', 'completed'].includes(status)) check(times('processing') === 1, 'no payout.processing')
  if (refund === null) return
  const isCompleted = once(refunded['refund.completed'] ?? 0, status === 'completed')
  const hasFailed = once(refunded['refund.failed'] ?? 0, status === 'failed')
  findings.check(isCompleted, 'refund-events', 'refund.completed', context)
  findings.check(hasFailed, 'refund-events', 'refund.failed', context)
}

/** Each credit in the ledger has a balance.credited event, and each such event a credit. */
function checkCredits({ findings, assets }: Fuzz, merchant: Merchant, where: string): void {
  const left = new Map<string, ListedEvent>()
  for (const event of merchant.events) {
    if (event.name !== 'balance.credited') continue
    const key = `${event.data.currency}#${event.data.ledger_entry_id}`
    findings.check(!left.has(key), 'credit-twice', `${where}: two balance.credited for one entry`, key)
    left.set(key, event)
  }
  for (const [currency, ledger] of merchant.ledger) {
    const decimals = largestDecimals(assets, currency)
    for (const entry of ledger) {
      if (entry.type !== 'deposit' && entry.type !== 'late_deposit') continue
      const key = `${currency}#${entry.id}`
      const event = left.get(key)
      left.delete(key)
      findings.check(event !== undefined, 'credit-without-event', `${where}: no balance.credited for ${key}`)
      if (event === undefined) continue
      findings.check(
        isAlike(event.data, entry, decimals),
        'credit-event-differs',
        'balance.credited and its entry differ',
        { event: event.data, entry },
      )
    }
  }
  for (const key of left.keys())
    findings.report('event-without-credit', `${where}: balance.credited without entry`, key)
}

function isAlike(data: Row, { units, type, reference, network }: LedgerEntry, decimals: number): boolean {
  return (
    toUnits(data.amount, decimals) === units &&
    data.entry_type === type &&
    data.invoice_id === reference &&
    data.network === network
  )
}
