import { type Db, sql } from '../sql.ts'

/** What a database server says about itself to our role. */
export type ServerState = {
  readonly version: string
  readonly now: Date
  readonly role: string
  readonly isSuperuser: boolean
  /** Settings without which a committed payment can be lost in a power cut, and that are off. */
  readonly unsafe: string
  readonly isStandby: boolean
  readonly connections: number
  readonly maxConnections: number
  readonly standbys: number
  readonly archives: boolean
  /** Whether the newest attempt to archive failed; null before the first. */
  readonly archiveFails: boolean | null
  readonly hasTables: boolean
}

export async function readServerState(db: Db): Promise<ServerState> {
  return sql<ServerState>`
    select current_setting('server_version') as version, clock_timestamp() as now, current_user as role,
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      concat_ws(', ', case when current_setting('fsync') = 'off' then 'fsync' end,
        case when current_setting('full_page_writes') = 'off' then 'full_page_writes' end,
        case when current_setting('synchronous_commit') = 'off' then 'synchronous_commit' end) as unsafe,
      pg_is_in_recovery() as "isStandby",
      (select count(*)::integer from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::integer as "maxConnections",
      (select count(*)::integer from pg_stat_replication
        where application_name is distinct from 'sluice_backup') as standbys,
      current_setting('archive_mode') <> 'off' as archives,
      (select last_failed_time > coalesce(last_archived_time, '-infinity') from pg_stat_archiver) as "archiveFails",
      to_regclass('schema_migrations') is not null as "hasTables"`.one(db)
}

/** The number of the newest migration that this database has; 0 when it has none. */
export async function newestMigration(db: Db): Promise<number> {
  const { number } = await sql<{ number: number }>`
    select coalesce(max(number), 0)::integer as number from schema_migrations`.one(db)
  return number
}
