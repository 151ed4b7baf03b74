/**
 * Writes what a database of this version holds after a sandbox was played on it: npm run dump-release
 *
 * The dump of each released version is migrated in server/test/store/released.test.ts. Take it as the last thing before a
 * release, and never again after it: what is out there stays as it is.
 */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import packaged from '../package.json' with { type: 'json' }
import { startEmbeddedPostgres } from '../server/src/postgres/embedded.ts'
import { migrate } from '../server/src/store/migrate.ts'
import { debianPostgresBin } from '../server/test/support/database/debian-postgres.ts'
import { makeTemporaryFolder } from '../server/test/support/processes/temporary-folder.ts'
import { playSandbox } from './play-sandbox.ts'

const maxDumpBytes = 50_000_000
const root = join(import.meta.dirname, '..')
const target = join(root, 'server/test/store/released', `${packaged.version}.sql`)

// The oldest PostgreSQL that is supported: what it writes, all newer ones read.
const bin = await debianPostgresBin()
const folder = await makeTemporaryFolder('sluice-dump-')
const postgres = await startEmbeddedPostgres({
  dataDir: folder.path,
  purpose: 'service',
  programs: { bin },
  log: () => {},
})
try {
  const { url: serviceUrl, ownerUrl: url } = postgres
  await migrate(url)
  await playSandbox({ url, serviceUrl, drop: async () => {} })
  const dump = await dumpOf(url)
  await mkdir(join(target, '..'), { recursive: true })
  await writeFile(target, dump)
  console.log(`Written: ${relative(root, target)}, ${Math.round(dump.length / 1000)} kB`)
} finally {
  await postgres.stop()
  await folder.remove()
}

/** Plain statements, a row a line, so that any client can load it and a person can read it. */
async function dumpOf(url: string): Promise<string> {
  const options = ['--no-owner', '--no-privileges', '--column-inserts']
  const { stdout } = await promisify(execFile)(join(bin, 'pg_dump'), [...options, url], {
    maxBuffer: maxDumpBytes,
  })
  // The schema is there to be loaded; to be read it stands in schema.sql. What begins with a backslash is for psql alone.
  const lines = stdout.split('\n').filter((line) => !/^(--|\\(un)?restrict )/.test(line))
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}
