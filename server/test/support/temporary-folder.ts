import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type TemporaryFolder = { readonly path: string; remove(): Promise<void> }

/**
 * A folder of the test's own. Others may pass through it: when the tests run as root the database runs as another
 * user, and would be kept elsewhere if that user could not enter here.
 */
export async function makeTemporaryFolder(name = 'sluice-test-'): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), name))
  await chmod(path, 0o711)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
