import { logFolder, segmentPattern } from './log-archive.ts'
import { readLsn, segmentName } from './lsn.ts'
import { readManifests } from './manifest.ts'
import { pruneWallet } from './store-wallet.ts'
import { stemOf, type Target } from './target.ts'

/** An unfinished base may still be being taken; after this long it is not. */
const unfinishedMs = 24 * 60 * 60 * 1000

const baseId = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/
const serverId = /^\d+$/

/**
 * Keeps the newest bases and the log they need, and removes the rest, as far as backups wrote it. The journal is never removed.
 * Returns how many bases were kept, and the names of what is among the rest but was written by no backup.
 */
export async function prune(
  target: Target,
  keep: number,
  now: Date,
): Promise<{ readonly kept: number; readonly foreign: readonly string[] }> {
  const names = (await target.list('')).filter((name) => stemOf(name) !== null)
  const { bases, unfinished } = await readManifests(target, names)
  const kept = bases.slice(-keep)
  for (const { id } of bases.slice(0, -keep)) {
    const own = names.filter((name) => name.startsWith(`base/${id}/`))
    // Its manifest first: without it the rest counts for nothing.
    for (const name of own.sort((a) => (a.includes('/manifest-') ? -1 : 1))) await target.remove(name)
  }
  for (const name of unfinished) if (isOver(name.split('/')[1] ?? '')) await target.remove(name)
  const oldest = kept[0]
  if (oldest === undefined) return { kept: 0, foreign: [] }
  for (const name of names.filter((each) => each.startsWith('log/')))
    if (!isNeeded(name)) await target.remove(name)
  await pruneWallet(target, oldest.startedAt)
  return { kept: kept.length, foreign: await target.sweep(isPruned, now) }

  function isOver(id: string): boolean {
    return now.getTime() - startOf(id) > unfinishedMs
  }

  /** Whether it is the folder of a base, a segment or a server of which nothing is kept. Others are always written to. */
  function isPruned(folder: string): boolean {
    const [first, second = '', segment] = folder.split('/')
    if (first === 'base')
      return (
        segment === undefined &&
        baseId.test(second) &&
        isOver(second) &&
        !kept.some(({ id }) => id === second)
      )
    if (first !== 'log' || !serverId.test(second)) return false
    return (segment === undefined || segmentPattern.test(segment)) && !isNeeded(`${folder}/`)
  }

  function isNeeded(name: string): boolean {
    const [, systemId = '', segment = ''] = name.split('/')
    if (!segmentPattern.test(segment)) return kept.some((base) => base.systemId === systemId)
    return kept.some(
      (base) =>
        name.startsWith(logFolder(base.systemId)) &&
        segment.slice(0, 8) === base.timeline.toString(16).toUpperCase().padStart(8, '0') &&
        segment >= segmentName(base.timeline, readLsn(base.start), base.segmentBytes),
    )
  }
}

/** From the id of a base, which begins with its time. */
function startOf(id: string): number {
  const time = id.slice(0, 16).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  return Date.parse(time) || 0
}
