import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '../server/src/postgres/embedded.ts'
import { migrate } from '../server/src/store/migrate.ts'
import { debianPostgresBin } from '../server/test/support/debian-postgres.ts'
import { makeTemporaryFolder } from '../server/test/support/temporary-folder.ts'

const run = promisify(execFile)

/** The schema after all migrations as SQL, and as table types. Both come from the oldest PostgreSQL that we support. */
export async function describeDatabase(): Promise<{ schema: string; types: string }> {
  const bin = await debianPostgresBin()
  const folder = await makeTemporaryFolder()
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir: folder.path,
      purpose: 'service',
      programs: { bin },
      log: () => {},
    })
    try {
      await migrate(postgres.url)
      return {
        schema: await dumpSchema(bin, postgres.url),
        types: await tableTypes(folder.path, postgres.url),
      }
    } finally {
      await postgres.stop()
    }
  } finally {
    await folder.remove()
  }
}

async function dumpSchema(bin: string, url: string): Promise<string> {
  const { stdout } = await run(join(bin, 'pg_dump'), ['--schema-only', '--no-owner', '--no-privileges', url])
  // Lines that change with the server's minor version or with every run say nothing about the schema.
  const lines = stdout.split('\n').filter((line) => !/^(--|SET |SELECT pg_catalog|\\)/.test(line))
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}

async function tableTypes(folder: string, url: string): Promise<string> {
  const file = join(folder, 'tables.ts')
  await run('kysely-codegen', [
    '--url',
    url,
    '--dialect',
    'postgres',
    '--out-file',
    file,
    '--log-level',
    'silent',
    '--exclude-pattern',
    'schema_migrations',
    // Every numeric column holds an integer: amounts in the smallest unit, scaled rates.
    '--type-mapping',
    JSON.stringify({ numeric: 'bigint', int8: 'bigint' }),
  ])
  return readFile(file, 'utf8')
}
