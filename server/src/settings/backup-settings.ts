import { resolve } from 'node:path'
import { postgresUrlProblem } from './postgres-url.ts'

/** Where an S3-compatible store is, without its credentials. */
export type S3Settings = {
  readonly endpoint: string
  readonly region: string
  readonly keyId: string
  readonly secret: () => string
}

/** Where backups go and who can open them. Only the commands for backups use this. */
export type BackupSettings = {
  /** A folder, or `s3://bucket/prefix`. Null: none is set. */
  readonly target: string | null
  /** Public keys, `age1…`. */
  readonly recipients: readonly string[]
  /** Null: not all of its settings are given. */
  readonly s3: S3Settings | null
  /** By a role that may replicate. Null: the role of DATABASE_URL does. */
  readonly databaseUrl: string | null
  /** The file named by SLUICE_CONFIG, which is backed up too. */
  readonly configFile: string | null
}

/** The settings that only the commands for backups may see: no process of the service is given them. */
export const backupSecrets = ['SLUICE_BACKUP_S3_SECRET', 'SLUICE_BACKUP_DATABASE_URL'] as const

/** Reads the settings of backups; adds what is wrong with them to `problems`, without repeating a secret. */
export function readBackupSettings(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): BackupSettings {
  const text = (name: string) => (env[name]?.trim() ? (env[name]?.trim() ?? null) : null)
  const target = text('SLUICE_BACKUP_TARGET')
  if (target?.includes('://') && !isS3(target))
    problems.push('SLUICE_BACKUP_TARGET must be a folder, or look like s3://bucket/prefix')
  const endpoint = text('SLUICE_BACKUP_S3_ENDPOINT')
  if (endpoint !== null && !/^https?:\/\/[^/?#@\s]+$/.test(endpoint))
    problems.push('SLUICE_BACKUP_S3_ENDPOINT must look like https://s3.example.com, without a path')
  const keyId = text('SLUICE_BACKUP_S3_KEY_ID')
  const secret = text('SLUICE_BACKUP_S3_SECRET')
  const region = text('SLUICE_BACKUP_S3_REGION') ?? 'us-east-1'
  const recipients = (text('SLUICE_BACKUP_RECIPIENTS') ?? '').split(/[\s,]+/).filter((part) => part !== '')
  if (recipients.some((each) => /^age-secret-key-/i.test(each)))
    problems.push(
      'SLUICE_BACKUP_RECIPIENTS has a private key: give the public one (age1…), and keep the other elsewhere',
    )
  else if (recipients.some((each) => !/^age1[02-9ac-hj-np-z]{58}$/.test(each)))
    problems.push(
      'SLUICE_BACKUP_RECIPIENTS must list public keys such as age1…: npx sluice backup keygen makes one',
    )
  const databaseUrl = text('SLUICE_BACKUP_DATABASE_URL')
  const urlProblem = databaseUrl === null ? null : postgresUrlProblem(databaseUrl)
  if (urlProblem !== null) problems.push(`SLUICE_BACKUP_DATABASE_URL ${urlProblem}`)
  const configFile = text('SLUICE_CONFIG')
  return {
    target: target === null || isS3(target) ? target : resolve(target),
    recipients,
    s3:
      endpoint === null || keyId === null || secret === null
        ? null
        : { endpoint, region, keyId, secret: () => secret },
    databaseUrl,
    configFile: configFile === null ? null : resolve(configFile),
  }
}

function isS3(target: string): boolean {
  return /^s3:\/\/[a-z0-9.-]+(\/[\w./-]*)?$/i.test(target)
}
