import { type Command, InvalidArgumentError } from 'commander'
import type { MerchantSettings } from '../domain/caller.ts'
import { fiatMinorDigits } from '../domain/fiat.ts'

export type SettingsOptions = {
  readonly baseCurrency?: string
  readonly feeBps?: number
  readonly payoutFeeBps?: number
  readonly refundFeeBps?: number
  readonly toleranceBps?: number
}

const maxFeeBps = 10_000
// As in the contract. More would let a fraction of the price settle an invoice.
const maxToleranceBps = 500

/** Adds the options for a merchant's terms. */
export function withMerchantSettings(command: Command): Command {
  return command
    .option(
      '--base-currency <code>',
      'the fiat currency that values are recorded in (default: USD)',
      readFiat,
    )
    .option(
      '--fee-bps <number>',
      'your fee on every deposit, in basis points (default: 0)',
      basisPoints(maxFeeBps),
    )
    .option(
      '--payout-fee-bps <number>',
      'your fee on the amount of every payout, in basis points (default: 0)',
      basisPoints(maxFeeBps),
    )
    .option(
      '--refund-fee-bps <number>',
      'your fee on the amount of every refund, in basis points (default: 0)',
      basisPoints(maxFeeBps),
    )
    .option(
      '--tolerance-bps <number>',
      'how far a payment may fall short and still settle an invoice, in basis points (default: 0)',
      basisPoints(maxToleranceBps),
    )
}

export function settingsFrom({
  baseCurrency,
  feeBps,
  payoutFeeBps,
  refundFeeBps,
  toleranceBps,
}: SettingsOptions): Partial<MerchantSettings> {
  return {
    ...(baseCurrency !== undefined && { baseCurrency }),
    ...(feeBps !== undefined && { feeBps }),
    ...(payoutFeeBps !== undefined && { payoutFeeBps }),
    ...(refundFeeBps !== undefined && { refundFeeBps }),
    ...(toleranceBps !== undefined && { toleranceBps }),
  }
}

function readFiat(text: string): string {
  const code = text.toUpperCase()
  if (fiatMinorDigits(code) === null)
    throw new InvalidArgumentError('It must be a fiat code such as USD or EUR.')
  return code
}

function basisPoints(most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
    if (!(value <= most)) throw new InvalidArgumentError(`It must be a whole number from 0 to ${most}.`)
    return value
  }
}
