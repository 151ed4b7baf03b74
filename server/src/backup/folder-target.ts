import { randomBytes } from 'node:crypto'
import { lstat, mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../durable-file.ts'
import { BackupError } from './error.ts'
import { stemOf, type Target } from './target.ts'

const unfinished = '.tmp'
const unfinishedOf = /^(.+)\.[0-9a-f]{12}\.tmp$/
/** Nothing is written for so long: what is unfinished for longer was left by a process that was killed. */
const unfinishedMs = 24 * 60 * 60 * 1000

/** Backups in a folder, such as a mounted disk of another machine. Only its owner can read what is written there. */
export function folderTarget(folder: string): Target {
  return {
    shown: folder,
    async list(prefix) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(missing)
      return entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith(unfinished))
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .filter((name) => name.startsWith(prefix))
        .sort()
    },
    async read(name) {
      try {
        return await readFile(join(folder, name))
      } catch (error) {
        throw new BackupError(`${name} in ${folder} cannot be read (${codeOf(error)}).`, { cause: error })
      }
    },
    async write(name, bytes) {
      const path = join(folder, name)
      const temporary = `${path}.${randomBytes(6).toString('hex')}${unfinished}`
      try {
        await makeFolders(dirname(path))
        const file = await open(temporary, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(temporary, path)
        await syncFolder(dirname(path))
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {})
        throw new BackupError(`Cannot write ${name} to ${folder} (${codeOf(error)}).`, { cause: error })
      }
    },
    async remove(name) {
      await rm(join(folder, name), { force: true })
      // The folders of a base or a segment go with their last file.
      await removeEmpty(dirname(name), () => true)
    },
    async sweep(isPruned, now) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(missing)
      const found = entries.map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return { entry, path, name: path.slice(folder.length + 1) }
      })
      let before: number | null = null
      const isOld = async (path: string): Promise<boolean> => {
        before ??= await beforeWhich(found, now)
        return (await changedMs(path)) < before
      }
      const foreign: string[] = []
      // Of nested folders, the inner ones first.
      for (const { entry, path, name } of found.reverse()) {
        if (entry.isDirectory()) {
          // A kill between two steps leaves a folder empty; one that was just made is about to be written to.
          if (isPruned(name) && (await isOld(path))) await removeEmpty(name, isPruned)
        } else if (isPruned(dirname(name))) {
          const object = entry.isFile() ? (unfinishedOf.exec(name)?.[1] ?? name) : ''
          if (stemOf(object) === null) foreign.push(name)
          else if (object !== name && (await isOld(path))) {
            await rm(path, { force: true })
            await removeEmpty(dirname(name), isPruned)
          }
        }
      }
      return foreign.sort()
    },
  }

  /** Removes a folder and those above it, as long as they are empty and may go. */
  async function removeEmpty(name: string, mayGo: (folder: string) => boolean): Promise<void> {
    for (let at = name; at !== '.' && mayGo(at); at = dirname(at)) {
      const isGone = await rmdir(join(folder, at)).then(
        () => true,
        () => false,
      )
      if (!isGone) return
    }
  }

  async function makeFolders(path: string): Promise<void> {
    const first = await mkdir(path, { recursive: true, mode: 0o700 })
    // Each new name must survive a power cut, so the folders above are synced too.
    if (first !== undefined)
      for (let at = path; at.length >= dirname(first).length; at = dirname(at)) await syncFolder(at)
  }
}

/**
 * Since when, in milliseconds, what is unfinished must be unchanged to be left over. The store may be on another machine, which
 * has its own clock: it is at least as late there as the newest object says. The earlier of both clocks counts.
 */
async function beforeWhich(
  found: readonly { readonly path: string; readonly name: string }[],
  now: Date,
): Promise<number> {
  let newest = 0
  for (const { path } of found.filter(({ name }) => stemOf(name) !== null)) {
    const changed = await changedMs(path)
    if (Number.isFinite(changed)) newest = Math.max(newest, changed)
  }
  return Math.min(now.getTime(), newest) - unfinishedMs
}

/** Infinite for what is gone by now. */
async function changedMs(path: string): Promise<number> {
  return lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  )
}

function missing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? error)
}
