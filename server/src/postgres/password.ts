import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../durable-file.ts'
import { EmbeddedPostgresError, errorCode, onPath } from './error.ts'

const passwordPattern = /^[0-9a-f]{64}\n?$/

function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres-password')
}

/** The database password kept in the data folder, or null if there is none yet. */
export async function readPassword(dataDir: string): Promise<string | null> {
  const path = passwordFile(dataDir)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return null
    if (code !== 'EACCES') throw error
    throw new EmbeddedPostgresError(
      `Cannot read ${path}: permission denied. Run this command as the user that runs the service, or as root.`,
      { cause: error },
    )
  }
  if (passwordPattern.test(text)) return text.trim()
  throw new EmbeddedPostgresError(
    `${path} does not contain a password. Remove it: the next start creates a new password and sets it in the database.`,
  )
}

/** The password of the data folder, created on first use. Only the folder's holder calls this, so there is no race. */
export async function ensurePassword(dataDir: string): Promise<string> {
  const existing = await readPassword(dataDir)
  if (existing !== null) return existing
  const path = passwordFile(dataDir)
  const password = randomBytes(32).toString('hex')
  await onPath(path, 'write', () => writeDurably(path, `${password}\n`))
  return password
}

/** The roles besides the superuser: `sluice` owns everything and migrates; `sluice_service` is what the service runs with. */
export type OrdinaryRole = 'sluice' | 'sluice_service'

const labels: Readonly<Record<OrdinaryRole, string>> = {
  sluice: 'sluice owner role',
  sluice_service: 'sluice application role',
}

/**
 * The password of a role. The superuser has the folder's own. None can be computed from another role's: the processes of the
 * service know that of `sluice_service` only.
 */
export function rolePassword(password: string, role: OrdinaryRole): string {
  return createHmac('sha256', password).update(labels[role]).digest('hex')
}

/** Shows whether a cluster and a password belong together. It reveals nothing about the 32 random bytes. */
export function passwordFingerprint(password: string): string {
  return createHash('sha256').update(`sluice postgres password ${password}`).digest('hex')
}
