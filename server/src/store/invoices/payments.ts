import type { Transfer } from '../../domain/chain.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Booking, Payment } from '../../domain/invoices.ts'
import type { SuspenseReason } from '../../domain/suspense.ts'
import type { Absent } from '../outer-rows.ts'
import { type Db, sql } from '../sql.ts'

/** The merchant that an address was given to, and what for. */
export type AddressHolder = {
  readonly merchantId: string
  readonly invoiceId: string | null
  readonly staticAddressId: string | null
}

export type NewPayment = Transfer & {
  readonly id: string
  readonly environment: Environment
  readonly network: string
  readonly decimals: number
  readonly invoiceId: string | null
  readonly suspenseReason: SuspenseReason | null
  /** Whose address was paid, for a payment that still went to suspense. */
  readonly sentTo: AddressHolder | null
  readonly requiredConfirmations: number
  /** By the real time. */
  readonly seenAt: Date
  /** By whose clock its sighting is dated; null for a payment in suspense. */
  readonly merchantId: string | null
  /** Null while it is in the mempool. */
  readonly block: { readonly height: bigint; readonly hash: string } | null
}

/** What a change of the chain may have affected: an invoice, or a payment that belongs to none. */
export type Touched = { readonly paymentId: string; readonly invoiceId: string | null }

export type KnownPayment = Touched & {
  readonly txHash: string
  readonly outputIndex: number
  readonly waiting: boolean
  readonly blockHash: string | null
}

/** An invoice's payments and how far their chain was followed, as of one moment. */
export type PaymentsAndChain = {
  readonly payments: readonly Payment[]
  /** Null while the invoice has no asset. */
  readonly chain: { readonly tip: bigint; readonly scannedAt: Date } | null
}

export type SuspensePayment = Pick<
  Payment,
  'id' | 'units' | 'currency' | 'network' | 'decimals' | 'blockHeight' | 'requiredConfirmations' | 'booking'
> & {
  readonly environment: Environment
  readonly suspenseReason: SuspenseReason
  readonly txHash: string
  /** How far its chain was followed when this was read. */
  readonly tip: bigint
  /** The merchant that the operator released it to, and the operator's note. */
  readonly release: { readonly merchantId: string; readonly note: string } | null
}

type BookingColumns = Booking | Absent<Booking>

const touched = sql`id as "paymentId", invoice_id as "invoiceId"`

const bookingColumns = sql`
  booking.credited, booking.credits, booking.late, booking.fee_units as "feeUnits",
  booking.confirmed_at as "confirmedAt"`

