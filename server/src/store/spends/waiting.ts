import { environmentOf, type GateId } from '../../domain/networks/network.ts'
import type { Payout } from '../../domain/payouts.ts'
import { payoutColumns } from '../payouts/payout-rows.ts'
import { type Db, sql } from '../sql.ts'
import { hasCome, rowNow } from '../test-clocks.ts'

/** A payout that is not finished, makes no progress, and does not say why. */
export type Unexplained = {
  readonly payoutId: string
  readonly gateId: GateId
  readonly status: 'approved' | 'processing'
  readonly spendId: string | null
}

// Transactions that the network does not accept are sent again more often than this, so an older answer is outdated.
const freshMs = 60_000

/** Why payouts wait. */
export function waitingOn(db: Db) {
  return {
    /**
     * Records why the payouts of a spend, which are processing, wait; null when nothing blocks them. Returns those whose
     * reason is new.
     */
    async say(spendId: string, reason: string | null): Promise<Payout[]> {
      return sql<Payout>`
        update payouts set waiting_reason = ${reason}, updated_at = ${rowNow}
        where spend_id = ${spendId} and status = 'processing' and waiting_reason is distinct from ${reason}
        returning ${payoutColumns}`.rows(db)
    },

    /**
     * Records why a gate starts no payouts at present, on every approved payout that is due. Returns those whose reason is
     * new.
     */
    async sayAll(gateId: string, reason: string): Promise<Payout[]> {
      return sql<Payout>`
        update payouts set waiting_reason = ${reason}, updated_at = ${rowNow}
        where id in (
          select id from payouts
          where gate_id = ${gateId} and status = 'approved' and ${hasCome(sql`executable_at`, environmentOf(gateId))}
            and waiting_reason is distinct from ${reason}
          order by id for no key update skip locked)
        returning ${payoutColumns}`.rows(db)
    },

    /** The gates of due payouts, whether or not these gates are followed. */
    async gatesOfDue(): Promise<GateId[]> {
      const rows = await sql<{ gateId: GateId }>`
        select distinct gate_id as "gateId" from payouts
        where status = 'approved' and executable_at <= clock_timestamp()
        union
        select gate_id from test_clocks as clock join payouts using (merchant_id, environment)
        where payouts.environment = 'test' and status = 'approved' and executable_at <= clock_timestamp() + clock.ahead`.rows(
        db,
      )
      return rows.map(({ gateId }) => gateId)
    },

    /**
     * Payouts that have made no progress for `graceMs` and do not say why: approved and not started, planned and not signed,
     * signed and not sent, or spending a coin that is gone. A transaction that the network rejects records the reason when
     * it is sent again. One that waits for a block, or becomes deeper, makes progress.
     */
    async unexplained(graceMs: number, limit: number): Promise<Unexplained[]> {
      const before = sql`clock_timestamp() - ${graceMs} * interval '1 millisecond'`
      return sql<Unexplained>`
        select id as "payoutId", gate_id as "gateId", status, spend_id as "spendId" from payouts
        where status = 'approved' and waiting_reason is null and executable_at < ${before}
        union all
        select payouts.id, payouts.gate_id, payouts.status, payouts.spend_id
        from payouts join spends on spends.id = payouts.spend_id
        cross join lateral (
          select bool_or(bytes is not null) as signed, max(planned_at) as planned_at, max(signed_at) as signed_at,
            bool_or(sent_at is not null) as sent
          from spend_transactions where spend_id = spends.id
        ) as attempts
        where payouts.status = 'processing' and payouts.waiting_reason is null and spends.status = 'open' and (
          (not attempts.signed and attempts.planned_at < ${before})
          or (attempts.signed and not attempts.sent and attempts.signed_at < ${before})
          or exists (select from payments where pinned_by = spends.id and block_height is null and not waiting
            and spends.from_address is null))
        order by 1 limit ${limit}`.rows(db)
    },

    /**
     * Why the spend with the nonce that the network executes next is not mined, as the network or the signer says; `why` is
     * null when neither objects. Null when no spend has that nonce.
     */
    async atNonce(
      gateId: string,
      address: string,
      nonce: bigint,
    ): Promise<{ readonly why: string | null } | null> {
      return sql<{ why: string | null }>`
        select coalesce((array_agg(answer order by attempt desc)
            filter (where last_sent_at > clock_timestamp() - ${freshMs} * interval '1 millisecond'))[1],
          (array_agg(refusal order by attempt desc) filter (where bytes is null))[1]) as why
        from spends join spend_transactions on spend_id = spends.id
        where gate_id = ${gateId} and from_address = ${address} and nonce = ${nonce.toString()} and status = 'open'
        group by spends.id order by spends.id limit 1`.maybeOne(db)
    },
  }
}
