import type {
  Balance as BalanceView,
  LedgerEntry as LedgerEntryView,
  NetworkBalance as NetworkBalanceView,
} from '@sluice/sdk/contract'
import type { CurrencyBalance } from '../../../app/balances/list-balances.ts'
import type { ValuedEntry } from '../../../app/balances/value-entries.ts'
import { formatDecimal, formatFixed } from '../../../domain/money.ts'
import { baseValue, reasonsView } from '../values.ts'

export function balanceView(balance: CurrencyBalance): BalanceView {
  return {
    currency: balance.currency,
    environment: balance.environment,
    ...amounts(balance),
    base_currency: balance.inBaseCurrency === null ? null : balance.baseCurrency,
    networks: balance.networks.map(
      (network): NetworkBalanceView => ({ network: network.network, ...amounts(network) }),
    ),
  }
}

function amounts(of: CurrencyBalance | CurrencyBalance['networks'][number]) {
  const amount = (units: bigint) => formatDecimal(units, of.decimals)
  return {
    available: amount(of.availableUnits),
    pending: amount(of.pendingUnits),
    reserved: amount(of.reservedUnits),
    total_received: amount(of.receivedUnits),
    total_fees: amount(of.feeUnits),
    total_paid_out: amount(of.paidOutUnits),
    total_in_base_currency:
      of.inBaseCurrency === null ? null : formatFixed(of.inBaseCurrency, of.baseMinorDigits),
  }
}

export function ledgerEntryView(entry: ValuedEntry): LedgerEntryView {
  const isDebit = entry.units < 0n
  return {
    id: Number(entry.number),
    currency: entry.currency,
    network: entry.network,
    environment: entry.environment,
    entry_type: entry.entryType as LedgerEntryView['entry_type'],
    direction: isDebit ? 'debit' : 'credit',
    amount: formatDecimal(isDebit ? -entry.units : entry.units, entry.decimals),
    ...baseValue(entry),
    balance_after: formatDecimal(entry.balanceAfter, entry.balanceDecimals),
    reference_type: entry.referenceType as LedgerEntryView['reference_type'],
    reference_id: entry.referenceId,
    description: entry.description,
    created_at: entry.createdAt.toISOString(),
  }
}

/** The same for people, who read its description in their language. */
export function ledgerEntryViewForPeople(entry: ValuedEntry): LedgerEntryView {
  return { ...ledgerEntryView(entry), reasons: reasonsView(entry.description) }
}
