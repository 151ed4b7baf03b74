import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import type { PostgresPrograms } from '../../src/postgres/programs.ts'
import { migrate } from '../../src/store/migrate.ts'
import { asSuperuser, onDatabase, runSql, templateName } from './database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

/** Runs one PostgreSQL for a whole test project, with a migrated template that every test's database is a copy of. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const wanted = project.config.env.SLUICE_TEST_POSTGRES ?? '18'
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-test-postgres-'))
  const programs = wanted === '18' ? undefined : await debianPrograms()
  const postgres = await startEmbeddedPostgres({
    dataDir,
    purpose: 'service',
    log: () => {},
    ...(programs && { programs }),
  })
  await runSql(asSuperuser(postgres.url), 'alter role sluice createdb')
  await runSql(postgres.url, `create database ${templateName}`)
  await migrate(onDatabase(postgres.url, templateName))
  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The oldest PostgreSQL among Debian's packages on this machine: 15 on Debian 12. */
async function debianPrograms(): Promise<PostgresPrograms> {
  const root = '/usr/lib/postgresql'
  const versions = (await readdir(root).catch(() => [])).map(Number).sort((a, b) => a - b)
  const oldest = versions.find((version) => version >= 15)
  if (oldest === undefined) {
    throw new Error(
      'These tests need Debian’s PostgreSQL. Run scripts/provision as root, or install postgresql.',
    )
  }
  return { bin: join(root, String(oldest), 'bin') }
}
