import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { lsnText } from './lsn.ts'
import { type BaseManifest, writeManifest } from './manifest.ts'
import { writeSealed } from './pieces.ts'
import { openReplication } from './replication.ts'
import type { Target } from './target.ts'

/** The database to back up. */
export type Source = {
  /** By a role that may replicate. */
  readonly url: string
  readonly database: string
  readonly isEmbedded: boolean
  readonly sluiceVersion: string
}

const sliceBytes = 16 * 1024 * 1024

/** Takes a complete copy of the running database, with the log it needs to be opened, sealed to the recipients. */
export async function takeBase(
  source: Source,
  target: Target,
  recipients: readonly Buffer[],
): Promise<BaseManifest> {
  const replication = await openReplication(source.url)
  try {
    const identity = await replication.identify()
    const started = await askServer(source.url)
    const stamp = started.now.toISOString().replace(/[-:]|\.\d+/g, '')
    const id = `${stamp}-${randomBytes(4).toString('hex')}`
    const { parts, done } = replication.base(`sluice ${id}`)
    const archive: { name: string; bytes: number }[] = []
    let [waiting, waitingBytes, archiveBytes]: [Buffer[], number, number] = [[], 0, 0]
    const list: Buffer[] = []
    const writeSlice = async () => {
      const stem = `base/${id}/${String(archive.length + 1).padStart(6, '0')}`
      archive.push(await writeSealed(target, stem, Buffer.concat(waiting), recipients))
      waiting = []
      waitingBytes = 0
    }
    for await (const { of, bytes } of parts) {
      if (of === 'list') {
        list.push(bytes)
        continue
      }
      waiting.push(bytes)
      waitingBytes += bytes.length
      archiveBytes += bytes.length
      if (waitingBytes >= sliceBytes) await writeSlice()
    }
    const { start, end, timeline } = await done
    if (waitingBytes > 0) await writeSlice()
    const manifest: BaseManifest = {
      version: 1,
      id,
      startedAt: started.now.toISOString(),
      // Rounded up to the next millisecond: it must not be before the end.
      finishedAt: new Date((await askServer(source.url)).now.getTime() + 1).toISOString(),
      sluiceVersion: source.sluiceVersion,
      postgresMajor: started.major,
      isEmbedded: source.isEmbedded,
      database: source.database,
      systemId: identity.systemId,
      timeline,
      segmentBytes: identity.segmentBytes,
      start: lsnText(start),
      end: lsnText(end),
      archiveBytes,
      archive,
      list: await writeSealed(target, `base/${id}/files`, Buffer.concat(list), recipients),
    }
    await writeManifest(target, manifest)
    return manifest
  } finally {
    replication.close()
  }
}

/** The time by the server's clock, which also stamps its commits. */
async function askServer(url: string): Promise<{ now: Date; major: number }> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query(
      `select clock_timestamp() as now, current_setting('server_version_num')::int / 10000 as major`,
    )
    return rows[0]
  } finally {
    await client.end().catch(() => {})
  }
}
