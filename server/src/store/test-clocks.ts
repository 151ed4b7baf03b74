import type { Environment } from '../domain/environment.ts'
import type { Brought, ClockOwner } from '../domain/test-clock.ts'
import { payoutApproved } from './spends/announcements.ts'
import { type Db, type Sql, sql } from './sql.ts'
import { webhookDeliveryChannel } from './webhooks/webhook-deliveries.ts'

/** A stored move of a clock. */
export type ClockMove = ClockOwner & {
  readonly id: string
  readonly movedAt: Date
  readonly advancedSeconds: number
  readonly aheadSeconds: number
  readonly brought: Brought
  readonly idempotencyKey: string | null
  readonly requestHash: Buffer | null
}

/**
 * Now by the clock of the row's merchant, for tables with both columns. The same as `merchant_now` says; calling that for each
 * row takes ten times as long as looking up the clock. A live row costs neither.
 */
export const rowNow = sql`case environment when 'test' then clock_timestamp() + coalesce((
  select clock.ahead from (values (merchant_id)) as own (of_merchant)
  join test_clocks as clock on clock.merchant_id = own.of_merchant and clock.environment = 'test'), interval '0')
  else clock_timestamp() end`

/**
 * Whether a row's moment has come by its merchant's clock. Without an environment, the rows may be of either. Live rows are
 * found by an index on the moment; reading them costs no more than before.
 */
export function hasCome(moment: Sql, environment: Environment | null): Sql {
  if (environment === 'live') return sql`${moment} <= clock_timestamp()`
  return sql`(${moment} <= clock_timestamp() or environment = 'test' and ${moment} <= ${rowNow})`
}

