import type { BackupStatus } from '../backup/status.ts'
import type { Metrics } from '../http/metrics.ts'

/** Adds metrics for the age of backups, as the supervisor last read it. What was never noted has no series. */
export function addBackupMetrics(metrics: Metrics, status: () => BackupStatus): void {
  const one = (name: string, help: string, read: (noted: BackupStatus) => number | undefined) =>
    metrics.gauges(name, help, [], async () => {
      const value = read(status())
      return value === undefined || Number.isNaN(value) ? [] : [{ labels: {}, value }]
    })
  const seconds = (at: string | undefined) => (at === undefined ? undefined : Date.parse(at) / 1000)
  one('sluice_backup_base_timestamp_seconds', 'When the last base backup was complete.', ({ baseAt }) =>
    seconds(baseAt),
  )
  one(
    'sluice_backup_stored_timestamp_seconds',
    'Up to when the log and the journal are stored.',
    ({ storedAt }) => seconds(storedAt),
  )
  one(
    'sluice_backup_verified_timestamp_seconds',
    'When a backup was last restored and audited.',
    ({ verifiedAt }) => seconds(verifiedAt),
  )
  one('sluice_backup_verified_ok', '1 if the books of that backup were correct, else 0.', ({ verifiedOk }) =>
    verifiedOk === undefined ? undefined : Number(verifiedOk),
  )
}
