import { access, chmod, constants, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type TemporaryFolder = { readonly path: string; remove(): Promise<void> }

// In memory a sync costs nothing, and most of what a test waits for is PostgreSQL syncing.
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
 * A folder of the test's own. Others may pass through it: when the tests run as root the database runs as another
 * user, and would be kept elsewhere if that user could not enter here.
 */
export async function makeTemporaryFolder(
  name = 'sluice-test-',
  /** In memory where there is plenty of it; what is measured belongs on a disk. */
  place: 'fastest' | 'disk' = 'fastest',
): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(place === 'disk' ? tmpdir() : fastest, name))
  await chmod(path, 0o711)
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) }
}
