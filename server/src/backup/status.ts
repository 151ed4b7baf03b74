import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../durable-file.ts'

/** What is known on this machine about its backups: times only. */
export type BackupStatus = {
  /** When the last base backup was complete. */
  readonly baseAt?: string
  /** Up to when the log and the journal are stored. */
  readonly storedAt?: string
  /** When a backup was last restored and audited, and whether it was right. */
  readonly verifiedAt?: string
  readonly verifiedOk?: boolean
}

export function statusPath(dataDir: string): string {
  return join(dataDir, 'backup-status.json')
}

/** The status that is noted in a data folder; empty if nothing is, or nothing that can be read. */
export async function readStatus(dataDir: string): Promise<BackupStatus> {
  try {
    const found: unknown = JSON.parse(await readFile(statusPath(dataDir), 'utf8'))
    return typeof found === 'object' && found !== null ? found : {}
  } catch {
    return {}
  }
}

/** Notes news in the data folder. A folder that cannot be written is left alone: the backup itself is elsewhere. */
export async function noteStatus(dataDir: string, news: BackupStatus): Promise<void> {
  const path = statusPath(dataDir)
  const text = `${JSON.stringify({ ...(await readStatus(dataDir)), ...news })}\n`
  await writeDurably(path, text).catch(() => {})
}
