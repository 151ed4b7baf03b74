import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sealKeyBytes } from '../domain/seal.ts'
import { writeOnceDurably } from '../durable-file.ts'
import type { Log } from '../log.ts'
import { startEmbeddedPostgres } from '../postgres/embedded.ts'
import type { Purpose } from '../postgres/ownership.ts'
import { type Settings, SettingsError } from '../settings/settings.ts'
import type { Closers } from './closers.ts'
import { prepareDatabase } from './prepare-database.ts'

/** What a process needs but may be unable to get itself: the data folder is closed to API and worker. */
export type Supplies = {
  /** A migrated database, by a role that cannot change its schema unless the operator has only one. */
  readonly databaseUrl: string
  /** Seals secrets at rest. Null: there is no key, and webhook endpoints cannot be created. */
  readonly sealKey: Buffer | null
}

/**
 * Starts the embedded database if none was given, migrates it, and reads or creates the data folder's secret key. Only here
 * is the owner's URL known.
 */
export async function openSupplies(
  settings: Settings,
  purpose: Purpose,
  log: Log,
  closers: Closers,
): Promise<Supplies> {
  const database =
    settings.databaseUrl === null
      ? await startEmbedded()
      : { url: settings.databaseUrl, ownerUrl: settings.databaseMigrationUrl }
  await prepareDatabase(database, purpose, log)
  const sealKey =
    settings.secretKey ?? (settings.databaseUrl === null ? await keyInFolder(settings.dataDir) : null)
  if (sealKey === null) log.warn('SLUICE_SECRET_KEY is not set: webhook endpoints cannot be created')
  return { databaseUrl: database.url, sealKey }

  async function startEmbedded(): Promise<{ url: string; ownerUrl: string }> {
    const postgres = await startEmbeddedPostgres({
      dataDir: settings.dataDir,
      purpose,
      log: (message) => log.info(message),
    })
    closers.add(() => postgres.stop())
    return postgres
  }
}

/**
 * The key of a data folder, created on first use. If several processes try at once, one creates it and all use that
 * one.
 */
async function keyInFolder(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret-key')
  await mkdir(dataDir, { recursive: true })
  const read = async () => {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (text === null) return null
    const key = Buffer.from(text.trim(), 'hex')
    if (key.length !== sealKeyBytes)
      throw new SettingsError(
        `${path} is damaged. Restore it from a backup: webhook secrets cannot be read without it.`,
      )
    return key
  }
  const kept = await read()
  if (kept !== null) return kept
  await writeOnceDurably(path, `${randomBytes(sealKeyBytes).toString('hex')}\n`)
  const made = await read()
  if (made === null) throw new Error(`${path} was written but does not exist.`)
  return made
}
