import type { Environment } from '../../domain/environment.ts'
import { type Db, sql } from '../sql.ts'

/** What a signer has accepted and does not yet allow, because it weakens what was in force. */
export type WaitingChange = {
  readonly kind: 'passkey' | 'policy' | 'destination' | 'settings'
  /** Null for what the operator changed. */
  readonly merchantId: string | null
  /** What it is about: a passkey's fingerprint, a destination, a setting. */
  readonly subject: string
  readonly details: string
  readonly at: Date
  /** When it begins to count. */
  readonly from: Date
}

/** A passkey that waits, before its merchant's people were told. */
export type UnannouncedPasskey = {
  readonly environment: Environment
  readonly merchantId: string
  readonly fingerprint: string
  readonly from: Date
}

/** What signers report as waiting, for people to see in time. No signer reads it. */
export function signerChangesOn(db: Db) {
  return {
    /** Publishes what of these kinds waits at a signer, in place of what it published before. */
    async tell(
      environment: Environment,
      kinds: readonly WaitingChange['kind'][],
      waiting: readonly WaitingChange[],
    ): Promise<void> {
      const json = JSON.stringify(
        waiting.map(({ kind, merchantId, subject, details, at, from }) => ({
          kind,
          merchant_id: merchantId,
          subject,
          details,
          accepted_at: at,
          counts_from: from,
        })),
      )
      const told = sql`jsonb_populate_recordset(null::signer_changes, ${json}::jsonb) as told`
      // Leaves out a merchant that this database does not know, since it was restored from a backup.
      await sql`
        insert into signer_changes (environment, kind, merchant_id, subject, details, accepted_at, counts_from)
        select ${environment}, kind, merchant_id, subject, details, accepted_at, counts_from from ${told}
        where merchant_id is null or exists (select from merchants where merchants.id = merchant_id)
        on conflict (environment, kind, merchant_id, subject) do update set details = excluded.details,
          accepted_at = excluded.accepted_at, counts_from = excluded.counts_from,
          announced_at = case when signer_changes.counts_from = excluded.counts_from
            then signer_changes.announced_at end`.run(db)
      await sql`
        delete from signer_changes as known
        where environment = ${environment} and kind = any(${[...kinds]}::text[]) and not exists (
          select from ${told} where told.kind = known.kind and told.subject = known.subject
            and told.merchant_id is not distinct from known.merchant_id)`.run(db)
    },

    /** What of the operator's settings waits at any signer, the soonest first. */
    async ofOperator(): Promise<
      (Omit<WaitingChange, 'kind' | 'merchantId'> & { environment: Environment })[]
    > {
      return sql<Omit<WaitingChange, 'kind' | 'merchantId'> & { environment: Environment }>`
        select environment, subject, details, accepted_at as at, counts_from as "from" from signer_changes
        where kind = 'settings' and counts_from > clock_timestamp() order by counts_from, subject`.rows(db)
    },

    /** The passkeys of a merchant that wait at an environment's signer, by fingerprint, the soonest first. */
    async passkeysOf(
      merchantId: string,
      environment: Environment,
    ): Promise<{ fingerprint: string; from: Date }[]> {
      return sql<{ fingerprint: string; from: Date }>`
        select subject as fingerprint, counts_from as "from" from signer_changes
        where merchant_id = ${merchantId} and environment = ${environment} and kind = 'passkey'
          and counts_from > clock_timestamp()
        order by counts_from, subject`.rows(db)
    },

    /** Marks the passkeys of which no one was told yet as announced, and returns them. */
    async announcePasskeys(limit: number): Promise<UnannouncedPasskey[]> {
      return sql<UnannouncedPasskey>`
        update signer_changes as change set announced_at = clock_timestamp()
        from (
          select ctid from signer_changes
          where announced_at is null and kind = 'passkey' and counts_from > clock_timestamp()
          order by accepted_at limit ${limit} for update skip locked
        ) as found
        where change.ctid = found.ctid
        returning change.environment, change.merchant_id as "merchantId", change.subject as fingerprint,
          change.counts_from as "from"`.rows(db)
    },
  }
}
