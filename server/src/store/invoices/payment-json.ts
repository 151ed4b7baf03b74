import type { Booking, Payment } from '../../domain/invoices.ts'
import { sql } from '../sql.ts'

/** The payments of the current row of `invoices`, oldest first, as one value; null when there are none. */
export const paymentsOfInvoice = sql`(
  select json_agg(json_build_object('id', payments.id, 'txHash', payments.tx_hash,
    'outputIndex', payments.output_index, 'currency', payments.currency, 'network', payments.network,
    'decimals', payments.decimals, 'units', payments.units::text, 'seenAt', payments.seen_at,
    'waiting', payments.waiting, 'blockHeight', payments.block_height::text,
    'requiredConfirmations', payments.required_confirmations, 'credited', booking.credited,
    'credits', booking.credits, 'late', booking.late, 'feeUnits', booking.fee_units::text,
    'confirmedAt', booking.confirmed_at) order by payments.seen_at, payments.tx_hash, payments.output_index)
  from payments left join payment_bookings as booking on booking.payment_id = payments.id
  where payments.invoice_id = invoices.id
)`

/** A payment in that value. */
export type PaymentJson = Omit<Payment, 'units' | 'seenAt' | 'blockHeight' | 'booking'> & {
  readonly units: string
  readonly seenAt: string
  readonly blockHeight: string | null
  readonly credited: boolean | null
  readonly credits: number
  readonly late: boolean
  readonly feeUnits: string
  readonly confirmedAt: string | null
}

export function paymentFrom(json: PaymentJson): Payment {
  const { units, seenAt, blockHeight, credited, credits, late, feeUnits, confirmedAt, ...same } = json
  const booking: Booking | null =
    credited === null
      ? null
      : {
          credited,
          credits,
          late,
          feeUnits: BigInt(feeUnits),
          confirmedAt: confirmedAt === null ? null : new Date(confirmedAt),
        }
  return {
    ...same,
    units: BigInt(units),
    seenAt: new Date(seenAt),
    blockHeight: blockHeight === null ? null : BigInt(blockHeight),
    booking,
  }
}
