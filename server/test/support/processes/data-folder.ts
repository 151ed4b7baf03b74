import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/postgres/embedded.ts'
import { prepareDataDir } from '../../../src/postgres/place.ts'
import { grantPrivileges } from '../../../src/store/grant-privileges.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { letGo, runSql } from '../database/database.ts'

const run = promisify(execFile)
const pollMs = 20

/**
 * Makes a data folder with nothing but a migrated database, for a start that creates everything else itself. Creating the
 * database is half the time of a first start, and only the tests of that itself have to wait for it.
 */
export async function makeDataFolder(path: string): Promise<void> {
  const prepared = await preparedOnce('migrated', prepare)
  await prepareDataDir(path)
  // With its owner, which is another user if root runs the tests.
  await run('cp', ['-a', join(prepared, 'postgres'), join(prepared, 'postgres-password'), path])
}

/** A PostgreSQL of the test's own, with a migrated database. */
export async function startOwnPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  await makeDataFolder(dataDir)
  return startEmbeddedPostgres({ dataDir, purpose: 'service', log: () => {} })
}

/**
 * A folder that is prepared once for the whole project, by the first worker that needs it. The others wait; if that one
 * fails, the next tries.
 */
export async function preparedOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const place = inject('preparedPlace')
  const [made, making] = [join(place, name), join(place, `${name}.making`)]
  while (!existsSync(made)) {
    if (!(await isFirst(making))) {
      await sleep(pollMs)
      continue
    }
    try {
      await make(join(making, 'data'))
      await rename(join(making, 'data'), made)
    } finally {
      await rm(making, { recursive: true })
    }
  }
  return made
}

async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

async function prepare(dataDir: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, purpose: 'service', log: () => {} })
  try {
    await migrate(postgres.ownerUrl)
    await grantPrivileges(postgres.ownerUrl, 'sluice_service')
    await cheapenPasswords(postgres)
  } finally {
    await letGo('postgres')
    await postgres.stop()
  }
}

/** Passwords are slow to verify by design, which makes each of thousands of connections slow to open. */
export async function cheapenPasswords({
  url,
  ownerUrl,
  superuserUrl,
}: Pick<EmbeddedPostgres, 'url' | 'ownerUrl' | 'superuserUrl'>): Promise<void> {
  for (const { username, password } of [url, ownerUrl].map((each) => new URL(each)))
    await runSql(superuserUrl, `set scram_iterations = 1; alter role ${username} password '${password}'`)
}
