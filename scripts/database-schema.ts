import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '../server/src/postgres/embedded.ts'
import { migrate } from '../server/src/store/migrate.ts'
import { debianPostgresBin } from '../server/test/support/database/debian-postgres.ts'
import { makeTemporaryFolder } from '../server/test/support/processes/temporary-folder.ts'

const run = promisify(execFile)

/** The schema after all migrations, as the oldest PostgreSQL we support writes it. */
export async function databaseSchema(): Promise<string> {
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
      await migrate(postgres.ownerUrl)
      return await dumpSchema(bin, postgres.ownerUrl)
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
