import { sql } from '../sql.ts'
import type { Check } from './audit-check.ts'

// A payment with everything that decides what the books must say about it. Times are compared in milliseconds, as
// assessments do. A payment that is still to be assessed or booked is not wrong yet.
const judged = sql`
  select payments.*, coalesce(booking.credited, false) as credited, coalesce(booking.credits, 0) as credits,
    coalesce(booking.late, false) as late, coalesce(booking.fee_units, 0) as booked_fee,
    booking.payment_id is not null as assessed, invoices.status, invoices.merchant_id, invoices.fee_bps,
    followed_chains.height as tip, coalesce(matures_at <= followed_chains.height, false) as deep,
    date_trunc('milliseconds', seen_at) <= coalesce(date_trunc('milliseconds', invoices.expires_at), 'infinity') as in_time,
    invoices.status in ('pending', 'underpaid') and coalesce(booking.credits, 0) = 0
      and date_trunc('milliseconds', seen_at) > date_trunc('milliseconds', invoices.expires_at) as too_late_yet,
    exists (select from jobs where kind = 'assess_invoice' and subject = invoice_id)
      or exists (select from jobs where kind = 'book_suspense' and subject = payments.id) as is_job_open
  from payments
  join followed_chains using (gate_id)
  left join payment_bookings as booking on booking.payment_id = payments.id
  left join invoices on invoices.id = invoice_id`

const bookedTypes = sql`('deposit', 'late_deposit', 'fee', 'reversal', 'suspense', 'suspense_reversal', 'float', 'float_reversal')`

