import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../../src/log.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { grantPrivileges } from '../../src/store/grant-privileges.ts'
import { migrate } from '../../src/store/migrate.ts'
import { Closers } from '../../src/wire/closers.ts'
import { checkDatabase } from '../../src/wire/doctor/check-database.ts'
import { query, runSql } from '../support/database/database.ts'
import { type StreamingPair, startStreamingPair } from '../support/database/standby.ts'

let pair: StreamingPair
beforeAll(async () => {
  pair = await startStreamingPair(['archive_mode=on', 'archive_command=false'])
  await migrate(pair.primary.url)
  await grantPrivileges(pair.primary.url, 'sluice_service')
})
afterAll(() => pair?.stop())

/** What the doctor finds about a database, without what is well. */
async function faults(url: string, env: Record<string, string> = {}) {
  const closers = new Closers()
  const log = createLog('silent', { write: () => {} })
  try {
    const { findings } = await checkDatabase(readSettings({ DATABASE_URL: url, ...env }), log, closers)
    return findings.filter(({ state }) => state !== 'ok')
  } finally {
    await closers.close()
  }
}
const says = (state: string, words: string) =>
  expect.objectContaining({ state, says: expect.stringContaining(words), todo: expect.stringMatching(/./) })

it('a server that is a standby is a problem', async () => {
  const { serviceUrl } = pair.standby
  // The tables arrive there a moment later.
  await expect
    .poll(() => faults(serviceUrl))
    .toContainEqual(says('problem', 'This server is a standby and takes no writes.'))
  expect(await faults(pair.primary.serviceUrl)).not.toContainEqual(says('problem', 'standby'))
})

it('a superuser as the role of the service is a problem', async () => {
  expect(await faults(pair.primary.url)).toContainEqual(says('problem', 'is a superuser'))
  expect(await faults(pair.primary.serviceUrl)).not.toContainEqual(says('problem', 'superuser'))
})

it('a database that a newer version has migrated is a problem', async () => {
  const { url, serviceUrl } = pair.primary
  await runSql(
    url,
    `insert into schema_migrations (number, name, checksum) select max(number) + 1, 'later', 'x' from schema_migrations`,
  )
  const found = await faults(serviceUrl)
  await runSql(url, `delete from schema_migrations where name = 'later'`)
  expect(found).toContainEqual(says('problem', 'A newer version has migrated this database.'))
  expect(await faults(serviceUrl)).not.toContainEqual(says('problem', 'newer version'))
})

it('more connections than the server has left are a warning', async () => {
  const { serviceUrl } = pair.primary
  expect(await faults(serviceUrl, { SLUICE_DATABASE_CONNECTIONS: '500' })).toContainEqual(
    says('warning', 'of 100 connections are open, and a process opens up to 500'),
  )
  expect(await faults(serviceUrl)).not.toContainEqual(says('warning', 'connections are open'))
})

it('an archive that fails is a problem', async () => {
  const { url, serviceUrl } = pair.primary
  await runSql(url, 'select pg_switch_wal()')
  await expect.poll(() => query(url, 'select from pg_stat_archiver where failed_count > 0')).toHaveLength(1)
  expect(await faults(serviceUrl)).toContainEqual(says('problem', 'The server cannot archive its log.'))
})

it('without the disk’s word a commit is not safe, and that is a problem', async () => {
  expect(await faults(pair.primary.serviceUrl)).toContainEqual(says('problem', 'fsync is off'))
})
