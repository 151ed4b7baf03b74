import { type Act, type Actor, type AuditEntry, type AuditHead, auditHash } from '../../domain/audit-log.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import { type PageRow, pageFrom } from '../outer-rows.ts'
import type { ExportPage } from '../reports/export-page.ts'
import { pageOf } from '../reports/page-of.ts'
import { type Db, type Sql, sql } from '../sql.ts'

export type AuditFilter = {
  readonly actor: string | null
  readonly action: string | null
  readonly from: Date | null
  readonly to: Date | null
}

/** A person's rejection of a payout. */
export type NotedRejection = { readonly name: string; readonly reason: string | null }

/** How a person ended a payout or an invoice. */
export type NotedEnding = NotedRejection & {
  readonly subject: string
  readonly actor: string
  readonly isRejection: boolean
}

/** Receives a walk through all chains, one after the other. */
export type AuditVisitor = {
  /** A chain begins; its stored head, and the last entry that was deleted as too old; null when there is none. */
  begin(chain: string, head: AuditHead | null, root: AuditHead | null): void
  /** Its entries in the order of their numbers. */
  entry(entry: AuditEntry): void
  end(): void
}

type EntryRow = Omit<AuditEntry, 'by'> & {
  readonly actor: string
  readonly name: string
  readonly ip: string | null
  readonly userAgent: string | null
}

type ChainRow = {
  readonly chain: string
  readonly seq: bigint | null
  readonly hash: Buffer | null
  readonly rootSeq: bigint | null
  readonly rootHash: Buffer | null
}

// Entries that a walk reads at a time, so that the longest log needs no more memory than this.
const pageSize = 1_000

const columns = sql`
  chain, seq, at, actor, actor_name as name, ip, user_agent as "userAgent", environment, action, subject, details,
  previous_hash as "previousHash", hash`

