import { lsnText, segmentName, segmentStart } from './lsn.ts'
import { coverOf, type Piece, piecesOf, writePiece } from './pieces.ts'
import type { Target } from './target.ts'

/** The stored log of one timeline of one server. */
export type LogPlace = {
  readonly systemId: string
  readonly timeline: number
  readonly segmentBytes: number
}

/** A segment of the log as far as it is stored. */
export type StoredSegment = {
  readonly name: string
  readonly start: bigint
  readonly cover: readonly Piece[]
  /** How many of its bytes are stored, from its start. */
  readonly bytes: number
}

/** The name of a segment, which is a folder here. */
export const segmentPattern = /^[0-9A-F]{24}$/

/** The segments of a timeline that are stored, in order. */
export function storedSegments(
  names: readonly string[],
  { systemId, timeline, segmentBytes }: LogPlace,
): StoredSegment[] {
  const folder = logFolder(systemId)
  const wanted = timeline.toString(16).toUpperCase().padStart(8, '0')
  const found = new Set(
    names
      .filter((name) => name.startsWith(folder))
      .map((name) => name.slice(folder.length).split('/')[0] ?? '')
      .filter((segment) => segmentPattern.test(segment) && segment.startsWith(wanted)),
  )
  return [...found].sort().map((name) => {
    const cover = coverOf(piecesOf(names, `${folder}${name}`))
    return { name, start: segmentStart(name, segmentBytes), cover, bytes: cover.at(-1)?.to ?? 0 }
  })
}

/** How far the log is stored without a gap from a position on; null if that position itself is not stored. */
export function storedUntil(
  segments: readonly StoredSegment[],
  from: bigint,
  segmentBytes: number,
): { readonly segments: readonly StoredSegment[]; readonly end: bigint } | null {
  const run: StoredSegment[] = []
  let next = from - (from % BigInt(segmentBytes))
  for (const segment of segments) {
    if (segment.start < next) continue
    if (segment.start > next) break
    run.push(segment)
    next += BigInt(segmentBytes)
    if (segment.bytes < segmentBytes) break
  }
  const last = run.at(-1)
  if (last === undefined) return null
  return { segments: run, end: last.start + BigInt(last.bytes) }
}

export function logFolder(systemId: string): string {
  return `log/${systemId}/`
}

/**
 * Stores a stream of the log that starts at the start of a segment. What is new is stored by `flush` as a piece of its own, and
 * a finished segment as one piece that replaces the others.
 */
export class LogArchive {
  readonly #target: Target
  readonly #recipients: readonly Buffer[]
  readonly #place: LogPlace
  #segment: Buffer
  #start: bigint
  #filled = 0
  #stored: number

  constructor(
    target: Target,
    recipients: readonly Buffer[],
    place: LogPlace,
    at: { start: bigint; stored: bigint },
  ) {
    this.#target = target
    this.#recipients = recipients
    this.#place = place
    this.#segment = Buffer.alloc(place.segmentBytes)
    this.#start = at.start
    this.#stored = Number(at.stored - at.start)
  }

  /** Up to where everything is stored. */
  get stored(): bigint {
    return this.#start + BigInt(this.#stored)
  }

  async add(start: bigint, bytes: Buffer): Promise<void> {
    if (start !== this.#start + BigInt(this.#filled))
      throw new Error(
        `The log continues at ${lsnText(start)}, not at ${lsnText(this.#start + BigInt(this.#filled))}.`,
      )
    for (let rest = bytes; rest.length > 0; ) {
      const part = rest.subarray(0, this.#place.segmentBytes - this.#filled)
      part.copy(this.#segment, this.#filled)
      this.#filled += part.length
      rest = rest.subarray(part.length)
      if (this.#filled === this.#place.segmentBytes) await this.#finishSegment()
    }
  }

  async flush(): Promise<void> {
    if (this.#filled <= this.#stored) return
    const filled = this.#filled
    // A copy: the segment goes on to be filled while it is written.
    const news = Buffer.from(this.#segment.subarray(this.#stored, filled))
    await writePiece(this.#target, this.#series(), this.#stored, news, this.#recipients)
    this.#stored = filled
  }

  async #finishSegment(): Promise<void> {
    const series = this.#series()
    const before = await this.#target.list(`${series}/`)
    const whole = piecesOf(before, series).find(
      ({ from, to }) => from === 0 && to === this.#place.segmentBytes,
    )
    if (whole === undefined) await writePiece(this.#target, series, 0, this.#segment, this.#recipients)
    for (const name of before) if (name !== whole?.name) await this.#target.remove(name)
    this.#start += BigInt(this.#place.segmentBytes)
    this.#filled = 0
    this.#stored = Math.max(0, this.#stored - this.#place.segmentBytes)
    this.#segment = Buffer.alloc(this.#place.segmentBytes)
  }

  #series(): string {
    const { systemId, timeline, segmentBytes } = this.#place
    return `${logFolder(systemId)}${segmentName(timeline, this.#start, segmentBytes)}`
  }
}
