import { type Db, type Sql, sql } from './sql.ts'

/** In how many milliseconds something of each kind is due, by the database's clock; zero or less if it is due now. */
export type Agenda = {
  /** Approved payouts to plan. Here and below, what a moved test clock brings is due by that clock. */
  readonly payouts: number
  /** Signed transactions to send or to check. */
  readonly spends: number
  /** Transactions that the signer has refused for good, to cancel or to end. */
  readonly refusals: number
  /** Invoices whose window ends. */
  readonly invoices: number
  /** Jobs other than mails. */
  readonly jobs: number
  /** Mails, and passkeys to announce by mail. */
  readonly mails: number
  /** Changes of payout policies to apply. */
  readonly policyChanges: number
  /** Webhooks to deliver. */
  readonly deliveries: number
  /** Refills that a block may hold: due at once while any is open or dead. */
  readonly refills: number
}

/** What is due later than this, or never, counts as due then. */
export const farOffMs = 60_000

// Enough to see past the jobs that one worker holds.
const jobsRead = 200

/** When the next jobs are due that only the clock brings, or whose announcement was lost. */
export function agendaOn(db: Db) {
  // Bounded on both sides: something may wait for years, and too many milliseconds would fail the whole statement.
  const inMs = (moment: Sql) => sql`
    ceil(extract(epoch from greatest(
      least((${moment}), clock_timestamp() + ${farOffMs} * interval '1 millisecond'), clock_timestamp()
    ) - clock_timestamp()) * 1000)::integer`
  const jobOf = (kind: string) => sql`
    select min(free_at) from (
      select greatest(due_at, claimed_until) as free_at from jobs where kind = ${kind} order by due_at limit ${jobsRead}
    ) as next`
  return {
    /** Reads it in one statement, from indexes that hold only what is not finished. */
    async read(cancelAfterMs: number): Promise<Agenda> {
      return sql<Agenda>`
        select ${inMs(sql`
            select least(
              (select min(executable_at) from payouts where status = 'approved'),
              (select min(executable_at - clock.ahead) from test_clocks as clock
                join payouts using (merchant_id, environment) where payouts.environment = 'test' and status = 'approved'))`)} as payouts,
          ${inMs(sql`
            select look_at from spends
            where status = 'open' and exists (
              select from spend_transactions where spend_id = spends.id and bytes is not null)
            order by look_at limit 1`)} as spends,
          ${inMs(sql`
            select least(
              (select min(given_up_at) from spends where given_up_at is not null and status = 'open'),
              (select min(refused_for_good_at) + ${cancelAfterMs} * interval '1 millisecond'
                from spend_transactions as refused join spends on spends.id = spend_id
                where bytes is null and refused_for_good_at is not null and status = 'open' and give_up_asked_at is null
                  and not exists (select from spend_transactions as other
                    where other.spend_id = refused.spend_id and other.bytes is not null)))`)} as refusals,
          ${inMs(sql`
            select least(
              (select min(next.due_at) from followed_chains as chain cross join lateral (
                select due_at from invoices where invoices.gate_id = chain.gate_id and due_at is not null
                order by due_at limit 1) as next
                where halted_at is null),
              (select due_at from invoices where gate_id is null and due_at is not null order by due_at limit 1),
              (select min(next.due_at - clock.ahead) from test_clocks as clock cross join lateral (
                select due_at from invoices
                where invoices.merchant_id = clock.merchant_id and invoices.environment = 'test' and due_at is not null
                  and (gate_id is null or exists (select from followed_chains as chain
                    where chain.gate_id = invoices.gate_id and halted_at is null))
                order by due_at limit 1) as next))`)} as invoices,
          ${inMs(sql`select least((${jobOf('assess_invoice')}), (${jobOf('book_suspense')}))`)} as jobs,
          ${inMs(sql`
            select least((${jobOf('send_mail')}), (select min(accepted_at) from signer_changes
              where announced_at is null and kind = 'passkey' and counts_from > clock_timestamp()))`)} as mails,
          ${inMs(sql`select min(applies_at) from policy_changes where status = 'waiting'`)} as "policyChanges",
          ${inMs(sql`
            with recursive busy as (
              (select endpoint_id, due_at from webhook_deliveries where status = 'pending'
                order by endpoint_id, due_at limit 1)
              union all
              select next.endpoint_id, next.due_at from busy cross join lateral (
                select endpoint_id, due_at from webhook_deliveries
                where status = 'pending' and endpoint_id > busy.endpoint_id order by endpoint_id, due_at limit 1) as next
            )
            select min(due_at) from busy`)} as deliveries,
          ${inMs(sql`
            select clock_timestamp() where exists (
              select from spends where kind = 'refill' and status in ('open', 'dead'))`)} as refills`.one(db)
    },
  }
}
