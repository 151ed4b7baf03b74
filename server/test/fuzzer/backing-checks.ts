import { get } from './client.ts'
import type { Fuzz } from './fuzz.ts'
import { effectOf } from './ledger-checks.ts'
import { type Asset, type LedgerEntry, largestDecimals, type Merchant, type Payout } from './model.ts'
import { sum, toText, toUnits } from './money.ts'
import { creditOf } from './settlement.ts'

/** Between the time an entry or an event bears and the moment it is there for others: a transaction may wait for locks. */
const marginMs = 5000

/** What a merchant has available of an asset; null when that could not be read. */
export async function availableOf(merchant: Merchant, asset: Asset): Promise<bigint | null> {
  const { status, data } = await get(merchant.api, '/v1/balances')
  if (status !== 200) return null
  const row = data.find(({ currency }: { currency: string }) => currency === asset.currency)
  const own = row?.networks.find(({ network }: { network: string }) => network === asset.network)
  return own === undefined ? 0n : toUnits(own.available, asset.decimals)
}

/**
 * Why a payout must not be let go at present, if it must not: with less than nothing available, nothing more leaves, and a
 * refund is never more than its invoice is credited with.
 */
export async function unbacked({ merchant, asset, amount, refund }: Payout): Promise<string | null> {
  const text = (units: bigint) => `${toText(units, asset.decimals)} ${asset.currency}`
  const available = await availableOf(merchant, asset)
  if (available !== null && available < 0n)
    return `a payout of ${text(amount)} was let go with ${text(available)} available`
  if (refund === null || refund.invoice.isBlurred) return null
  const credit = creditOf(refund.invoice)
  const gone = refund.invoice.refunds.filter((each) =>
    ['approved', 'processing', 'completed'].includes(each.payout?.status ?? ''),
  )
  const out = sum(gone.map((each) => each.amount)) + amount
  if (out <= credit) return null
  return `a refund of ${text(amount)} was let go, in all ${text(out)}, of an invoice that is credited ${text(credit)}`
}

const lettingGo = new Set(['payout.approved', 'payout.processing'])

/**
 * Nothing is let go while a balance is below zero, whatever else happened at that moment: each `payout.approved` and
 * `payout.processing` is held against the ledger of its time. Reported only when the ledger was negative all around it.
 */
export function checkBacking({ findings, assets }: Fuzz, merchant: Merchant): void {
  for (; merchant.eventsWeighed < merchant.events.length; merchant.eventsWeighed++) {
    const event = merchant.events[merchant.eventsWeighed]
    if (event === undefined) return
    const at = Date.parse(event.at)
    // What was booked around it may not have been read yet.
    if (at + marginMs > merchant.ledgerReadAt) return
    if (!lettingGo.has(event.name)) continue
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

/** The most that was available within the margin before and after a moment. */
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
