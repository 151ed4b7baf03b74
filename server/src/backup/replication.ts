import pg from 'pg'
import { BackupError } from './error.ts'
import { lsnText, readLsn } from './lsn.ts'

/** The server that is backed up. */
export type ServerIdentity = {
  readonly systemId: string
  readonly timeline: number
  /** How far its log is on disk. */
  readonly position: bigint
  readonly segmentBytes: number
}

/** A part of a base backup: the tar archive of the data folder, then the server's list of its files with their checksums. */
export type BasePart = { readonly of: 'archive' | 'list'; readonly bytes: Buffer }

/** The log from `start` on, or the server saying that it is alive. */
export type LogPart = { readonly start: bigint; readonly bytes: Buffer } | { readonly isAlive: true }

const connectTimeoutMs = 10_000
/** How much may wait in memory before the server is held back. */
const highWaterBytes = 8 * 1024 * 1024
/** PostgreSQL counts from 2000. */
const epochMs = Date.UTC(2000, 0, 1)

/** `pg` passes these messages on, but its types do not name them. */
type RawConnection = {
  readonly stream: { pause(): void; resume(): void; destroy(): void }
  query(text: string): void
  sendCopyFromChunk(bytes: Buffer): void
  on(event: 'copyData', listener: (message: { chunk: Buffer }) => void): void
  once(event: 'replicationStart', listener: () => void): void
}

/**
 * A connection of the streaming replication protocol (PostgreSQL, chapter 54.4), by which a server hands out a copy of itself
 * and its log. The role needs the attribute REPLICATION, or is a superuser.
 */
export async function openReplication(url: string): Promise<Replication> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    // By this name, reports of standbys leave it out.
    application_name: 'sluice_backup',
    replication: 'true',
  } as pg.ClientConfig)
  try {
    await client.connect()
  } catch (error) {
    throw new BackupError(
      `The server refuses a replication connection: ${(error as Error).message}. The role needs the attribute REPLICATION, and ` +
        'pg_hba.conf a line for the database "replication".',
      { cause: error },
    )
  }
  return new Replication(client)
}

export class Replication {
  readonly #client: pg.Client
  readonly #raw: RawConnection
  #lost: Error | null = null
  #wake: () => void = () => {}

