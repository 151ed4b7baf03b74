import { fiatMinorDigits } from '../../domain/fiat.ts'
import type { Invoice } from '../../domain/invoices.ts'
import { formatDecimal, formatFixed } from '../../domain/money.ts'

/** What the audit log says about an invoice: its order, and what it asks for. */
export function invoiceDetails({
  externalId,
  amountFiat,
  fiatCurrency,
  asset,
}: Pick<Invoice, 'externalId' | 'amountFiat' | 'fiatCurrency' | 'asset'>) {
  const order = { external_id: externalId }
  if (amountFiat !== null && fiatCurrency !== null)
    return {
      ...order,
      amount: formatFixed(amountFiat, fiatMinorDigits(fiatCurrency) ?? 2),
      currency: fiatCurrency,
    }
  if (asset === null) return order
  return { ...order, amount: formatDecimal(asset.amountUnits, asset.decimals), currency: asset.currency }
}
