import { chmod, lstat, mkdir, readdir, readFile, realpath, rename, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { syncFolder } from '../durable-file.ts'
import { EmbeddedPostgresError, errorCode, onPath } from './error.ts'
import { pathHash } from './path-hash.ts'
import { clusterProcesses } from './processes.ts'
import { canAccess, type DatabaseUser, ownUid } from './run-as.ts'

/** Where the database lives when root runs Sluice and the database's user cannot enter the data folder. */
export const systemFolder = '/var/lib/sluice'

/** An existing cluster: its folder (no symbolic link in the path), its owner and its major version. */
export type Cluster = {
  readonly path: string
  readonly uid: number
  readonly gid: number
  readonly majorVersion: number
}

/** Creates the data folder if needed and returns its real path. */
export async function prepareDataDir(dataDir: string): Promise<string> {
  // A line feed would garble postmaster.pid, which is a list of lines.
  if (/\p{Cc}/u.test(dataDir))
    throw new EmbeddedPostgresError('SLUICE_DATA_DIR must not contain control characters.')
  return onPath(dataDir, 'create the data folder', async () => {
    // Root's database runs as another user. That user must pass through this folder to its own, but may not list it.
    await mkdir(dataDir, { recursive: true, mode: ownUid() === 0 ? 0o711 : 0o700 })
    return await realpath(dataDir)
  })
}

/** The cluster that `<dataDir>/postgres` is or links to, or null if there is none yet. */
export async function findCluster(dataDir: string): Promise<Cluster | null> {
  const path = join(dataDir, 'postgres')
  const entry = await lstatOrNull(path)
  if (entry === null) return null
  if (!entry.isSymbolicLink()) return readCluster(path)
  let target: string
  try {
    target = await realpath(path)
  } catch (error) {
    throw new EmbeddedPostgresError(
      `${path} points to a folder that does not exist, so the database is missing. Restore that folder, or ` +
        'remove the link to start with an empty database.',
      { cause: error },
    )
  }
  const cluster = await readCluster(target)
  if (cluster !== null) return cluster
  throw new EmbeddedPostgresError(`${path} points to ${target}, which contains no database.`)
}

/** The cluster in a folder; null when the folder is missing or empty. Throws when it contains anything else. */
export async function readCluster(path: string): Promise<Cluster | null> {
  const folder = await lstatOrNull(path)
  if (folder === null) return null
  if (ownUid() !== 0 && ownUid() !== folder.uid) throw foreignCluster(path, folder.uid)
  if (folder.uid === 0)
    throw new EmbeddedPostgresError(
      `The database in ${path} belongs to root, and PostgreSQL does not run as root. ` +
        `Give it to another user: chown -R postgres ${path}`,
    )
  const names = await onPath(path, 'read', () => readdir(path))
  if (names.length === 0) return null
  const text = names.includes('PG_VERSION') ? await readFile(join(path, 'PG_VERSION'), 'utf8') : ''
  const version = /^(\d{1,4})\s*$/.exec(text)
  if (version === null)
    throw new EmbeddedPostgresError(`${path} is not empty but contains no PostgreSQL database. Move it away.`)
  return { path, uid: folder.uid, gid: folder.gid, majorVersion: Number(version[1]) }
}

/** The folder for a new cluster: the data folder, if the database's user can enter it. */
export async function findHome(
  dataDir: string,
  user: DatabaseUser,
  log: (message: string) => void,
): Promise<string> {
  if (!user.drop || (await canAccess(user, dataDir, 'x'))) return dataDir
  const home = await makeSystemHome(dataDir)
  log(`The database's user (uid ${user.uid}) cannot enter ${dataDir}, so the database is kept in ${home}.`)
  return home
}

/**
 * Where root keeps the files of a data folder that the database's user must reach. The path has plain characters only.
 */
export function systemHome(dataDir: string): string {
  const name = basename(dataDir).replace(/[^A-Za-z0-9._-]/g, '_')
  return join(systemFolder, `${name.slice(0, 40)}-${pathHash(dataDir)}`)
}

/** Creates that folder. Other users may pass through it but not list it. */
export async function makeSystemHome(dataDir: string): Promise<string> {
  const home = systemHome(dataDir)
  await onPath(home, 'create', async () => {
    await mkdir(home, { recursive: true })
    for (const path of [systemFolder, home]) await chmod(path, 0o711)
  })
  return home
}

/** Links `<dataDir>/postgres` to a cluster kept elsewhere, so that the operator and Sluice both find it. */
export async function linkCluster(dataDir: string, cluster: string): Promise<void> {
  const link = join(dataDir, 'postgres')
  if (link === cluster) return
  await onPath(link, 'create the link', () => symlink(cluster, link))
  await syncFolder(dataDir)
}

/** Moves aside a cluster whose data folder was removed in the meantime. Nothing is ever deleted here. */
export async function setAside(cluster: string, now: Date): Promise<string> {
  const aside = `${cluster}-set-aside-${now.toISOString().replaceAll(':', '')}`
  await rename(cluster, aside)
  return aside
}

function foreignCluster(path: string, uid: number): EmbeddedPostgresError {
  const server = clusterProcesses(path).find(({ parent }, _, all) => all.every(({ pid }) => pid !== parent))
  return new EmbeddedPostgresError(
    `The database in ${path} belongs to uid ${uid}, but this process runs as uid ${ownUid()}. ` +
      'Start Sluice as that user or as root.' +
      (server === undefined
        ? ''
        : ` A server left by an earlier run still uses it (pid ${server.pid}). End it with "sudo kill -INT ${server.pid}".`),
  )
}

async function lstatOrNull(path: string) {
  try {
    return await lstat(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
