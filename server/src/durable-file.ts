import { randomBytes } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a 0600 file that is either complete or absent after a crash at any moment. Never writes through a symbolic
 * link, because the folder may belong to a less trusted user than ours.
 */
export async function writeDurably(
  path: string,
  text: string,
  owner?: { uid: number; gid: number },
): Promise<void> {
  await writeBeside(path, text, owner, (temporary) => rename(temporary, path))
}

/**
 * The same for a file that must never be replaced. If several processes write it at once, exactly one gets true, and
 * the file has that one's text.
 */
export async function writeOnceDurably(
  path: string,
  text: string,
  owner?: { uid: number; gid: number },
): Promise<boolean> {
  return writeBeside(path, text, owner, async (temporary) => {
    try {
      // Unlike a rename, a link fails if the name is taken.
      await link(temporary, path)
      return true
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
      throw error
    } finally {
      await rm(temporary, { force: true })
    }
  })
}

/** Writes a complete file under a temporary name, `put`s it in place and syncs the folder. */
async function writeBeside<T>(
  path: string,
  text: string,
  owner: { uid: number; gid: number } | undefined,
  put: (temporary: string) => Promise<T>,
): Promise<T> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  let result: T
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      if (owner !== undefined) await file.chown(owner.uid, owner.gid)
      await file.sync()
    } finally {
      await file.close()
    }
    result = await put(temporary)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
  return result
}

/** Makes the names in a folder, such as a recent rename, survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
