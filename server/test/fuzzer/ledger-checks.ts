import { get, type Row } from './client.ts'
import type { Fuzz } from './fuzz.ts'
import {
  isPriced,
  type LedgerEntry,
  largestDecimals,
  type Merchant,
  type Payout,
  type PricedInvoice,
  serviceFee,
} from './model.ts'
import { canonical, sum, toText, toUnits } from './money.ts'
import { creditOf } from './settlement.ts'

const maxPages = 500
const directions: Readonly<Record<string, string>> = {
  deposit: 'credit',
  late_deposit: 'credit',
  release: 'credit',
  fee: 'debit',
  payout: 'debit',
  payout_fee: 'debit',
  network_fee: 'debit',
  refund: 'debit',
  refund_fee: 'debit',
  reversal: 'debit',
}

/** The signed effect of an entry on the available balance. */
export function effectOf({ isCredit, units }: Pick<LedgerEntry, 'isCredit' | 'units'>): bigint {
  return isCredit ? units : -units
}

/** Reads a merchant's ledger from where it was last read, and checks that it is one unbroken chain. */
export async function readLedger(fuzz: Fuzz, merchant: Merchant, currency: string): Promise<void> {
  const known = merchant.ledger.get(currency) ?? []
  const last = known.at(-1)?.id ?? 0
  const fresh = new Map<number, Row>()
  let offset = 0
  for (let page = 0; page < maxPages; page++) {
    const answer = await get(merchant.api, `/v1/balances/${currency}/ledger?limit=100&offset=${offset}`)
    if (answer.status !== 200) return
    for (const row of answer.data) if (row.id > last) fresh.set(row.id, row)
    if (!answer.page.has_more || answer.data.at(-1).id <= last) break
    offset += answer.data.length
  }
  for (const row of [...fresh.values()].sort((a, b) => a.id - b.id))
    known.push(checkEntry(fuzz, currency, row, known.at(-1)))
  merchant.ledger.set(currency, known)
}

function checkEntry(
  { findings, assets }: Fuzz,
  currency: string,
  row: Row,
  before: LedgerEntry | undefined,
): LedgerEntry {
  const decimals = largestDecimals(assets, currency)
  const units = toUnits(row.amount, decimals)
  const isCredit = row.direction === 'credit'
  const balance = (before?.balance ?? 0n) + effectOf({ isCredit, units })
  const follows = (before?.id ?? 0) + 1
  findings.check(
    row.id === follows,
    'ledger-gap',
    `${currency} entry ${row.id} is listed instead of ${follows}`,
    row,
  )
  findings.check(
    units > 0n && canonical.test(row.amount) && canonical.test(row.balance_after),
    'ledger-amount',
    'entry amount not positive or not canonical',
    row,
  )
  findings.check(
    toUnits(row.balance_after, decimals) === balance,
    'ledger-running',
    `${currency} entry ${row.id}: balance_after ${row.balance_after}, computed ${toText(balance, decimals)}`,
    row,
  )
  findings.check(
    row.environment === 'test' && row.currency === currency,
    'ledger-foreign',
    'entry of another environment or currency',
    row,
  )
  findings.check(
    directions[row.entry_type] === row.direction,
    'ledger-direction',
    `${row.entry_type} as ${row.direction}`,
    row,
  )
  return {
    id: row.id,
    type: row.entry_type,
    isCredit,
    units,
    network: row.network,
    reference: row.reference_id,
    balance,
    at: row.created_at,
  }
}

/**
 * Compares the entries of each invoice, payout and refund with those that must have been booked, and finds entries that
 * belong to none.
 */
