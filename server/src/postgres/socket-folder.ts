import { chmod, chown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { pathHash } from './path-hash.ts'
import { canAccess, type DatabaseUser } from './run-as.ts'

/** Linux, unix(7): the path of a socket has 108 bytes, the last one NUL. */
const maxSocketPathBytes = 107
const maxFolders = 5

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= maxSocketPathBytes
}

/**
 * The folder for the server's socket: the cluster itself, or, if that path is too long, a private temporary folder of
 * the database's user. Only that user and root can enter either. If root runs Sluice, it is a folder of its own, which members
 * of the database's group may pass through: the service's processes have other users.
 */
export async function chooseSocketFolder(
  cluster: string,
  user: DatabaseUser,
  temporary: string = tmpdir(),
): Promise<string> {
  if (!user.drop && fits(cluster)) return cluster
  const beside = join(dirname(cluster), `${basename(cluster)}-socket`)
  if (user.drop && fits(beside) && (await makePrivate(beside, user))) return beside
  for (const parent of [temporary, '/tmp'])
    for (let number = 1; number <= maxFolders; number += 1) {
      const folder = join(parent, `sluice-${pathHash(`${user.uid} ${cluster}`)}-${number}`)
      if (!fits(folder) || !(await canAccess(user, parent, 'x'))) break
      if (await makePrivate(folder, user)) return folder
    }
  throw new EmbeddedPostgresError(
    `The path ${cluster} is too long for a socket (${maxSocketPathBytes} bytes), and no private folder could be created ` +
      `for it in ${temporary} or /tmp. Use a shorter SLUICE_DATA_DIR.`,
  )
}

/**
 * Creates the folder or reuses it from an earlier start. Returns false if another user made it or it is open to others.
 */
async function makePrivate(folder: string, user: DatabaseUser): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 })
    if (user.drop) await chown(folder, user.uid, user.gid)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EACCES' || code === 'EROFS') return false
    if (code !== 'EEXIST') throw error
  }
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== user.uid || (found.mode & 0o067) !== 0) return false
  await chmod(folder, user.drop ? 0o710 : 0o700)
  return true
}