export function paymentsOn(db: Db) {
  return {
    /** Those of the transfers that were seen before, on any branch. */
    async known(
      gateId: string,
      transfers: readonly Pick<Transfer, 'txHash' | 'outputIndex'>[],
    ): Promise<KnownPayment[]> {
      if (transfers.length === 0) return []
      // An index lookup for each: a cached plan from when the table was nearly empty must not compare all with all.
      return sql<KnownPayment>`
        select payment.* from unnest(
          ${transfers.map(({ txHash }) => txHash)}::text[],
          ${transfers.map(({ outputIndex }) => outputIndex)}::integer[]
        ) as seen (tx_hash, output_index)
        cross join lateral (
          select ${touched}, tx_hash as "txHash", output_index as "outputIndex", waiting, block_hash as "blockHash"
          from payments
          where gate_id = ${gateId} and tx_hash = seen.tx_hash and output_index = seen.output_index
          order by gate_id, tx_hash, output_index limit 1
        ) as payment`.rows(db)
    },

    async waiting(gateId: string): Promise<KnownPayment[]> {
      return sql<KnownPayment>`
        select ${touched}, tx_hash as "txHash", output_index as "outputIndex", waiting, block_hash as "blockHash"
        from payments where gate_id = ${gateId} and waiting`.rows(db)
    },

    async insert(gateId: string, payments: readonly NewPayment[]): Promise<void> {
      if (payments.length === 0) return
      const rows = payments.map((payment) => ({
        id: payment.id,
        tx_hash: payment.txHash,
        output_index: payment.outputIndex,
        environment: payment.environment,
        currency: payment.currency,
        network: payment.network,
        decimals: payment.decimals,
        units: payment.units.toString(),
        address: payment.address,
        address_tag: payment.tag,
        invoice_id: payment.invoiceId,
        suspense_reason: payment.suspenseReason,
        for_merchant_id: payment.sentTo?.merchantId ?? null,
        for_invoice_id: payment.sentTo?.invoiceId ?? null,
        for_static_address_id: payment.sentTo?.staticAddressId ?? null,
        required_confirmations: payment.requiredConfirmations,
        seen_at: payment.seenAt.toISOString(),
        waiting: payment.block === null,
        block_height: payment.block?.height.toString() ?? null,
        block_hash: payment.block?.hash ?? null,
        of_merchant: payment.merchantId,
        by_balance: payment.byBalance ?? false,
      }))
      await sql`
        insert into payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units,
          address, address_tag, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id,
          required_confirmations, seen_at, waiting, block_height, block_hash, by_balance)
        select id, ${gateId}, tx_hash, output_index, environment, currency, network, decimals, units, address,
          address_tag, invoice_id, suspense_reason, for_merchant_id, for_invoice_id, for_static_address_id,
          required_confirmations, merchant_time(seen.of_merchant, environment, seen_at), waiting, block_height, block_hash,
          by_balance
        from json_array_elements(${JSON.stringify(rows)}::json) as given (payment)
        cross join lateral json_populate_record(null::payments, given.payment)
        cross join lateral (select (given.payment ->> 'of_merchant')::uuid as of_merchant) as seen`.run(db)
    },

    /**
     * Assigns known payments to the blocks that hold them now. If the block's time is earlier than our first sighting, it
     * becomes the time of that sighting, as if we had first seen the payment in this block. The given times are real.
     */
    async place(
      placed: readonly { paymentId: string; block: { height: bigint; hash: string }; seenAt: Date }[],
    ): Promise<void> {
      if (placed.length === 0) return
      await sql`
        update payments set waiting = false, block_height = placed.height, block_hash = placed.hash,
          seen_at = least(payments.seen_at, case payments.environment when 'test' then merchant_time(
            (select merchant_id from invoices where id = payments.invoice_id), payments.environment, placed.seen_at)
            else placed.seen_at end)
        from unnest(
          ${placed.map(({ paymentId }) => paymentId)}::uuid[],
          ${placed.map(({ block }) => block.height.toString())}::bigint[],
          ${placed.map(({ block }) => block.hash)}::text[],
          ${placed.map(({ seenAt }) => seenAt.toISOString())}::timestamptz[]
        ) as placed (id, height, hash, seen_at)
        where payments.id = placed.id`.run(db)
    },

    async setWaiting(ids: readonly string[], waiting: boolean): Promise<void> {
      if (ids.length === 0) return
      await sql`
        update payments set waiting = ${waiting}
        where id = any(${[...ids]}::uuid[]) and block_height is null`.run(db)
    },

    /**
     * Removes payments from the blocks above a height, which were replaced. They count as waiting until the mempool shows
     * that they are not: they must not be given up before that.
     */
    async detachAbove(gateId: string, height: bigint): Promise<Touched[]> {
      return sql<Touched>`
        update payments set block_height = null, block_hash = null, waiting = true
        where gate_id = ${gateId} and block_height > ${height.toString()}
        returning ${touched}`.rows(db)
    },

    /** Payments that become deep enough, or cease to be, when the tip moves between these heights (inclusive). */
    async maturingBetween(gateId: string, from: bigint, to: bigint): Promise<Touched[]> {
      return sql<Touched>`
        select ${touched} from payments
        where gate_id = ${gateId} and matures_at between ${from.toString()} and ${to.toString()}`.rows(db)
    },

    /** The gates on which a payment, or a transaction sent for a spend, is not deep enough yet. */
    async gatesAwaitingConfirmations(): Promise<string[]> {
      const rows = await sql<{ gateId: string }>`
        select gate_id as "gateId" from followed_chains
        where exists (select from payments where payments.gate_id = followed_chains.gate_id and waiting)
          or exists (select from payments
            where payments.gate_id = followed_chains.gate_id and matures_at > followed_chains.height)
          or exists (select from spends join spend_transactions as sent on sent.spend_id = spends.id
            where spends.gate_id = followed_chains.gate_id and status = 'open' and sent.sent_at is not null)`.rows(
        db,
      )
      return rows.map(({ gateId }) => gateId)
    },

    /**
     * What is on chain for each invoice. This has to be one statement: if the tip were read a moment after the payments, a
     * payment that was just reorganised away would seem deep enough.
     */
    async ofInvoices(invoiceIds: readonly string[]): Promise<Map<string, PaymentsAndChain>> {
      type PaymentColumns = Omit<Payment, 'booking'> & BookingColumns
      type ChainColumns = { readonly tip: bigint; readonly scannedAt: Date }
      type Row = { readonly invoiceId: string } & (PaymentColumns | Absent<PaymentColumns>) &
        (ChainColumns | Absent<ChainColumns>)
      const rows = await sql<Row>`
        select payments.id, invoices.id as "invoiceId", tx_hash as "txHash", output_index as "outputIndex",
          payments.currency, payments.network, payments.decimals, units, seen_at as "seenAt", waiting,
          block_height as "blockHeight", payments.required_confirmations as "requiredConfirmations",
          chain.height as tip,
          merchant_time(invoices.merchant_id, invoices.environment, chain.scanned_at) as "scannedAt", ${bookingColumns}
        from invoices
        left join followed_chains as chain on chain.gate_id = invoices.gate_id
        left join payments on payments.invoice_id = invoices.id
        left join payment_bookings as booking on booking.payment_id = payments.id
        where invoices.id = any(${[...invoiceIds]}::uuid[])
        order by seen_at, tx_hash, output_index`.rows(db)
      return new Map(
        [...Map.groupBy(rows, ({ invoiceId }) => invoiceId)].map(([invoiceId, ofInvoice]) => {
          const { tip, scannedAt } = ofInvoice[0] as Row
          const payments = ofInvoice
            .map(({ invoiceId: _, tip: __, scannedAt: ___, ...payment }) => payment)
            .filter((payment) => payment.id !== null)
            .map(withBooking)
          return [invoiceId, { payments, chain: tip === null ? null : { tip, scannedAt } }]
        }),
      )
    },

    /** Whether a payment of the invoice was ever seen on chain, confirmed or not. */
    async isSeen(invoiceId: string): Promise<boolean> {
      const found = await sql`select from payments where invoice_id = ${invoiceId} limit 1`.run(db)
      return found > 0
    },

    /**
     * Locks the payments that belong to no invoice until the transaction ends: booking them and moving them on their chain
     * exclude each other.
     */
    async lockInSuspense(ids: readonly string[]): Promise<SuspensePayment[]> {
      await sql`
        select from payments where id = any(${[...ids]}::uuid[]) and invoice_id is null
        order by id for no key update`.run(db)
      // Read once the locks are held: the rows may have changed while this waited for them.
      const rows = await sql<Omit<SuspensePayment, 'booking'> & BookingColumns>`
        select payments.id, payments.environment, suspense_reason as "suspenseReason", chain.height as tip, currency, network,
          decimals, units, tx_hash as "txHash", block_height as "blockHeight",
          required_confirmations as "requiredConfirmations", case when release.payment_id is not null
            then json_build_object('merchantId', release.merchant_id, 'note', release.note) end as release, ${bookingColumns}
        from payments
        join followed_chains as chain on chain.gate_id = payments.gate_id
        left join payment_bookings as booking on booking.payment_id = payments.id
        left join suspense_releases as release on release.payment_id = payments.id
        where payments.id = any(${[...ids]}::uuid[]) and invoice_id is null
        order by payments.id`.rows(db)
      return rows.map(withBooking)
    },

    async saveBookings(
      bookings: readonly {
        paymentId: string
        credited: boolean
        credits: number
        late: boolean
        feeUnits: bigint
        /** By the merchant's clock. */
        at: Date
      }[],
    ): Promise<void> {
      if (bookings.length === 0) return
      await sql`
        insert into payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at)
        select payment_id, credited, credits, late, fee_units, case when credited then at end
        from unnest(
          ${bookings.map(({ paymentId }) => paymentId)}::uuid[],
          ${bookings.map(({ credited }) => credited)}::boolean[],
          ${bookings.map(({ credits }) => credits)}::integer[],
          ${bookings.map(({ late }) => late)}::boolean[],
          ${bookings.map(({ feeUnits }) => feeUnits.toString())}::numeric[],
          ${bookings.map(({ at }) => at.toISOString())}::timestamptz[]
        ) as booking (payment_id, credited, credits, late, fee_units, at)
        on conflict (payment_id) do update set credited = excluded.credited, credits = excluded.credits,
          late = excluded.late, fee_units = excluded.fee_units, confirmed_at = case
            when payment_bookings.credited and excluded.credited then payment_bookings.confirmed_at
            else excluded.confirmed_at end`.run(db)
    },
  }
}

function withBooking<Row extends BookingColumns>(row: Row) {
  const { credited, credits, late, feeUnits, confirmedAt, ...payment } = row
  return {
    ...payment,
    booking: credited === null ? null : { credited, credits, late, feeUnits, confirmedAt },
  }
}
