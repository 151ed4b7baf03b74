import { resolve } from 'node:path'
import { BackupError } from './error.ts'
import { folderTarget } from './folder-target.ts'
import { s3Target } from './s3-target.ts'
import type { Target } from './target.ts'

type S3 = {
  readonly endpoint: string
  readonly region: string
  readonly keyId: string
  readonly secret: () => string
}

/** The target that a text names: a folder, or `s3://bucket/prefix`. */
export function openTarget(place: string | null, s3: S3 | null): Target {
  if (place === null)
    throw new BackupError(
      'Say where backups are: SLUICE_BACKUP_TARGET, or --to and --from: a folder, or s3://bucket/prefix.',
    )
  const found = /^s3:\/\/([a-z0-9.-]+)\/?(.*)$/i.exec(place)
  if (found === null) return folderTarget(resolve(place))
  if (s3 === null)
    throw new BackupError(
      'An S3 store needs SLUICE_BACKUP_S3_ENDPOINT, SLUICE_BACKUP_S3_KEY_ID and SLUICE_BACKUP_S3_SECRET (or SLUICE_BACKUP_S3_SECRET_FILE).',
    )
  const [, bucket = '', path = ''] = found
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`
  const credentials = { keyId: s3.keyId, secret: s3.secret(), region: s3.region }
  return s3Target({ endpoint: s3.endpoint, bucket, prefix, credentials }, () => new Date())
}
