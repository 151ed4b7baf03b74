import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../durable-file.ts'
import { BackupError } from './error.ts'
import type { Target } from './target.ts'

const unfinished = '.tmp'

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
      for (let at = dirname(name); at !== '.'; at = dirname(at))
        if (
          !(await rmdir(join(folder, at)).then(
            () => true,
            () => false,
          ))
        )
          return
    },
  }

  async function makeFolders(path: string): Promise<void> {
    const first = await mkdir(path, { recursive: true, mode: 0o700 })
    // Each new name must survive a power cut, so the folders above are synced too.
    if (first !== undefined)
      for (let at = path; at.length >= dirname(first).length; at = dirname(at)) await syncFolder(at)
  }
}

function missing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? error)
}
