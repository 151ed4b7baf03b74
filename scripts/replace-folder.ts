import { chmod, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Replaces an old folder with a new one as a whole. Another process may do the same at the same moment: if its `stamp`
 * says that it was made from the same sources, the result is the same.
 */
export async function replaceFolder(fresh: string, place: string, stamp: string): Promise<void> {
  // The service may run as a different user than the build.
  await chmod(fresh, 0o755)
  const source = await readFile(join(fresh, stamp), 'utf8')
  const old = `${fresh}-old`
  await rename(place, old).catch(() => {})
  try {
    await rename(fresh, place)
  } catch (error) {
    // Another process was faster. If it built the same, nothing is missing.
    if ((await readFile(join(place, stamp), 'utf8')) !== source) throw error
  } finally {
    await rm(old, { recursive: true, force: true })
  }
}
