import { get } from './client.ts'
import type { Fuzz } from './fuzz.ts'
import { effectOf } from './ledger-checks.ts'
import { type Asset, type LedgerEntry, largestDecimals, type Merchant, type Payout } from './model.ts'
import { sum, toText, toUnits } from './money.ts'
import { creditOf } from './settlement.ts'

/** From the timestamp of an entry or event until others can see it: its transaction may wait for locks. */
const marginMs = 5000

/** A merchant's available balance of an asset; null if it could not be read. */
export async function availableOf(merchant: Merchant, asset: Asset): Promise<bigint | null> {
  const { status, data } = await get(merchant.api, '/v1/balances')
  if (status !== 200) return null
  const row = data.find(({ currency }: { currency: string }) => currency === asset.currency)
  const own = row?.networks.find(({ network }: { network: string }) => network === asset.network)
  return own === undefined ? 0n : toUnits(own.available, asset.decimals)
}

/**
 * Why a payout must not proceed at present; null if it may. Nothing leaves while the available balance is negative, and
 * refunds never exceed the amount credited for their invoice.
 */
export async function unbacked({ merchant, asset, amount, refund }: Payout): Promise<string | null> {
  const text = (units: bigint) => `${toText(units, asset.decimals)} ${asset.currency}`
  const available = await availableOf(merchant, asset)
  if (available !== null && available < 0n)
    return `a payout of ${text(amount)} proceeded with ${text(available)} available`
  if (refund === null || refund.invoice.isBlurred) return null
  const credit = creditOf(refund.invoice)
  const gone = refund.invoice.refunds.filter((each) =>
    ['approved', 'processing', 'completed'].includes(each.payout?.status ?? ''),
  )
  const out = sum(gone.map((each) => each.amount)) + amount
  if (out <= credit) return null
  return `a refund of ${text(amount)} proceeded, ${text(out)} in total, of an invoice with ${text(credit)} credited`
}

const proceeding = new Set(['payout.approved', 'payout.processing'])

/**
 * No payout proceeds while a balance is negative, even if other things happen at that moment: each `payout.approved` and
 * `payout.processing` is compared with the ledger at its time. A finding needs a ledger that was negative for the whole
 * margin around it.
 */
export function checkBacking({ findings, assets }: Fuzz, merchant: Merchant): void {
  for (; merchant.eventsWeighed < merchant.events.length; merchant.eventsWeighed++) {
    const event = merchant.events[merchant.eventsWeighed]
    if (event === undefined) return
    const at = Date.parse(event.at)
    // Entries booked around that time may not have been read yet.
    if (at + marginMs > merchant.ledgerReadAt) return
    if (!proceeding.has(event.name)) continue
    const { currency, network, id } = event.data
    const own = (merchant.ledger.get(currency) ?? []).filter((entry) => entry.network === network)
    const most = mostAround(own, at)
    findings.check(
      most >= 0n,
      'let-go-unbacked',
      `${event.name} while ${toText(most, largestDecimals(assets, currency))} ${currency} was available`,
      { payout: id, network, at: event.at },
    )
  }
}

/** The highest available balance within the margin before and after a moment. */
function mostAround(entries: readonly LedgerEntry[], at: number): bigint {
  let balance = 0n
  let most: bigint | null = null
  for (const entry of entries) {
    const booked = Date.parse(entry.at)
    if (booked > at + marginMs) break
    if (booked >= at - marginMs && (most === null || balance > most)) most = balance
    balance += effectOf(entry)
  }
  return most === null || balance > most ? balance : most
}