export function checkReferences(fuzz: Fuzz, merchant: Merchant, where: string): void {
  const left = new Map<string, LedgerEntry[]>()
  for (const entry of [...merchant.ledger.values()].flat())
    left.set(entry.reference, [...(left.get(entry.reference) ?? []), entry])
  const take = (id: string) => {
    const entries = left.get(id) ?? []
    left.delete(id)
    return entries
  }
  for (const invoice of merchant.invoices.values())
    if (isPriced(invoice)) checkInvoiceEntries(fuzz, invoice, take(invoice.id), where)
  for (const payout of merchant.payouts.values())
    checkPayoutEntries(fuzz, payout, take(payout.refund?.id ?? payout.id), where)
  for (const [reference, entries] of left)
    fuzz.findings.report('ledger-orphan', `${where}: ${entries.length} entries of an unknown reference`, {
      reference,
      entries: entries.slice(0, 3).map(({ type, units }) => [type, units]),
    })
}

/** The ledger uses the largest number of decimals of the currency, even if those of the network are fewer. */
function scaleOf({ assets }: Fuzz, { currency, decimals }: PricedInvoice['asset']): bigint {
  return 10n ** BigInt(largestDecimals(assets, currency) - decimals)
}

function checkInvoiceEntries(
  fuzz: Fuzz,
  invoice: PricedInvoice,
  entries: readonly LedgerEntry[],
  where: string,
): void {
  const scale = scaleOf(fuzz, invoice.asset)
  const got = textOf(
    entries.map(({ type, isCredit, units }) => `${type} ${isCredit ? 'credit' : 'debit'} ${units / scale}`),
  )
  const { status, payments } = invoice
  if (!invoice.isBlurred) {
    const want = textOf(invoice.entries)
    const what = `${where}: ledger of invoice ${invoice.id}: got [${got}], want [${want}]`
    fuzz.findings.check(got === want, 'invoice-ledger', what, { status })
    return
  }
  const total = sum(entries.map(effectOf)) / scale
  const counted = (...types: string[]) => entries.filter(({ type }) => types.includes(type)).length
  const credits = counted('deposit', 'late_deposit') - counted('reversal')
  fuzz.findings.check(
    total === creditOf(invoice) && credits === payments.filter((each) => each.credited !== null).length,
    'invoice-ledger',
    `${where}: ledger of invoice ${invoice.id} adds up to ${total}: [${got}]`,
    { status, payments: payments.map((each) => [each.units, each.credited, each.isDropped]) },
  )
}

function textOf(entries: readonly string[]): string {
  return entries.toSorted().join('; ')
}

function checkPayoutEntries(
  fuzz: Fuzz,
  payout: Payout,
  entries: readonly LedgerEntry[],
  where: string,
): void {
  const { asset, amount, status, estimate, actual, refund } = payout
  const scale = scaleOf(fuzz, asset)
  const fee = serviceFee(payout)
  const of = (type: string) => entries.filter((each) => each.type === type).map(({ units }) => units / scale)
  const context = () => ({
    where,
    id: refund?.id ?? payout.id,
    status,
    amount,
    fee,
    estimate,
    actual,
    entries: entries.map(({ type, isCredit, units }) => `${type} ${isCredit ? '+' : '-'}${units / scale}`),
  })
  const check = (ok: boolean, what: string) => fuzz.findings.check(ok, 'payout-ledger', what, context)
  const kind = refund === null ? 'payout' : 'refund'
  check(of(kind).join() === String(amount), 'the amount is not debited exactly once')
  check(of(`${kind}_fee`).join() === (fee > 0n ? String(fee) : ''), 'the fee is not debited exactly once')
  const held = amount + fee + sum(of('network_fee'))
  const released = of('release')
  check(released.length <= 1, 'more than one release')
  check(
    entries.every(({ isCredit, type }) => isCredit === (type === 'release')),
    'a direction is wrong',
  )
  if (status === 'cancelled' || status === 'failed')
    check(sum(released) === held, 'not everything was released')
  else if (status === 'completed')
    check(
      held - sum(released) === amount + fee + (actual ?? 0n),
      'the charge is not amount + fee + network fee',
    )
  else
    check(
      released.length === 0 && sum(of('network_fee')) === estimate,
      'an open payout does not hold what it says',
    )
}
