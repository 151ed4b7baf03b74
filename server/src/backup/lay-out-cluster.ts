import { createHash } from 'node:crypto'
import { chmod, lchown, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Identity } from './age.ts'
import type { Chosen } from './choose-base.ts'
import { BackupError } from './error.ts'
import { logFolder } from './log-archive.ts'
import { readCover, readSealed } from './pieces.ts'
import { readTar, type TarEntry } from './tar.ts'
import { stemOf, type Target } from './target.ts'

/** What PostgreSQL 13 and newer lists of a base backup (its chapter 69). */
type FileList = { readonly Files: readonly { readonly Path?: string; readonly Checksum?: string }[] }

/** Settings that the servers of some distributions keep elsewhere. A server does not start without these files. */
const settingFiles = ['postgresql.conf', 'pg_hba.conf', 'pg_ident.conf']

/**
 * Writes the cluster of a base, and the log that continues it, into an empty folder. Every file is compared with the server's
 * own list of them.
 */
export async function layOutCluster(
  target: Target,
  names: readonly string[],
  identity: Identity,
  { base, segments }: Chosen,
  cluster: string,
): Promise<void> {
  const sums = new Map<string, string>()
  for await (const entry of readTar(slices())) {
    const path = inside(cluster, entry.path)
    if (entry.kind === 'link') throw new BackupError(`The base ${base.id} has a link, ${entry.path}.`)
    if (entry.kind === 'folder') await mkdir(path, { recursive: true, mode: 0o700 })
    else sums.set(entry.path, await writeEntry(path, entry))
  }
  const list = JSON.parse((await readSealed(target, base.list.name, identity)).toString('utf8')) as FileList
  for (const { Path: path, Checksum: sum } of list.Files)
    if (path !== undefined && sums.get(path) !== sum)
      throw new BackupError(
        `${path} in base ${base.id} is not what the server listed: it is missing or differs.`,
      )
  for (const name of settingFiles)
    if (!sums.has(name)) await writeFile(join(cluster, name), '', { mode: 0o600 })
  await layOutLog()

  async function* slices(): AsyncGenerator<Buffer> {
    for (const { name } of base.archive) yield await readSealed(target, name, identity)
  }

  async function layOutLog(): Promise<void> {
    for (const { name, cover } of segments) {
      // The base has the segments that it needs as a whole; of its last one, less may be stored.
      if (sums.has(`pg_wal/${name}`)) continue
      const whole = Buffer.alloc(base.segmentBytes)
      let at = 0
      for (const part of await readCover(target, cover, identity)) at += part.copy(whole, at)
      await writeFile(join(cluster, 'pg_wal', name), whole, { mode: 0o600 })
    }
    // The recovered server begins a new timeline: one that has never been, even if its log was stored by another restore.
    const folder = logFolder(base.systemId)
    for (const name of names) {
      const found = /^([0-9A-F]{8}\.history)$/.exec((stemOf(name) ?? '').slice(folder.length))
      if (!name.startsWith(folder) || found === null) continue
      await writeFile(join(cluster, 'pg_wal', found[1] ?? ''), await readSealed(target, name, identity), {
        mode: 0o600,
      })
    }
  }
}

/** Gives everything in a folder, and the folder, to a user. */
export async function giveAll(folder: string, uid: number, gid: number): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await lchown(join(entry.parentPath, entry.name), uid, gid)
  await lchown(folder, uid, gid)
  await chmod(folder, 0o700)
}

/** Writes a file, and returns its SHA-256. */
async function writeEntry(path: string, entry: TarEntry): Promise<string> {
  const sum = createHash('sha256')
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const part of entry.content) {
      sum.update(part)
      await file.writeFile(part)
    }
  } finally {
    await file.close()
  }
  return sum.digest('hex')
}

/** Refuses a path that leads out of the folder. */
export function inside(folder: string, path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..') || path.startsWith('/') || path.includes('\0'))
    throw new BackupError(`The backup has a file with the path ${JSON.stringify(path)}.`)
  return join(folder, ...parts)
}
