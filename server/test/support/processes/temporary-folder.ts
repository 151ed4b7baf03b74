import { access, chmod, constants, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type TemporaryFolder = { readonly path: string; remove(): Promise<void> }

// In memory a sync costs nothing, and most of the time of a test is PostgreSQL syncing.
const memory = '/dev/shm'
const roomyBytes = 4 * 1024 ** 3

const fastest = (await isRoomy(memory)) ? memory : tmpdir()

async function isRoomy(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK)
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize >= roomyBytes
  } catch {
    return false
  }
}

/**
 * A folder of the test's own. Other users may traverse it: when root runs the tests, the database runs as another user, and
 * would be stored elsewhere if that user could not enter here.
 */
export async function makeTemporaryFolder(
  name = 'sluice-test-',
  /** In memory if there is plenty of it; measurements belong on a disk. */
  place: 'fastest' | 'disk' = 'fastest',
): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(place === 'disk' ? tmpdir() : fastest, name))
  await chmod(path, 0o711)
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) }
}