/** What the books promise about payments and invoices. */
export const paymentChecks: readonly Check[] = [
  {
    promise:
      'every payment that is credited was booked once more than it was reversed, and every other as often',
    differences: sql`
      select format('payment %s (%s): it was booked %s times and reversed %s times (suspense: %s and %s), and counts as %s, booked %s times',
        coalesce(id, subject), coalesce('invoice ' || invoice_id, suspense_reason, 'unknown'), coalesce(booked, 0),
        coalesce(reversed, 0), coalesce(suspended, 0), coalesce(released, 0),
        case when credited then 'credited' else 'not credited' end, coalesce(credits, 0)) as difference
      from (
        select subject, count(*) filter (where entry_type in ('deposit', 'late_deposit')) as booked,
          count(*) filter (where entry_type = 'reversal') as reversed,
          count(*) filter (where entry_type in ('suspense', 'float')) as suspended,
          count(*) filter (where entry_type in ('suspense_reversal', 'float_reversal')) as released
        from ledger_transactions where entry_type in ${bookedTypes} group by 1
      ) as moved
      full join (${judged}) as payment on payment.id = subject
      where id is null
        or (case when invoice_id is null then (coalesce(suspended, 0), coalesce(released, 0)) else (coalesce(booked, 0), coalesce(reversed, 0)) end)
          <> (credits::bigint, (credits - credited::integer)::bigint)
        or (case when invoice_id is null then coalesce(booked, 0) + coalesce(reversed, 0) else coalesce(suspended, 0) + coalesce(released, 0) end) > 0`,
  },
  {
    promise:
      'every booking of a payment has its amount and its fee, in its asset and for the merchant of its invoice',
    differences: sql`
      select format('ledger transaction %s (%s, time %s) of payment %s over %s units with a fee of %s basis points: posted available %s, fees %s, suspense %s, chain %s%s',
        id, entry_type, occurrence, payment_id, units, fee_bps, available, fees, suspense, chain,
        case when belongs then '' else ', on accounts of another owner or asset' end) as difference
      from (
        select transactions.id, entry_type, occurrence, payment.id as payment_id, payment.units, payment.fee_bps,
          div(payment.units * coalesce(payment.fee_bps, 0), 10000) as fee,
          coalesce(sum(postings.units) filter (where kind = 'available'), 0) as available,
          coalesce(sum(postings.units) filter (where kind = 'fees'), 0) as fees,
          coalesce(sum(postings.units) filter (where kind = case payment.suspense_reason when 'operator_float' then 'float' else 'suspense' end), 0) as suspense,
          coalesce(sum(postings.units) filter (where kind = 'chain'), 0) as chain,
          bool_and((account.environment, account.network, account.currency, account.decimals)
            = (payment.environment, payment.network, payment.currency, payment.decimals)
            and (account.merchant_id is null or account.merchant_id is not distinct from payment.merchant_id)) as belongs
        from ledger_transactions as transactions
        join (${judged}) as payment on payment.id = subject
        left join postings on transaction_id = transactions.id
        left join ledger_accounts as account on account.id = account_id
        where entry_type in ${bookedTypes}
        group by transactions.id, entry_type, occurrence, payment.id, payment.units, payment.fee_bps, payment.suspense_reason
      ) as booked
      where not coalesce(belongs, false) or (available, fees, suspense, chain) <> (case entry_type
        when 'fee' then (-fee, fee, 0::numeric, 0::numeric)
        when 'reversal' then (fee - units, -fee, 0::numeric, units)
        when 'suspense' then (0::numeric, 0::numeric, units, -units)
        when 'float' then (0::numeric, 0::numeric, units, -units)
        when 'suspense_reversal' then (0::numeric, 0::numeric, -units, units)
        when 'float_reversal' then (0::numeric, 0::numeric, -units, units)
        else (units, 0::numeric, 0::numeric, -units) end)
      union all
      select format('payment %s: credit %s of %s units has %s fee entries; its fee is %s basis points, or %s units',
        payment.id, credit.occurrence, payment.units, count(fee.id), payment.fee_bps,
        div(payment.units * payment.fee_bps, 10000))
      from ledger_transactions as credit
      join (${judged}) as payment on payment.id = credit.subject
      left join ledger_transactions as fee on fee.entry_type = 'fee' and fee.subject = credit.subject
        and fee.occurrence = credit.occurrence
      where credit.entry_type in ('deposit', 'late_deposit')
      group by payment.id, credit.occurrence, payment.units, payment.fee_bps
      having count(fee.id) <> (div(payment.units * payment.fee_bps, 10000) > 0)::integer
      union all
      select format('payment %s: its booking says a fee of %s; it should be %s', id, booked_fee, expected)
      from (select *, case when credited then div(units * coalesce(fee_bps, 0), 10000) else 0 end as expected
        from (${judged}) as payment) as payment
      where booked_fee <> expected
      union all
      select format('payment %s: its credit %s is a %s, but its booking says that it came %s', payment.id, credits,
        entry_type, case when late then 'late' else 'in time' end)
      from (${judged}) as payment
      join ledger_transactions on subject = payment.id and occurrence = credits and entry_type in ('deposit', 'late_deposit')
      -- An entry keeps the type it was booked with. A payment seen in time counts even if its entry is late. A payment seen
      -- after the window counts only while the invoice is settled, whatever its entry says.
      where late <> (entry_type = 'late_deposit') and (status = 'cancelled'
        or late <> (not in_time and status not in ('paid', 'overpaid')))`,
  },
  {
    promise:
      'every adjustment credits a merchant with a payment released to it from suspense, or reverses that with the payment',
    differences: sql`
      select format('payment %s of %s units (%s): adjustments credited it %s times and reversed it %s times; it is %s and %s%s',
        coalesce(moved.subject, release.payment_id), payment.units, coalesce(suspense_reason, 'unknown'), coalesce(given, 0),
        coalesce(taken, 0), case when credited then 'booked' else 'not booked' end,
        coalesce('released to merchant ' || release.merchant_id, 'not released'),
        case when belongs then '' else '; a posting has another amount or another account' end) as difference
      from (
        select transactions.subject, count(distinct transactions.id) filter (where occurrence % 2 = 0) as given,
          count(distinct transactions.id) filter (where occurrence % 2 = 1) as taken,
          bool_and(coalesce((account.environment, account.network, account.currency, account.decimals)
            = (payment.environment, payment.network, payment.currency, payment.decimals)
            and account.kind in ('available', 'suspense')
            and (account.kind = 'suspense' or account.merchant_id = release.merchant_id)
            and postings.units = payment.units * (case when occurrence % 2 = 0 then 1 else -1 end)
              * (case account.kind when 'available' then 1 else -1 end), false)) as belongs
        from ledger_transactions as transactions
        left join payments as payment on payment.id = transactions.subject
        left join suspense_releases as release on release.payment_id = transactions.subject
        left join postings on transaction_id = transactions.id
        left join ledger_accounts as account on account.id = account_id
        where entry_type = 'adjustment' group by 1
      ) as moved
      full join suspense_releases as release on release.payment_id = moved.subject
      left join (${judged}) as payment on payment.id = coalesce(moved.subject, release.payment_id)
      where release.payment_id is null or not coalesce(belongs, false)
        or coalesce(given, 0) - coalesce(taken, 0) is distinct from coalesce(credited, false)::integer`,
  },
  {
    promise: 'every payment belongs to the invoice that owns its address, or has a reason to be in suspense',
    differences: sql`
      select format('payment %s of %s %s to %s%s on %s: %s', payments.id, payments.units, payments.currency, address,
        ' tag ' || address_tag, payments.gate_id, case
          when invoice_id is null then 'it has neither an invoice nor a reason to be in suspense'
          when invoices.id is null then format('its invoice %s does not exist', invoice_id)
          else format('its invoice %s awaits %s at %s%s on %s', invoice_id, invoices.currency, deposit_address,
            ' tag ' || deposit_address_tag, invoices.gate_id) end) as difference
      from payments left join invoices on invoices.id = invoice_id
      where (invoice_id is null and suspense_reason is null)
        or (invoice_id is not null and (payments.gate_id, payments.currency, address, coalesce(address_tag, ''), payments.environment)
          is distinct from (invoices.gate_id, invoices.currency, deposit_address, coalesce(deposit_address_tag, ''), invoices.environment))`,
  },
  {
    promise: 'a payment is credited exactly when it is deep enough in a block of the followed branch',
    differences: sql`
      select format('payment %s (%s, %s units): it is %s, with %s of %s confirmations (block %s, tip %s)',
        id, coalesce('invoice ' || invoice_id, suspense_reason, 'unknown'), units,
        case when not assessed then 'not assessed' when credited then 'credited' else 'not credited' end,
        greatest(coalesce(tip - block_height + 1, 0), 0), required_confirmations, coalesce(block_height::text, 'none'), tip) as difference
      from (${judged}) as payment
      where not is_job_open
        and ((credited <> deep and not (deep and coalesce(too_late_yet, false))) or (not assessed and invoice_id is not null))
      union all
      select format('payment %s: it is recorded in block %s (%s) of %s, but the followed branch %s', payments.id,
        block_height, block_hash, payments.gate_id,
        case when block_height > followed_chains.height then format('ends at %s', followed_chains.height)
          else format('has %s there', followed_blocks.hash) end)
      from payments
      join followed_chains using (gate_id)
      left join followed_blocks on followed_blocks.gate_id = payments.gate_id and followed_blocks.height = block_height
      where block_height > followed_chains.height or followed_blocks.hash <> block_hash`,
  },
  {
    promise: 'the amounts of every invoice are the sums of its payments',
    differences: sql`
      select format('invoice %s: paid %s, settled %s, pending %s, fee %s; its payments sum to paid %s, settled %s, pending %s, fee %s',
        id, paid_units, settled_units, pending_units, fee_units, paid, settled, pending, fee) as difference
      from (
        select invoices.id, paid_units, settled_units, pending_units, fee_units,
          coalesce(sum(units) filter (where credited), 0) as paid,
          coalesce(sum(units) filter (where credited and not late), 0) as settled,
          coalesce(sum(units) filter (where not credited and (waiting or block_height is not null)
            and (not deep or too_late_yet)), 0) as pending,
          coalesce(sum(booked_fee) filter (where credited), 0) as fee,
          -- A payment is recorded before its assessment is.
          coalesce(bool_or(is_job_open), false) as is_job_open
        from invoices left join (${judged}) as payment on payment.invoice_id = invoices.id
        group by invoices.id
      ) as invoice
      where (paid_units, settled_units, fee_units) <> (paid, settled, fee) or (pending_units <> pending and not is_job_open)`,
  },
  {
    promise: 'the status of every invoice matches its confirmed amount',
    differences: sql`
      select format('invoice %s: it is %s, with %s settled of %s (enough: %s)', id, status, settled_units, amount_units, enough)
        as difference
      from (
        -- Rounded up to whole units, as settlementThreshold does. The quotient of / would itself be rounded, to some 16
        -- digits.
        select *, div(amount_units * (10000 - tolerance_bps) + 9999, 10000) as enough from invoices where amount_units is not null
      ) as invoice
      where case status
        when 'overpaid' then settled_units <= amount_units
        when 'paid' then settled_units < enough or settled_units > amount_units
        when 'cancelled' then settled_units > 0
        else settled_units >= enough end
        or (status in ('paid', 'overpaid') and paid_at is null)
        or ((status = 'cancelled') <> (cancelled_at is not null))`,
  },
  {
    promise:
      'every invoice that was ever paid has exactly one invoice.paid event, and no other invoice has any',
    differences: sql`
      select format('invoice %s: it has %s invoice.paid events, and %s', invoices.id, coalesce(paid_events, 0),
        case when paid_at is null then 'was never paid' else format('was paid at %s', paid_at) end) as difference
      from invoices
      left join (
        select data ->> 'id' as id, count(*) as paid_events from events where event = 'invoice.paid' and data ->> 'id' is not null group by 1
      ) as events on events.id = invoices.id::text
      where coalesce(paid_events, 0) <> (paid_at is not null)::integer
        -- Old events are deleted. An event is written a moment after the time that its invoice was paid at.
        and not (paid_events is null and paid_at < coalesce(
          (select before + interval '1 hour' from retention_floors where kept = 'events'), '-infinity'))`,
  },
]
