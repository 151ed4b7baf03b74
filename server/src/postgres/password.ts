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

/**
 * The password of the application's role. The superuser has the folder's own, which cannot be computed from this one: the
 * processes of the service know this one only.
 */
export function applicationPassword(password: string): string {
  return createHmac('sha256', password).update('sluice application role').digest('hex')
}

/** Shows whether a cluster and a password belong together. It reveals nothing about the 32 random bytes. */
export function passwordFingerprint(password: string): string {
  return createHash('sha256').update(`sluice postgres password ${password}`).digest('hex')
}