  constructor(client: pg.Client) {
    this.#client = client
    this.#raw = (client as unknown as { connection: RawConnection }).connection
    client.on('error', (error) => this.#end(error))
    client.on('end', () => this.#end(new BackupError('The server ended the connection.')))
  }

  #end(error: Error): void {
    this.#lost ??= error
    this.#wake()
  }

  async identify(): Promise<ServerIdentity> {
    const { rows } = await this.#client.query('IDENTIFY_SYSTEM')
    const size = await this.#client.query('SHOW wal_segment_size')
    const found = /^(\d+)(MB|GB)$/.exec(size.rows[0]?.wal_segment_size ?? '')
    if (found === null)
      throw new BackupError('The server does not say how large the segments of its log are.')
    return {
      systemId: String(rows[0].systemid),
      timeline: Number(rows[0].timeline),
      position: readLsn(rows[0].xlogpos),
      segmentBytes: Number(found[1]) * (found[2] === 'GB' ? 1024 ** 3 : 1024 ** 2),
    }
  }

  /** The server's list of how its timeline began; null on the first one, which has none. */
  async history(timeline: number): Promise<{ name: string; content: Buffer } | null> {
    if (timeline === 1) return null
    const { rows } = await this.#client.query(`TIMELINE_HISTORY ${timeline}`)
    const { filename, content } = rows[0]
    return { name: filename, content: Buffer.isBuffer(content) ? content : Buffer.from(content) }
  }

  /** Makes sure of a slot: from now on the server keeps the log until it has been stored. Returns whether it is new. */
  async ensureSlot(slot: string): Promise<boolean> {
    const { rows } = await this.#client.query(`READ_REPLICATION_SLOT ${slot}`)
    if (rows[0]?.slot_type === 'physical') {
      if (rows[0].restart_lsn !== null) return false
      // The server has given up what the slot was to keep, so that its disk does not run full.
      await this.#client.query(`DROP_REPLICATION_SLOT ${slot} WAIT`)
    }
    await this.#client.query(`CREATE_REPLICATION_SLOT ${slot} PHYSICAL RESERVE_WAL`)
    return true
  }

  /** Streams a base backup with the log that it needs. `done` has where that log starts and ends. */
  base(label: string): {
    readonly parts: AsyncGenerator<BasePart>
    readonly done: Promise<{ start: bigint; end: bigint; timeline: number }>
  } {
    const queue = this.#queue<BasePart>((part) => part.bytes.length)
    const positions: { lsn: bigint; timeline: number }[] = []
    let of: BasePart['of'] = 'archive'
    let archives = 0
    const done = new Promise<{ start: bigint; end: bigint; timeline: number }>((resolve, reject) => {
      let columns: string[] = []
      let failure: Error | null = null
      const fail = (error: Error) => {
        failure = error
        queue.fail(error)
        reject(error)
      }
      const command = `BASE_BACKUP (LABEL '${label}', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`
      this.#client.query({
        submit: (connection: pg.Connection) => (connection as unknown as RawConnection).query(command),
        handleRowDescription: (message: { fields: { name: string }[] }) => {
          columns = message.fields.map(({ name }) => name)
        },
        handleDataRow: (message: { fields: (string | null)[] }) => {
          if (columns[0] === 'recptr')
            positions.push({ lsn: readLsn(String(message.fields[0])), timeline: Number(message.fields[1]) })
        },
        handleCopyData: ({ chunk }: { chunk: Buffer }) => {
          const kind = String.fromCharCode(chunk[0] ?? 0)
          if (kind === 'n' && ++archives > 1)
            fail(
              new BackupError(
                'The server has tablespaces outside its data folder, which cannot be backed up this way.',
              ),
            )
          if (kind === 'm') of = 'list'
          if (kind === 'd' && failure === null) queue.push({ of, bytes: Buffer.from(chunk.subarray(1)) })
        },
        handleCommandComplete() {},
        handleReadyForQuery() {
          const [start, end] = positions
          if (failure !== null) return
          if (start === undefined || end === undefined)
            return fail(new BackupError('The base backup has no end.'))
          queue.close()
          resolve({ start: start.lsn, end: end.lsn, timeline: start.timeline })
        },
        handleError: fail,
        handlePortalSuspended() {},
        handleEmptyQuery() {},
      } as pg.Submittable)
    })
    // A failure surfaces where the parts are read.
    done.catch(() => {})
    return { parts: queue.read(), done }
  }

  /** Streams the log from a position on. `stored` tells the server how much of it need not be kept any more. */
  log(
    slot: string,
    from: bigint,
    timeline: number,
  ): {
    readonly parts: AsyncGenerator<LogPart>
    stored(position: bigint): void
  } {
    const queue = this.#queue<LogPart>((part) => ('bytes' in part ? part.bytes.length : 0))
    this.#raw.on('copyData', ({ chunk }) => {
      const kind = String.fromCharCode(chunk[0] ?? 0)
      if (kind === 'w')
        queue.push({ start: chunk.readBigUInt64BE(1), bytes: Buffer.from(chunk.subarray(25)) })
      if (kind === 'k') queue.push({ isAlive: true })
    })
    this.#client.query({
      submit: (connection: pg.Connection) =>
        (connection as unknown as RawConnection).query(
          `START_REPLICATION SLOT ${slot} PHYSICAL ${lsnText(from)} TIMELINE ${timeline}`,
        ),
      handleCopyData() {},
      handleRowDescription() {},
      handleDataRow() {},
      handleCommandComplete() {},
      handleReadyForQuery: () => queue.close(),
      handleError: (error: Error) => queue.fail(error),
      handlePortalSuspended() {},
      handleEmptyQuery() {},
    } as pg.Submittable)
    return {
      parts: queue.read(),
      stored: (position) => {
        const status = Buffer.alloc(34)
        status.write('r')
        for (const at of [1, 9]) status.writeBigUInt64BE(position, at)
        status.writeBigInt64BE(BigInt(Date.now() - epochMs) * 1000n, 25)
        if (this.#lost === null) this.#raw.sendCopyFromChunk(status)
      },
    }
  }

  /** Ends the connection, also in the middle of a stream. */
  close(): void {
    this.#raw.stream.destroy()
    this.#client.end().catch(() => {})
  }

  /** Parts in order. The server is held back while many wait. */
  #queue<T>(bytesOf: (part: T) => number) {
    const waiting: T[] = []
    let bytes = 0
    let state: 'open' | 'closed' | Error = 'open'
    const wake = () => this.#wake()
    const connection = this.#raw.stream
    const lost = () => this.#lost
    const sleep = () =>
      new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    return {
      push(part: T) {
        waiting.push(part)
        bytes += bytesOf(part)
        if (bytes > highWaterBytes) connection.pause()
        wake()
      },
      close() {
        state = 'closed'
        wake()
      },
      fail(error: Error) {
        state = error
        wake()
      },
      async *read(): AsyncGenerator<T> {
        for (;;) {
          const part = waiting.shift()
          if (part !== undefined) {
            bytes -= bytesOf(part)
            if (bytes <= highWaterBytes / 2) connection.resume()
            yield part
          } else if (state === 'closed') return
          else if (state !== 'open') throw state
          else if (lost() !== null) throw lost()
          else await sleep()
        }
      },
    }
  }
}
