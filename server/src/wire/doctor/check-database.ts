import { type Finding, judgeClocks, ok, problem, warning } from '../../app/operator/judge-health.ts'
import { readStatus } from '../../backup/status.ts'
import type { Log } from '../../log.ts'
import { findCluster } from '../../postgres/place.ts'
import type { Settings } from '../../settings/settings.ts'
import { shownText } from '../../shown-error.ts'
import { type Database, openDatabase } from '../../store/database.ts'
import { readMigrations } from '../../store/migrate.ts'
import { schemaStanding } from '../../store/newer-schema.ts'
import { newestMigration, readServerState } from '../../store/reports/server-state.ts'
import { readRole } from '../../store/role.ts'
import type { Closers } from '../closers.ts'
import { judgeOwnBackups } from './check-backups.ts'

/** What was found about the database, and the database itself if it answers and has our tables. */
export type Checked = { readonly findings: readonly Finding[]; readonly database: Database | null }

const waitMs = 5_000

/** Checks the database without changing it: it is not created and not migrated. */
export async function checkDatabase(settings: Settings, log: Log, closers: Closers): Promise<Checked> {
  const url = settings.databaseUrl ?? (await embeddedUrl(settings, log, closers))
  if (url === null)
    return {
      findings: [
        warning('database', `There is no database in ${settings.dataDir} yet.`, 'Run: npx sluice start'),
      ],
      database: null,
    }
  const database = openDatabase(url, { maxConnections: 2, waitMs, onIdleError: () => {} })
  closers.add(() => database.close())
  try {
    return await look(settings, database)
  } catch (error) {
    const words = shownText(error instanceof Error ? error.message : String(error))
    const todo = 'Check that the server runs and accepts this role, and DATABASE_URL: host, port, password.'
    return { findings: [problem('database', words, todo)], database: null }
  }
}

async function embeddedUrl(settings: Settings, log: Log, closers: Closers): Promise<string | null> {
  if ((await findCluster(settings.dataDir)) === null) return null
  const { startEmbeddedPostgres } = await import('../../postgres/embedded.ts')
  const { dataDir } = settings
  const postgres = await startEmbeddedPostgres({ dataDir, purpose: 'command', log: (text) => log.info(text) })
  closers.add(() => postgres.stop())
  return postgres.url
}

async function look(settings: Settings, database: Database): Promise<Checked> {
  const { db } = database
  // The first statement also opens the connection, so it says nothing about the clocks.
  await readServerState(db)
  const askedMs = Date.now()
  const state = await readServerState(db)
  const answeredMs = Date.now()
  const middleMs = (askedMs + answeredMs) / 2
  const findings = [judgeClocks(middleMs - state.now.getTime(), (answeredMs - askedMs) / 2)]
  const newest = (await readMigrations()).length
  if (!state.hasTables) {
    findings.push(
      warning(
        'database',
        `PostgreSQL ${state.version} answers, but has no tables of Sluice.`,
        'Run: npx sluice start',
      ),
    )
    return { findings, database: null }
  }
  const has = await newestMigration(db)
  const standing = await schemaStanding(database.pool, newest)
  if (has < newest)
    findings.push(
      problem('database', `The schema lacks ${newest - has} migrations.`, 'Run: npx sluice migrate'),
    )
  else if (standing.kind === 'newer')
    findings.push(
      problem('database', 'A newer version has migrated this database.', 'Run that version, or a later one.'),
    )
  else if (standing.kind === 'served')
    findings.push(
      warning(
        'database',
        'A newer version has migrated this database. This one still works with it.',
        'Finish the upgrade.',
      ),
    )
  else findings.push(ok('database', `PostgreSQL ${state.version} answers and has this version’s schema.`))
  findings.push(...(await checkRole(settings, database, state.isSuperuser)))
  if (state.unsafe !== '')
    findings.push(
      problem(
        'database',
        `${state.unsafe} is off: a power cut can lose committed payments.`,
        'Turn it on in postgresql.conf.',
      ),
    )
  if (state.isStandby)
    findings.push(
      problem(
        'database',
        'This server is a standby and takes no writes.',
        'Point DATABASE_URL at the primary.',
      ),
    )
  if (state.connections + settings.databaseConnections > state.maxConnections)
    findings.push(
      warning(
        'database',
        `${state.connections} of ${state.maxConnections} connections are open, and a process opens up to ${settings.databaseConnections}.`,
        'Raise max_connections, or lower SLUICE_DATABASE_CONNECTIONS.',
      ),
    )
  const own = judgeOwnBackups(settings.backup.target !== null, await readStatus(settings.dataDir), new Date())
  findings.push(own ?? judgeBackups(settings, state))
  return { findings, database: has === newest ? database : null }
}

async function checkRole(
  { databaseUrl }: Settings,
  { db }: Database,
  isSuperuser: boolean,
): Promise<Finding[]> {
  const { name, isOwner } = await readRole(db)
  const todo =
    'Create a second role for the service, and name the owner in DATABASE_MIGRATION_URL (docs/operating/running.md).'
  if (isSuperuser)
    return [
      problem('roles', `The service’s role ${name} is a superuser: who steals it owns the machine.`, todo),
    ]
  if (isOwner && databaseUrl !== null)
    return [
      warning('roles', `The service’s role ${name} owns the tables, and could rewrite the books.`, todo),
    ]
  return [ok('roles', `The service’s role ${name} cannot rewrite the books.`)]
}

function judgeBackups(
  { databaseUrl }: Settings,
  { archives, archiveFails, standbys }: { archives: boolean; archiveFails: boolean | null; standbys: number },
): Finding {
  if (archives && archiveFails === true)
    return problem(
      'backups',
      'The server cannot archive its log.',
      'Read its log and pg_stat_archiver. Until it is mended, a restore loses what is not archived.',
    )
  if (archives || standbys > 0)
    return ok('backups', `The log is ${archives ? '' : 'not '}archived, and ${standbys} standbys follow.`)
  return warning(
    'backups',
    'The server archives nothing and has no standby. Backups that you take another way cannot be seen from here.',
    databaseUrl === null
      ? 'Set SLUICE_BACKUP_TARGET and run npx sluice backup --follow (docs/operating/backups.md).'
      : 'Run npx sluice backup --follow (docs/operating/backups.md), or archive its log, and try to restore it.',
  )
}
