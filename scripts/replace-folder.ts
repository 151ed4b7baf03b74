import { chmod, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Puts a folder that was just made in the place of an old one, whole. Another process may do the same at the same moment:
 * whoever made it from the same, as `stamp` in it says, has made the same.
 */
export async function replaceFolder(fresh: string, place: string, stamp: string): Promise<void> {
  // The service may run as another user than the one who builds.
  await chmod(fresh, 0o755)
  const source = await readFile(join(fresh, stamp), 'utf8')
  const old = `${fresh}-old`
  await rename(place, old).catch(() => {})
  try {
    await rename(fresh, place)
  } catch (error) {
    // Somebody else was quicker. When they built the same, nothing is missing.
    if ((await readFile(join(place, stamp), 'utf8')) !== source) throw error
  } finally {
    await rm(old, { recursive: true, force: true })
  }
}
