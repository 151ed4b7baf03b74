import { readFileSync } from 'node:fs'
import { backupSecrets } from './backup-settings.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Settings that are secret or contain a password. Each can be given in a file instead, named by the same name and `_FILE`. */
export const secretSettings = [
  'DATABASE_URL',
  'DATABASE_MIGRATION_URL',
  'REDIS_URL',
  'SLUICE_SECRET_KEY',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SLUICE_REPLICA_URL',
  ...backupSecrets,
] as const

/**
 * The environment with these settings taken from their files. What is wrong is added to `problems`; no problem repeats a
 * secret.
 */
export function withSecretFiles(env: Env, problems: string[]): Env {
  const read: Record<string, string> = {}
  for (const name of secretSettings) {
    const path = env[`${name}_FILE`]?.trim()
    if (path === undefined || path === '') continue
    if ((env[name]?.trim() ?? '') !== '') {
      problems.push(`${name} and ${name}_FILE are both set: keep one`)
      continue
    }
    const text = textIn(path)
    if (text === null) problems.push(`${name}_FILE: ${path} cannot be read`)
    else if (text === '') problems.push(`${name}_FILE: ${path} is empty`)
    else read[name] = text
  }
  return { ...env, ...read }
}

function textIn(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}
