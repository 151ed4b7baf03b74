import { BackupError } from './error.ts'
import { LogArchive, logFolder, storedSegments, storedUntil } from './log-archive.ts'
import { readLsn } from './lsn.ts'
import { readManifests } from './manifest.ts'
import { writeSealed } from './pieces.ts'
import { openReplication, type Replication, type ServerIdentity } from './replication.ts'
import { type Source, takeBase } from './take-base.ts'
import { stemOf, type Target } from './target.ts'

export const slotName = 'sluice_backup'

/** SQLSTATE: the server no longer has the requested segment. */
const segmentRemoved = '58P01'

/** The server no longer has the log that follows what is stored: a new base is needed. */
export class LogGoneError extends BackupError {}

export type Following = {
  readonly source: Source
  readonly target: Target
  readonly recipients: readonly Buffer[]
  /** How long a change may stay unstored. */
  readonly flushMs: number
  readonly signal: AbortSignal
  /** Whether to begin anew, because the server no longer has the log after what is stored. */
  readonly isFresh: boolean
  readonly say: (message: string) => void
  /** Called after each flush: stores what changed in the wallet folder, and takes a new base when one is due. */
  readonly afterFlush: () => Promise<void>
}

/**
 * Stores the server's log as it is written, from the newest base on, until the signal. Takes a base first if there is none
 * that the stored log continues. A slot makes the server keep its log meanwhile, as far as its own limit goes.
 */
export async function followLog(following: Following): Promise<void> {
  const { source, target, recipients, flushMs, signal } = following
  const replication = await openReplication(source.url)
  const stop = () => replication.close()
  signal.addEventListener('abort', stop)
  let timer: NodeJS.Timeout | undefined
  try {
    const server = await replication.identify()
    await storeHistory(following, replication, server)
    const isNewSlot = await replication.ensureSlot(slotName)
    const from = await startOf(following, server, isNewSlot || following.isFresh)
    const start = from - (from % BigInt(server.segmentBytes))
    const archive = new LogArchive(target, recipients, server, { start, stored: from })
    const { parts, stored } = replication.log(slotName, start, server.timeline)
    let flushing: Promise<void> = Promise.resolve()
    let problem: unknown = null
    // One after another: a piece must not be written twice, nor while its segment is finished.
    const inTurn = (work: () => Promise<void>) => {
      flushing = flushing.then(work)
      return flushing
    }
    const flush = () =>
      inTurn(async () => {
        await archive.flush()
        stored(archive.stored)
      })
    timer = setInterval(() => {
      flush()
        .then(() => (signal.aborted ? undefined : following.afterFlush()))
        .catch((error: unknown) => {
          problem ??= error
          replication.close()
        })
    }, flushMs)
    try {
      for await (const part of parts)
        if ('bytes' in part) await inTurn(() => archive.add(part.start, part.bytes))
    } catch (error) {
      if (problem !== null) throw problem
      if (!signal.aborted && (error as { code?: unknown }).code === segmentRemoved)
        throw new LogGoneError('The server no longer has the log that follows what is stored.', {
          cause: error,
        })
      if (!signal.aborted) throw error
    }
    if (signal.aborted) await inTurn(() => archive.flush())
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', stop)
    replication.close()
  }
}

/** Where to continue: after what is stored, if a base continues into it; else at the start of a new base. */
async function startOf(
  { source, target, recipients, say }: Following,
  server: ServerIdentity,
  isFresh: boolean,
): Promise<bigint> {
  const names = await target.list('')
  const { bases } = await readManifests(target, names)
  const newest = bases.findLast(
    ({ systemId, timeline }) => systemId === server.systemId && timeline === server.timeline,
  )
  if (newest !== undefined && !isFresh) {
    const run = storedUntil(storedSegments(names, server), readLsn(newest.start), server.segmentBytes)
    if (run !== null) return run.end
  }
  say('Taking a base backup first: no stored log continues to where the database is now.')
  const base = await takeBase(source, target, recipients)
  const from = readLsn(base.start)
  // Another process may have stored a part of this segment already.
  const run = storedUntil(
    storedSegments(await target.list(logFolder(server.systemId)), server),
    from,
    server.segmentBytes,
  )
  return run?.end ?? from - (from % BigInt(server.segmentBytes))
}

/** A restore must not begin a timeline that exists already, so it has to know them. */
async function storeHistory(
  { target, recipients }: Following,
  replication: Replication,
  { systemId, timeline }: ServerIdentity,
): Promise<void> {
  const history = await replication.history(timeline)
  if (history === null) return
  const stem = `${logFolder(systemId)}${history.name}`
  if ((await target.list(stem)).some((name) => stemOf(name) === stem)) return
  await writeSealed(target, stem, history.content, recipients)
}
