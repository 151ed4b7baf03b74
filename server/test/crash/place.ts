import { randomBytes } from 'node:crypto'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { App } from '../../src/app/app.ts'
import { createLog } from '../../src/log.ts'
import { readSettings } from '../../src/settings/settings.ts'
import type { Database } from '../../src/store/database.ts'
import { openApp } from '../../src/wire/app.ts'
import { Closers } from '../../src/wire/closers.ts'
import { asSuperuser, letGo, onDatabase, runSql, templateName } from '../support/database/database.ts'
import { patienceMs } from '../support/patience.ts'
import { makeTemporaryFolder } from '../support/processes/temporary-folder.ts'
import { confirmations } from './networks.ts'

/** How many deposit addresses wait for invoices. */
export const readyAddresses = 20

/** A database and a data folder, which others can copy. */
export type Place = {
  readonly name: string
  readonly url: string
  readonly dataDir: string
  /** Its configuration, apart from what every place has. */
  readonly more: object
  /** The environment of a process that runs here; `who` names its connections. */
  env(who: string): Record<string, string>
  remove(): Promise<void>
}

/** A new place: a copy of another in its present state, or an empty schema. No process may be connected to the other. */
export async function makePlace(from?: Place, more: object = from?.more ?? {}): Promise<Place> {
  const server = inject('postgresUrl')
  const name = `crash_${randomBytes(8).toString('hex')}`
  const folder = await makeTemporaryFolder()
  if (from !== undefined) await letGo(from.name)
  await runSql(
    asSuperuser(server),
    `create database ${name} template ${from?.name ?? templateName} owner sluice`,
  )
  if (from !== undefined)
    await cp(join(from.dataDir, 'wallet'), join(folder.path, 'wallet'), { recursive: true })
  else await mkdir(join(folder.path, 'wallet'), { mode: 0o700 })
  const config = join(folder.path, 'config.json')
  const given = { rates: { sources: [] }, addresses: { ready: readyAddresses }, confirmations, ...more }
  await writeFile(config, JSON.stringify(given))
  const url = onDatabase(server, name)
  return {
    name,
    url,
    dataDir: folder.path,
    more,
    env: (who) => ({
      DATABASE_URL: `${url}?application_name=${who}`,
      SLUICE_DATA_DIR: folder.path,
      SLUICE_CONFIG: config,
      SLUICE_SECRET_KEY: '5e'.repeat(32),
      SLUICE_DATABASE_CONNECTIONS: '4',
      SLUICE_DATABASE_WAIT_SECONDS: String(patienceMs / 1000),
    }),
    async remove() {
      await letGo(name)
      await runSql(asSuperuser(server), `drop database ${name} with (force)`)
      await folder.remove()
    },
  }
}

/** The use cases of a place in this process, with its gates. */
export async function openPlace(
  place: Place,
): Promise<{ app: App; database: Database; close(): Promise<void> }> {
  const closers = new Closers()
  const log = createLog('silent', { write: () => {} })
  const { app, gates, database } = await openApp(readSettings(place.env('parent')), 'command', log, closers)
  await gates.open(closers)
  return { app, database, close: () => closers.close() }
}
