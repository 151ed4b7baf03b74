import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const root = '/usr/lib/postgresql'
const oldestSupported = 15

/** The folder with the programs of the oldest supported PostgreSQL from Debian's packages: 15 on Debian 12. */
export async function debianPostgresBin(): Promise<string> {
  const versions = (await readdir(root).catch(() => [])).map(Number).sort((a, b) => a - b)
  const oldest = versions.find((version) => version >= oldestSupported)
  if (oldest === undefined) {
    throw new Error('This needs Debian’s PostgreSQL. Run scripts/provision as root, or install postgresql.')
  }
  return join(root, String(oldest), 'bin')
}
