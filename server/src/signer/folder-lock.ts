import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type FolderLock = { release(): void }

/**
 * Makes this process the only signer of a wallet folder; null when another process is. The kernel holds the lock and
 * releases it however the process ends. Unlike process ids, it works across containers that share the folder. Node has no
 * flock, but SQLite's exclusive lock on a file that stays empty does the same (fcntl).
 */
export function lockFolder(folder: string): FolderLock | null {
  const database = new DatabaseSync(join(folder, 'signer.lock'), { timeout: 0 })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return null
    throw error
  }
  return { release: () => database.close() }
}

// SQLITE_BUSY
const busy = 5
