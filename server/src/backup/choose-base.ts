import { BackupError } from './error.ts'
import { type StoredSegment, storedSegments, storedUntil } from './log-archive.ts'
import { readLsn, segmentName } from './lsn.ts'
import { type BaseManifest, readManifests } from './manifest.ts'
import type { Target } from './target.ts'

/** What a restore reads: a base, and the stored log that continues it. */
export type Chosen = {
  readonly base: BaseManifest
  readonly segments: readonly StoredSegment[]
  /** The first segment that is missing or incomplete although later ones are stored; null if there is none. */
  readonly gap: string | null
}

/** The newest base from which a moment can be restored; without a moment, the newest. */
export async function chooseBase(target: Target, names: readonly string[], at: Date | null): Promise<Chosen> {
  const { bases } = await readManifests(target, names)
  const earliest = bases[0]
  if (earliest === undefined)
    throw new BackupError(
      `There is no complete backup of a database in ${target.shown}. Take one: npx sluice backup`,
    )
  const base = bases.findLast(({ finishedAt }) => at === null || finishedAt <= at.toISOString())
  if (base === undefined)
    throw new BackupError(
      `The earliest moment that ${target.shown} can restore is ${earliest.finishedAt}, when its oldest base backup was complete.`,
    )
  const missing = [...base.archive, base.list].find(({ name }) => !names.includes(name))
  if (missing !== undefined)
    throw new BackupError(
      `${missing.name} is missing in ${target.shown}, so base ${base.id} is not complete.`,
    )
  const stored = storedSegments(names, base)
  const segments = storedUntil(stored, readLsn(base.start), base.segmentBytes)?.segments ?? []
  const last = segments.at(-1)
  const isCutOff = stored.some(({ start }) => start > (last?.start ?? readLsn(base.end)))
  const next =
    last === undefined ? readLsn(base.end) : last.start + BigInt(Math.min(last.bytes, base.segmentBytes))
  return { base, segments, gap: isCutOff ? segmentName(base.timeline, next, base.segmentBytes) : null }
}
