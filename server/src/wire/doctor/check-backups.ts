import { type Finding, ok, problem, warning } from '../../app/operator/judge-health.ts'
import type { BackupStatus } from '../../backup/status.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

/** Judges the backups that Sluice takes itself. Null if none were ever asked for: then others may take them. */
export function judgeOwnBackups(isWanted: boolean, status: BackupStatus, now: Date): Finding | null {
  const age = (at: string | undefined) => (at === undefined ? null : now.getTime() - Date.parse(at))
  const [base, stored, verified] = [age(status.baseAt), age(status.storedAt), age(status.verifiedAt)]
  if (base === null && !isWanted) return null
  if (base === null || stored === null)
    return problem(
      'backups',
      'SLUICE_BACKUP_TARGET is set, but nothing on this machine has taken a backup.',
      'Keep this running: npx sluice backup --follow',
    )
  const says = `The base backup is ${inWords(base)} old, and what followed is stored up to ${inWords(stored)} ago.`
  const follow = 'See why npx sluice backup --follow does not run, or does not reach its target.'
  if (stored > 3 * day || base > 30 * day) return problem('backups', says, follow)
  if (status.verifiedOk === false)
    return problem(
      'backups',
      'The last backup that was restored for a test had wrong books.',
      'Run npx sluice backup verify and npx sluice audit, and compare what they say.',
    )
  if (stored > 26 * hour || base > 8 * day) return warning('backups', says, follow)
  if (verified === null || verified > 31 * day)
    return warning(
      'backups',
      `${says} ${verified === null ? 'None was ever restored from here' : `The last test was ${inWords(verified)} ago`}.`,
      'Run: npx sluice backup verify --identity FILE (docs/operating/backups.md)',
    )
  return ok('backups', `${says} It was restored and audited ${inWords(verified)} ago.`)
}

function inWords(ms: number): string {
  if (ms < 2 * hour) return `${Math.max(0, Math.round(ms / 60_000))} min`
  return ms < 3 * day ? `${Math.round(ms / hour)} h` : `${Math.floor(ms / day)} days`
}