/** The clocks of test environments. */
export function testClocksOn(db: Db) {
  const named = ({ merchantId, environment }: ClockOwner) =>
    sql`merchant_id = ${merchantId} and environment = ${environment}`

  const nowOf = ({ merchantId, environment }: ClockOwner) => sql`merchant_now(${merchantId}, ${environment})`

  return {
    /** How far the merchant's clock is ahead of the real time. */
    async aheadMs(owner: ClockOwner): Promise<number> {
      const [ahead] = await this.aheadOf([owner])
      return ahead as number
    },

    /** The same for several, in their order. */
    async aheadOf(owners: readonly ClockOwner[]): Promise<number[]> {
      if (owners.every(({ environment }) => environment === 'live')) return owners.map(() => 0)
      const rows = await sql<{ merchantId: string; aheadMs: number }>`
        select merchant_id as "merchantId", (extract(epoch from ahead) * 1000)::float8 as "aheadMs" from test_clocks
        where merchant_id = any(${owners.map(({ merchantId }) => merchantId)}::uuid[])`.rows(db)
      const ahead = new Map(rows.map((row) => [row.merchantId, row.aheadMs]))
      return owners.map(({ merchantId, environment }) =>
        environment === 'test' ? (ahead.get(merchantId) ?? 0) : 0,
      )
    },

    /**
     * The clock, locked until the transaction ends: moves wait for each other. The real time is read after locking. It is never
     * before an earlier move, even if the database's clock was set back: what the clock showed when could not be told any more.
     */
    async lock({ merchantId, environment }: ClockOwner): Promise<{ aheadSeconds: number; realNow: Date }> {
      await sql`
        insert into test_clocks (merchant_id, environment, ahead) values (${merchantId}, ${environment}, '0')
        on conflict do nothing`.run(db)
      const { aheadSeconds } = await sql<{ aheadSeconds: number }>`
        select extract(epoch from ahead)::integer as "aheadSeconds" from test_clocks
        where ${named({ merchantId, environment })} for update`.one(db)
      const { realNow } = await sql<{ realNow: Date }>`
        select greatest(clock_timestamp(), (
          select max(moved_at) from test_clock_moves where merchant_id = ${merchantId})) as "realNow"`.one(db)
      return { aheadSeconds, realNow }
    },

    async findMove({ merchantId }: ClockOwner, idempotencyKey: string): Promise<ClockMove | null> {
      return sql<ClockMove>`
        select id, merchant_id as "merchantId", environment, moved_at as "movedAt",
          extract(epoch from advanced)::integer as "advancedSeconds", extract(epoch from ahead)::integer as "aheadSeconds",
          brought, idempotency_key as "idempotencyKey",
          request_hash as "requestHash"
        from test_clock_moves where merchant_id = ${merchantId} and idempotency_key = ${idempotencyKey}`.maybeOne(
        db,
      )
    },

    /** The moves since this moment of the real time. */
    async movesSince(
      { merchantId, environment }: ClockOwner,
      since: Date,
    ): Promise<{ movedAt: Date; advancedMs: number }[]> {
      return sql<{ movedAt: Date; advancedMs: number }>`
        select moved_at as "movedAt", (extract(epoch from advanced) * 1000)::float8 as "advancedMs" from test_clock_moves
        where merchant_id = ${merchantId} and environment = ${environment} and moved_at >= ${since}`.rows(db)
    },

    /** Moves a clock that the caller has locked. */
    async move(move: ClockMove): Promise<void> {
      const ahead = sql`make_interval(secs => ${move.aheadSeconds})`
      await sql`update test_clocks set ahead = ${ahead} where ${named(move)}`.run(db)
      await sql`
        insert into test_clock_moves (id, merchant_id, environment, moved_at, advanced, ahead, brought,
          idempotency_key, request_hash)
        values (${move.id}, ${move.merchantId}, ${move.environment}, ${move.movedAt},
          make_interval(secs => ${move.advancedSeconds}), ${ahead}, ${JSON.stringify(move.brought)}, ${move.idempotencyKey}, ${move.requestHash})`.run(
        db,
      )
    },

    /** How much would become due if the clock moved between these times. */
    async countDue(owner: ClockOwner, from: Date, to: Date): Promise<Omit<Brought, 'deliveries'>> {
      const own = named(owner)
      return sql<Omit<Brought, 'deliveries'>>`
        select
          (select count(*)::integer from invoices where ${own} and due_at > ${from} and due_at <= ${to}) as invoices,
          (select count(*)::integer from payouts
            where ${own} and status = 'approved' and executable_at > ${from} and executable_at <= ${to}) as payouts`.one(
        db,
      )
    },

    /**
     * Lets time pass for the merchant's webhooks: their own times are real, so they come that much earlier, but never before
     * now: they are not late, and go behind what was due before. Returns how many deliveries that waited to be tried again
     * are due now.
     */
    async ageWebhooks(owner: ClockOwner, seconds: number): Promise<number> {
      const passed = sql`make_interval(secs => ${seconds})`
      const { count } = await sql<{ count: number }>`
        with aged as (
          update webhook_deliveries as delivery set due_at = greatest(due_at - ${passed}, statement_timestamp())
          from webhook_endpoints as endpoint
          where endpoint.merchant_id = ${owner.merchantId} and endpoint.environment = ${owner.environment}
            and delivery.endpoint_id = endpoint.id and delivery.status = 'pending' and not delivery.claimed
            and delivery.due_at > statement_timestamp()
          returning delivery.due_at
        )
        select count(*) filter (where due_at <= statement_timestamp())::integer as count from aged`.one(db)
      await sql`
        update webhook_endpoints set failing_since = failing_since - ${passed}, previous_until = previous_until - ${passed}
        where ${named(owner)} and (failing_since is not null or previous_until is not null)`.run(db)
      return count
    },

    /** Wakes the workers once the transaction commits. */
    async announce({ payouts, deliveries }: Brought): Promise<void> {
      if (payouts > 0) await sql`select pg_notify(${payoutApproved}, '')`.run(db)
      if (deliveries > 0) await sql`select pg_notify(${webhookDeliveryChannel}, '')`.run(db)
    },

    /** The gates of the merchant's invoices that are due and not yet assessed. Null stands for those without a gate. */
    async gatesOfDueInvoices(owner: ClockOwner): Promise<(string | null)[]> {
      const rows = await sql<{ gateId: string | null }>`
        select distinct gate_id as "gateId" from invoices left join followed_chains as chain using (gate_id)
        where ${named(owner)} and due_at <= (select ${nowOf(owner)}) and chain.halted_at is null`.rows(db)
      return rows.map(({ gateId }) => gateId)
    },
  }
}
