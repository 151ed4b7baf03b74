import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../../src/postgres/embedded.ts'
import { grantPrivileges } from '../../../src/store/grant-privileges.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { cheapenPasswords } from '../processes/data-folder.ts'
import { makeTemporaryFolder } from '../processes/temporary-folder.ts'
import { asSuperuser, onDatabase, runSql, shareSuperuser, templateName } from './database.ts'
import { debianPostgresBin } from './debian-postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** For the owner of every test's database. */
    postgresUrl: string
    /** For the role that a service runs with. */
    serviceUrl: string
  }
}

/**
 * Settings that would only matter to a database that is kept: this one is never killed, and each of its databases lives for
 * one test file. Most statements are sent so rarely on one connection that they would always be planned for their values, as
 * in the first five executions.
 */
const forgetful = [
  ...['sluice', 'sluice_service'].flatMap((role) => [
    `alter role ${role} set synchronous_commit = off`,
    `alter role ${role} set plan_cache_mode = force_generic_plan`,
  ]),
  'alter system set autovacuum = off',
  `alter system set max_wal_size = '4GB'`,
  'select pg_reload_conf()',
]

/** Runs one PostgreSQL for a whole test project, with a migrated template that every test's database copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const wanted = project.config.env.SLUICE_TEST_POSTGRES ?? '18'
  const folder = await makeTemporaryFolder()
  const programs = wanted === '18' ? undefined : { bin: await debianPostgresBin() }
  const postgres = await startEmbeddedPostgres({
    dataDir: folder.path,
    purpose: 'service',
    log: () => {},
    ...(programs && { programs }),
  })
  await shareSuperuser(postgres)
  const { url, ownerUrl } = postgres
  const superuserUrl = asSuperuser(ownerUrl)
  // Tests watch the service's sessions and end them, with the owner's URL.
  await runSql(superuserUrl, 'alter role sluice createdb', 'grant sluice_service to sluice')
  if (wanted === '18') await cheapenPasswords({ url, ownerUrl, superuserUrl })
  await runSql(superuserUrl, ...forgetful)
  await runSql(ownerUrl, `create database ${templateName}`)
  await migrate(onDatabase(ownerUrl, templateName))
  await grantPrivileges(onDatabase(ownerUrl, templateName), 'sluice_service')
  project.provide('postgresUrl', ownerUrl)
  project.provide('serviceUrl', url)
  return async () => {
    await postgres.stop()
    await folder.remove()
    const statements = project.config.env.SLUICE_TEST_STATEMENTS
    if (statements !== undefined) await rm(statements, { recursive: true, force: true })
  }
}
