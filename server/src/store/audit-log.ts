import { sql } from 'kysely'
import { type Act, type Actor, type AuditEntry, auditHash } from '../domain/audit-log.ts'
import type { Db } from './database.ts'

export function auditLogOn(db: Db) {
  return {
    /**
     * Adds an entry to a chain and holds the chain's head until the transaction ends. Call it after everything else the
     * transaction locks.
     */
    async append(chain: string, by: Actor, act: Act): Promise<AuditEntry> {
      await sql`insert into audit_heads (chain) values (${chain}) on conflict do nothing`.execute(db)
      const { rows } = await sql<{ seq: bigint; hash: Buffer; now: Date }>`
        select seq, hash, date_trunc('milliseconds', clock_timestamp()) as now
        from audit_heads where chain = ${chain} for update`.execute(db)
      const [head] = rows
      if (head === undefined) throw new Error(`The audit log ${chain} has no head.`)
      const { environment, action, subject, details } = act
      const entry = { environment, action, subject, details, chain, by, seq: head.seq + 1n, at: head.now }
      const hash = auditHash({ ...entry, previousHash: head.hash })
      await sql`
        insert into audit_entries (chain, seq, at, actor, actor_name, ip, user_agent, environment, action, subject, details,
          previous_hash, hash)
        values (${chain}, ${entry.seq}, ${entry.at}, ${by.actor}, ${by.name}, ${by.ip}, ${by.userAgent}, ${environment},
          ${action}, ${subject}, ${JSON.stringify(details)}, ${head.hash}, ${hash})`.execute(db)
      await sql`update audit_heads set seq = ${entry.seq}, hash = ${hash} where chain = ${chain}`.execute(db)
      return { ...entry, previousHash: head.hash, hash }
    },
  }
}
