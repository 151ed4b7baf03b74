import type { Row } from './client.ts'
import type { Fuzz } from './fuzz.ts'
import { assetOf } from './fuzz.ts'
import { effectOf } from './ledger-checks.ts'
import { isPriced, largestDecimals, type Merchant, openStates, serviceFee } from './model.ts'
import { sum, toText } from './money.ts'

type Sums = { pending: bigint; received: bigint; fees: bigint; out: bigint; reserved: bigint }
const none = (): Sums => ({ pending: 0n, received: 0n, fees: 0n, out: 0n, reserved: 0n })

/** Compares the balances with the ledger, and with the sums of everything paid in, charged, held and paid out. */
export function checkBalances(fuzz: Fuzz, merchant: Merchant, rows: readonly Row[], where: string): void {
  const { findings, assets } = fuzz
  const left = sumsOf(merchant)
  for (const row of rows) {
    const { currency } = row
    const decimals = largestDecimals(assets, currency)
    const text = (units: bigint) => toText(units, decimals)
    const ledger = merchant.ledger.get(currency) ?? []
    const context = { where, row: { ...row, networks: undefined } }
    const total = text(sum(ledger.map(effectOf)))
    findings.same(row.available, total, 'balance-ledger', `${currency} available against ledger`, context)
    const all = none()
    for (const network of row.networks) {
      const key = `${currency}/${network.network}`
      const sums = left.get(key) ?? none()
      left.delete(key)
      const own = text(sum(ledger.filter((each) => each.network === network.network).map(effectOf)))
      const what = `${key} available against ledger`
      findings.same(network.available, own, 'balance-network-ledger', what, { where, network })
      checkNetwork(fuzz, currency, network, sums, where)
      const scale = 10n ** BigInt(decimals - assetOf(fuzz, currency, network.network).decimals)
      for (const name of Object.keys(all) as (keyof Sums)[]) all[name] += sums[name] * scale
    }
    const same = (field: string, want: bigint) =>
      findings.same(row[field], text(want), 'balance-sum', `${currency} ${field} over networks`, context)
    same('pending', all.pending)
    same('reserved', all.reserved)
    same('total_received', all.received)
    same('total_fees', all.fees)
    same('total_paid_out', all.out)
  }
  for (const [key, sums] of left) {
    const { fees: _, ...shown } = sums
    const isNothing = Object.values(shown).every((units) => units === 0n)
    findings.check(isNothing, 'balance-row-missing', `no balance row for ${key}`, sums)
  }
}

function checkNetwork(fuzz: Fuzz, currency: string, row: Row, sums: Sums, where: string): void {
  const { decimals } = assetOf(fuzz, currency, row.network)
  const name = `${currency}/${row.network}`
  const same = (field: string, want: bigint, kind: string, what = field) =>
    fuzz.findings.same(row[field], toText(want, decimals), kind, `${name} ${what}`, { where, row })
  same('pending', sums.pending, 'balance-pending')
  same('reserved', sums.reserved, 'balance-reserved')
  same('total_received', sums.received, 'balance-received')
  same('total_fees', sums.fees, 'balance-fees')
  same('total_paid_out', sums.out, 'balance-out')
  // The books as a whole: receipts less fees and payouts are what is left.
  const kept = sums.received - sums.fees - sums.out - sums.reserved
  same('available', kept, 'books', 'received − fees − paid out − reserved')
}

function sumsOf(merchant: Merchant): Map<string, Sums> {
  const all = new Map<string, Sums>()
  const of = ({ currency, network }: { currency: string; network: string }) => {
    const key = `${currency}/${network}`
    const sums = all.get(key) ?? none()
    all.set(key, sums)
    return sums
  }
  for (const invoice of merchant.invoices.values()) {
    if (!isPriced(invoice)) continue
    for (const { credited, isDropped, units, fee } of invoice.payments) {
      const sums = of(invoice.asset)
      if (credited !== null) {
        sums.received += units
        sums.fees += fee
      } else if (!isDropped) sums.pending += units
    }
  }
  for (const payout of merchant.payouts.values()) {
    const { asset, amount, estimate, actual, status } = payout
    const sums = of(asset)
    const fee = serviceFee(payout)
    if (openStates.has(status)) sums.reserved += amount + fee + estimate
    if (status === 'completed') {
      sums.out += amount
      sums.fees += fee + (actual ?? 0n)
    }
  }
  return all
}
