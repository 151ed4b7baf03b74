import { type FileHandle, readFile, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { adoptPassword, createCluster, hasPassword, removeUnfinished } from './cluster.ts'
import { databaseUrl, probe } from './connect.ts'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { findLaunch } from './launch.ts'
import { clearLeftovers } from './leftovers.ts'
import { openLog } from './log-file.ts'
import { type Holder, type Purpose, takeFolder } from './ownership.ts'
import { ensurePassword, readPassword } from './password.ts'
import {
  type Cluster,
  findCluster,
  findHome,
  linkCluster,
  makeSystemHome,
  prepareDataDir,
  readCluster,
  setAside,
} from './place.ts'
import { type PostgresPrograms, packagedPrograms, usablePrograms } from './programs.ts'
import { canAccess, chooseUser } from './run-as.ts'
import type { ServerSetup } from './server.ts'
import { chooseSocketFolder } from './socket-folder.ts'
import { supervise } from './supervise.ts'

export type EmbeddedPostgres = {
  /** For the service's role on the database `sluice`, as `connectionString` of `pg`. It owns nothing. */
  readonly url: string
  /** For the owner of that database, who migrates it. No process of the service is given it. */
  readonly ownerUrl: string
  /** For the superuser, on its database `postgres`. No process of the service is given it. */
  readonly superuserUrl: string
  /** Whether this process runs the server or is a guest of a running service. */
  readonly supervised: boolean
  /** Stops the server cleanly when supervised; does nothing for a guest. May be called more than once. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  readonly dataDir: string
  readonly purpose: Purpose
  readonly log: (message: string) => void
  readonly programs?: PostgresPrograms
  /** How long to wait for another holder of the folder. The default is 30 s for a service and 60 s for a command. */
  readonly maxWaitMs?: number
}

const maxWaitForServiceMs = 30_000
const maxWaitForCommandMs = 60_000
const pollMs = 50

/**
 * The PostgreSQL of a data folder: created on first use, then run and watched by one process at a time, which it does
 * not outlive. A second process becomes the guest of a running service, or waits for a running command to finish.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = await prepareDataDir(options.dataDir)
  let heldBy: number | null = null
  let heldSince = Date.now()
  for (;;) {
    const folder = await takeFolder(dataDir, options.purpose)
    if ('release' in folder) {
      try {
        return await superviseFolder(dataDir, options, folder.release)
      } catch (error) {
        folder.release()
        throw error
      }
    }
    const { holder } = folder
    if (holder?.purpose === 'service') {
      const urls = await guestUrls(dataDir)
      if (urls !== null) return { ...urls, supervised: false, stop: async () => {} }
    }
    // Each holder gets its own time: one that has just taken the folder is not responsible for those before it.
    const now = Date.now()
    if (holder !== null && holder.pid !== heldBy) [heldBy, heldSince] = [holder.pid, now]
    const waitedMs = now - heldSince
    const usualWaitMs = holder?.purpose === 'service' ? maxWaitForServiceMs : maxWaitForCommandMs
    if (waitedMs > (options.maxWaitMs ?? usualWaitMs)) throw stillHeld(dataDir, holder, waitedMs)
    await sleep(pollMs)
  }
}

function stillHeld(dataDir: string, holder: Holder | null, waitedMs: number): EmbeddedPostgresError {
  const seconds = Math.round(waitedMs / 1000)
  if (holder === null)
    return new EmbeddedPostgresError(
      `An unknown process has held the database of ${dataDir} for ${seconds} s and does not identify itself.`,
    )
  if (holder.purpose === 'service')
    return new EmbeddedPostgresError(
      `The service that runs on ${dataDir} (pid ${holder.pid}) has had no working database for ${seconds} s. ` +
        'Its log says why.',
    )
  return new EmbeddedPostgresError(
    `A sluice command (pid ${holder.pid}) has been using the database of ${dataDir} for ${seconds} s. ` +
      `Wait for it to finish, or end it with "kill ${holder.pid}".`,
  )
}

type Urls = Pick<EmbeddedPostgres, 'url' | 'ownerUrl' | 'superuserUrl'>

function urlsOf(at: { readonly password: string; readonly socketFolder: string }): Urls {
  return {
    url: databaseUrl({ role: 'sluice_service', ...at }),
    ownerUrl: databaseUrl({ role: 'sluice', ...at }),
    superuserUrl: databaseUrl({ role: 'postgres', ...at }),
  }
}

/** The URLs of a running server of the data folder, or null if none answers. Starts nothing. */
export async function findRunningPostgres(dataDir: string): Promise<Urls | null> {
  return guestUrls(await prepareDataDir(dataDir))
}

/** The URLs at which a guest reaches the service's server, or null while it does not answer. */
async function guestUrls(dataDir: string): Promise<Urls | null> {
  const password = await readPassword(dataDir)
  if (password === null) return null
  let pidFile: string
  try {
    pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  // The fifth line is the socket's folder. We take it from here, because only the database's own user can write this
  // file. The holder of the lock may be any local user.
  const socketFolder = pidFile.split('\n')[4]
  if (socketFolder === undefined || socketFolder === '') return null
  const urls = urlsOf({ password, socketFolder })
  return (await probe(urls.url)) === 'ready' ? urls : null
}

async function superviseFolder(
  dataDir: string,
  options: EmbeddedOptions,
  release: () => void,
): Promise<EmbeddedPostgres> {
  const logPath = join(dataDir, 'postgres.log')
  let log: FileHandle | undefined
  try {
    const prepared = await prepare(dataDir, options)
    log = await openLog(logPath)
    const setup: ServerSetup = { ...prepared, log }
    const supervision = await supervise(setup, logPath, options.log)
    const stop = async (): Promise<void> => {
      await supervision.stop()
      if (setup.socketFolder !== setup.cluster) await rmdir(setup.socketFolder).catch(() => {})
      release()
      await setup.log.close().catch(() => {})
    }
    let stopped: Promise<void> | undefined
    return { ...urlsOf(setup), supervised: true, stop: () => (stopped ??= stop()) }
  } catch (error) {
    await log?.close()
    throw error
  }
}

/** Everything up to the point where the server can be started on a complete cluster. */
async function prepare(dataDir: string, options: EmbeddedOptions): Promise<Omit<ServerSetup, 'log'>> {
  const existing = await findCluster(dataDir)
  const user = await chooseUser(existing)
  const launch = await findLaunch(user, options.log)
  const home = await findHome(dataDir, user, options.log)
  // Programs copied for another user stay out of the data folder: they are not the operator's data.
  const copyFolder = async () => (user.drop ? makeSystemHome(dataDir) : dataDir)
  const given = options.programs ?? (await packagedPrograms())
  const programs = await usablePrograms(given, user, copyFolder, options.log)
  const found = existing ?? (home === dataDir ? null : await readCluster(join(home, 'postgres')))
  if (found !== null) checkVersion(found, programs)
  const password = await ensurePassword(dataDir)
  await removeUnfinished(home)

  let cluster: string
  if (existing !== null) {
    cluster = existing.path
    if (!(await canAccess(user, cluster, 'x')))
      throw new EmbeddedPostgresError(
        `The database's user (uid ${user.uid}) cannot enter ${cluster}. Give it access: chmod o+x ${dataDir} ` +
          '(and every folder above it).',
      )
  } else {
    if (found !== null && !(await hasPassword(found.path, password))) {
      const aside = await setAside(found.path, new Date())
      options.log(`Moved the database of an earlier ${dataDir} to ${aside}.`)
    }
    cluster = join(home, 'postgres')
    if (found === null || (await readCluster(cluster)) === null) {
      options.log(`Creating a new database in ${cluster}.`)
      await createCluster(programs, user, launch, home, password)
    }
    await linkCluster(dataDir, cluster)
  }

  const socketFolder = await chooseSocketFolder(cluster, user)
  if (!(await hasPassword(cluster, password))) {
    await clearLeftovers({ cluster, socketFolder, user, launch }, options.log)
    await adoptPassword(programs, user, cluster, password)
  }
  return { cluster, socketFolder, user, launch, programs, password }
}

function checkVersion(cluster: Cluster, programs: { majorVersion: number; version: string }): void {
  if (cluster.majorVersion === programs.majorVersion) return
  throw new EmbeddedPostgresError(
    `The database in ${cluster.path} was created by PostgreSQL ${cluster.majorVersion}, but this Sluice ` +
      `ships PostgreSQL ${programs.version}. Nothing was changed. Run the Sluice version used before, or dump the ` +
      `database with PostgreSQL ${cluster.majorVersion} (pg_dump), move ${cluster.path} away, start Sluice once, and restore ` +
      'the dump.',
  )
}