export function auditLogOn(db: Db) {
  return {
    /**
     * Adds an entry to a chain and locks the chain's head until the transaction ends. Call it after everything else that the
     * transaction locks.
     */
    async append(chain: string, by: Actor, act: Act): Promise<AuditEntry> {
      await sql`insert into audit_heads (chain) values (${chain}) on conflict do nothing`.run(db)
      const head = await sql<{ seq: bigint; hash: Buffer; now: Date }>`
        select seq, hash, date_trunc('milliseconds', clock_timestamp()) as now
        from audit_heads where chain = ${chain} for update`.maybeOne(db)
      if (head === null) throw new Error(`The audit log ${chain} has no head.`)
      const { environment, action, subject, details } = act
      const entry = { environment, action, subject, details, chain, by, seq: head.seq + 1n, at: head.now }
      const hash = auditHash({ ...entry, previousHash: head.hash })
      await sql`
        insert into audit_entries (chain, seq, at, actor, actor_name, ip, user_agent, environment, action, subject, details,
          previous_hash, hash)
        values (${chain}, ${entry.seq}, ${entry.at}, ${by.actor}, ${by.name}, ${by.ip}, ${by.userAgent}, ${environment},
          ${action}, ${subject}, ${JSON.stringify(details)}, ${head.hash}, ${hash})`.run(db)
      await sql`update audit_heads set seq = ${entry.seq}, hash = ${hash} where chain = ${chain}`.run(db)
      return { ...entry, previousHash: head.hash, hash }
    },

    /** One page of a chain, newest first. Without filters nothing is counted: the numbers tell the total. */
    async list(chain: string, filter: AuditFilter & PageRequest): Promise<Page<AuditEntry>> {
      const { actor, action, from, to } = filter
      const isFiltered = actor !== null || action !== null || from !== null || to !== null
      const wanted = wantedEntries(chain, filter)
      const total = isFiltered
        ? sql`(select count(*) from audit_entries where ${wanted})`
        : sql`coalesce((select seq from audit_heads where chain = ${chain}), 0)
            - coalesce((select seq from audit_roots where chain = ${chain}), 0)`
      const page = pageOf(sql`select ${columns} from audit_entries where ${wanted}`, sql`seq desc`, filter)
      const rows = await sql<PageRow<EntryRow>>`
        select ${total} as total, page.* from (select) as one left join (${page}) as page on true
        order by page.seq desc`.rows(db)
      return pageFrom(rows, 'seq', entryFrom)
    },

    /** The entries of that list below a number, without the total. */
    async exportPage(
      chain: string,
      filter: AuditFilter,
      below: bigint | null,
      limit: number,
    ): Promise<ExportPage<AuditEntry, bigint>> {
      const rows = await sql<EntryRow>`
        select ${columns} from audit_entries
        where ${wantedEntries(chain, filter)} ${below === null ? sql`` : sql`and seq < ${below}`}
        order by seq desc limit ${limit}`.rows(db)
      return { rows: rows.map(entryFrom), next: rows.length < limit ? null : (rows.at(-1)?.seq ?? null) }
    },

    /** Who rejected a payout, and why; null if no person did. */
    async rejectionOf(chain: string, payoutId: string): Promise<NotedRejection | null> {
      return sql<NotedRejection>`
        select actor_name as name, details ->> 'reason' as reason from audit_entries
        where chain = ${chain} and action = 'payout.rejected' and subject = ${payoutId}
        order by seq desc limit 1`.maybeOne(db)
    },

    /** Who rejected or cancelled these payouts and invoices, and why. Those that no person ended are left out. */
    async endingsOf(chain: string, subjects: readonly string[]): Promise<NotedEnding[]> {
      return sql<NotedEnding>`
        select distinct on (subject) subject, action = 'payout.rejected' as "isRejection", actor, actor_name as name,
          details ->> 'reason' as reason
        from audit_entries
        where chain = ${chain} and action in ('payout.rejected', 'payout.cancelled', 'invoice.cancelled')
          and subject = any(${[...subjects]}::text[])
        order by subject, seq desc`.rows(db)
    },

    /** Walks a visitor through all chains, in one snapshot. */
    async walk(visitor: AuditVisitor): Promise<void> {
      await db.snapshot(async (tx) => {
        const chains = await sql<ChainRow>`
            select chain, head.seq, head.hash, root.seq as "rootSeq", root.hash as "rootHash" from (
              select chain from audit_heads union select distinct chain from audit_entries
            ) as known left join audit_heads as head using (chain) left join audit_roots as root using (chain)
            order by chain`.rows(tx)
        for (const { chain, seq, hash, rootSeq, rootHash } of chains) {
          visitor.begin(chain, headOf(chain, seq, hash), headOf(chain, rootSeq, rootHash))
          for (let after = 0n, isWhole = true; isWhole; ) {
            const rows = await sql<EntryRow>`
                select ${columns} from audit_entries where chain = ${chain} and seq > ${after}
                order by seq limit ${pageSize}`.rows(tx)
            for (const row of rows) visitor.entry(entryFrom(row))
            after = rows.at(-1)?.seq ?? after
            isWhole = rows.length === pageSize
          }
          visitor.end()
        }
      })
    },

    /**
     * Deletes the oldest entries that are older than this, and notes where each chain begins then. The database refuses fewer
     * than 365 days. Returns how many.
     */
    async forget(olderThanDays: number, limit: number): Promise<number> {
      const { count } = await sql<{ count: number }>`
        select forget_audit_entries(${olderThanDays}, ${limit}) as count`.one(db)
      return count
    },

    /** Records that everything was checked, and the result. */
    async noteAudit(ok: boolean): Promise<void> {
      await sql`insert into audits (ok) values (${ok})`.run(db)
    },

    /** When this database began: what did not exist could not be checked. */
    async beganAt(): Promise<Date> {
      const { at } = await sql<{ at: Date }>`select min(applied_at) as at from schema_migrations`.one(db)
      return at
    },

    /** When everything was last checked, and the result; null before the first time. */
    async lastAudit(): Promise<{ readonly at: Date; readonly ok: boolean } | null> {
      return sql<{ at: Date; ok: boolean }>`
        select at, ok from audits order by id desc limit 1`.maybeOne(db)
    },
  }
}

function wantedEntries(chain: string, { actor, action, from, to }: AuditFilter): Sql {
  return sql`chain = ${chain}
    ${actor === null ? sql`` : sql`and actor = ${actor}`} ${action === null ? sql`` : sql`and action = ${action}`}
    ${from === null ? sql`` : sql`and at >= ${from}`} ${to === null ? sql`` : sql`and at < ${to}`}`
}

function headOf(chain: string, seq: bigint | null, hash: Buffer | null): AuditHead | null {
  return seq === null || hash === null ? null : { chain, seq, hash }
}

function entryFrom({ actor, name, ip, userAgent, ...row }: EntryRow): AuditEntry {
  const { chain, seq, at, environment, action, subject, details, previousHash, hash } = row
  const by = { actor, name, ip, userAgent }
  return { chain, seq, at, by, environment, action, subject, details, previousHash, hash }
}
