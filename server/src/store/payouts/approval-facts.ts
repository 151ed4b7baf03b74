import type { ApprovalFacts } from '../../domain/approval-warnings.ts'
import { isUuid } from '../../domain/ids.ts'
import type { Payout } from '../../domain/payouts.ts'
import { type Db, sql } from '../sql.ts'

// Limits what is read, however many payouts a merchant has made.
const maxPlaces = 1_000
const maxTwins = 3

// Payouts that were refused or failed say nothing about what is usual.
const counts = sql`status in ('approved', 'processing', 'completed')`

export function approvalFactsOn(db: Db) {
  return {
    /** What the merchant's earlier payouts say about this one. */
    async about(payout: Payout): Promise<Omit<ApprovalFacts, 'availableUnits' | 'approvers' | 'now'>> {
      const { id, merchantId, environment, network, currency, destination, destinationTag: tag } = payout
      const own = sql`merchant_id = ${merchantId} and environment = ${environment}`
      const there = sql`${own} and network = ${network} and destination = ${destination}
        and destination_tag is not distinct from ${tag}`
      const facts = await sql<Pick<ApprovalFacts, 'paidBefore' | 'keyMadeAt'>>`
        select (select count(*)::integer from payouts where ${there} and id <> ${id} and ${counts}) as "paidBefore",
          (select merchant_time(merchant_id, environment, created_at) from api_keys
            where id = any(${idsOf('key', [payout.createdBy])}::uuid[])) as "keyMadeAt"`.one(db)
      const otherPlaces = await sql<ApprovalFacts['otherPlaces'][number]>`
        select address, nullif(tag, '') as tag, label from payout_destinations
        where ${own} and network = ${network}
        union
        select distinct destination, destination_tag, null from (
          select destination, destination_tag from payouts
          where ${own} and network = ${network} and id <> ${id} and ${counts}
          order by position desc limit ${maxPlaces}) as latest
        order by label nulls last, address limit ${2 * maxPlaces}`.rows(db)
      const { count, largestUnits, percentile95Units } = await sql<{
        count: number
        largestUnits: bigint | null
        percentile95Units: bigint | null
      }>`
        select count(*)::integer as count, max(amount_units) as "largestUnits",
          percentile_disc(0.95) within group (order by amount_units) as "percentile95Units"
        from payouts where ${own} and currency = ${currency} and network = ${network} and id <> ${id} and ${counts}
          and approved_at > (select merchant_now(${merchantId}, ${environment})) - interval '90 days'`.one(db)
      const twins = await sql<ApprovalFacts['twins'][number]>`
        select id, created_at as "createdAt" from payouts
        where ${there} and currency = ${currency} and amount_units = ${payout.amountUnits.toString()} and id <> ${id}
          and status not in ('cancelled', 'failed') and created_at > ${payout.createdAt}::timestamptz - interval '24 hours'
          and created_at < ${payout.createdAt}::timestamptz + interval '24 hours'
        order by created_at limit ${maxTwins}`.rows(db)
      const usual =
        largestUnits === null || percentile95Units === null
          ? null
          : { count, largestUnits, percentile95Units }
      return { ...facts, otherPlaces, usual, twins }
    },

    /** The names of the actors `user:<id>` and `key:<id>`; others are left out. */
    async namesOf(actors: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = await sql<{ actor: string; name: string }>`
        select 'user:' || id as actor, name from users where id = any(${idsOf('user', actors)}::uuid[])
        union all
        select 'key:' || id as actor, name from api_keys where id = any(${idsOf('key', actors)}::uuid[])
        union all
        select 'test:' || id as actor, name from api_keys where id = any(${idsOf('test', actors)}::uuid[])`.rows(
        db,
      )
      return new Map(rows.map(({ actor, name }) => [actor, name]))
    },
  }
}

function idsOf(kind: 'user' | 'key' | 'test', actors: readonly string[]): string[] {
  return actors
    .filter((actor) => actor.startsWith(`${kind}:`))
    .map((actor) => actor.slice(kind.length + 1))
    .filter(isUuid)
}
