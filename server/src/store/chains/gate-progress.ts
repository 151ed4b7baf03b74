import type { GateProgress, TroubleKind } from '../../domain/gate-health.ts'
import { type Db, sql } from '../sql.ts'

/** How often the time of the last poll is written while a chain is idle, so that not every poll writes. */
const noteEveryMs = 5_000

type Row = {
  readonly gateId: string
  readonly sinceEndMs: number | null
  readonly behind: bigint
  readonly reason: string | null
  readonly kind: TroubleKind | null
  readonly since: Date | null
  readonly sinceMs: number | null
}

/** The progress of the followers of gates. */
export function gateProgressOn(db: Db) {
  return {
    /** A poll has reached the tip of the chain. `provesState`: it has also read the balances of addresses there. */
    async noteEnd(gateId: string, provesState: boolean): Promise<void> {
      const mends = provesState ? sql`true` : sql`known.trouble_kind is distinct from 'state'`
      await sql`
        insert into gate_progress as known (gate_id, at_end_at) values (${gateId}, clock_timestamp())
        on conflict (gate_id) do update set at_end_at = excluded.at_end_at, behind = 0,
          trouble = case when ${mends} then null else known.trouble end,
          trouble_kind = case when ${mends} then null else known.trouble_kind end,
          trouble_since = case when ${mends} then null else known.trouble_since end
        where known.at_end_at is null or known.behind <> 0 or (known.trouble is not null and ${mends})
          or known.at_end_at < clock_timestamp() - ${noteEveryMs} * interval '1 millisecond'`.run(db)
    },

    /** A poll made progress, and there is more to read. */
    async noteBehind(gateId: string, behind: bigint): Promise<void> {
      await sql`
        insert into gate_progress (gate_id, behind) values (${gateId}, ${behind.toString()})
        on conflict (gate_id) do update set behind = excluded.behind, trouble = null, trouble_kind = null,
          trouble_since = null`.run(db)
    },

    /** A poll failed. If there was trouble before, it continues, and only its reason and kind may change. */
    async noteTrouble(gateId: string, kind: TroubleKind, reason: string): Promise<void> {
      await sql`
        insert into gate_progress as known (gate_id, trouble, trouble_kind, trouble_since)
        values (${gateId}, ${reason}, ${kind}, clock_timestamp())
        on conflict (gate_id) do update set trouble = excluded.trouble, trouble_kind = excluded.trouble_kind,
          trouble_since = coalesce(known.trouble_since, excluded.trouble_since)
        where known.trouble is distinct from excluded.trouble or known.trouble_kind is distinct from excluded.trouble_kind`.run(
        db,
      )
    },

    /** By gate; gates that were never followed are left out. */
    async list(): Promise<ReadonlyMap<string, GateProgress>> {
      const rows = await sql<Row>`
        select gate_id as "gateId", behind, trouble as reason, trouble_kind as kind, trouble_since as since,
          (extract(epoch from clock_timestamp() - at_end_at) * 1000)::float8 as "sinceEndMs",
          (extract(epoch from clock_timestamp() - trouble_since) * 1000)::float8 as "sinceMs"
        from gate_progress`.rows(db)
      return new Map(
        rows.map(({ gateId, sinceEndMs, behind, reason, kind, since, sinceMs }) => [
          gateId,
          {
            sinceEndMs,
            behind,
            trouble:
              reason === null || kind === null || since === null || sinceMs === null
                ? null
                : { reason, kind, since, sinceMs },
          },
        ]),
      )
    },
  }
}
