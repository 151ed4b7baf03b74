import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { canonicalJson } from '../domain/canonical-json.ts'
import { syncFolder } from '../durable-file.ts'
import { ownerBeside } from './folder-owner.ts'
import { WalletError } from './wallet-file.ts'

/** The content of a line. */
export type LineBody = Readonly<Record<string, unknown>>

/** Where a line is in its file, and the checksum of the line before it. */
export type LinePlace = { readonly offset: number; readonly length: number; readonly sumBefore: string }

/** A file of lines in which each line's checksum covers the line before it: none can be changed or removed unnoticed. */
export type ChainedFile = {
  /** Whether it was empty when it was opened. */
  readonly isNew: boolean
  /** Adds a line. It is on disk only after `save`. */
  add(body: LineBody): LinePlace
  /**
   * Writes the added lines durably to disk. If that fails, the file cannot be used any more: only opening it again shows
   * what is on disk.
   */
  save(): Promise<void>
  /** Reads a line again. */
  read(place: LinePlace): Promise<LineBody>
  close(): Promise<void>
}

const maxChunkBytes = 1 << 20

/** A line with its line ending, and its checksum. */
function chainLine(body: LineBody, sumBefore: string): { text: string; sum: string } {
  const sum = sumOf(body, sumBefore)
  return { text: `${JSON.stringify({ ...body, sum })}\n`, sum }
}

/** The content of a line; null when it is not the line that was written after `sumBefore`. */
function unchainLine(text: string, sumBefore: string): { body: LineBody; sum: string } | null {
  try {
    const { sum, ...body } = JSON.parse(text)
    return sum === sumOf(body, sumBefore) ? { body, sum } : null
  } catch {
    return null
  }
}

/**
 * Opens or creates a file, and passes every line to `take`, which returns whether the line is valid there. A last line that
 * was cut off during a write is removed: no one has acted on it. Any other deviation from what was written throws `damaged`.
 * The caller holds the folder's lock.
 */
export async function openChainedFile(
  path: string,
  take: (body: LineBody, place: LinePlace, line: number) => boolean,
  damaged: (line: number) => Error,
): Promise<ChainedFile> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
  try {
    const owner = await ownerBeside(path)
    if (owner !== undefined) await file.chown(owner.uid, owner.gid)
    const found = await readChainedLines(file, take, damaged)
    let { end, sum } = found
    let broken: unknown = null
    let unsaved: Buffer[] = []
    // The lines just read may still be only in the page cache, and a removed line must not come back.
    await file.truncate(end)
    await file.sync()
    await syncFolder(dirname(path))

    return {
      isNew: found.lines === 0,
      add(body) {
        const written = chainLine(body, sum)
        const text = Buffer.from(written.text)
        const place = { offset: end + size(unsaved), length: text.length, sumBefore: sum }
        unsaved.push(text)
        sum = written.sum
        return place
      },
      async save() {
        if (broken !== null)
          throw new WalletError(`An earlier write to ${path} failed. Restart the signer.`, {
            cause: broken,
          })
        if (unsaved.length === 0) return
        try {
          await writeWhole(file, Buffer.concat(unsaved), end)
          await file.datasync()
        } catch (error) {
          // Whether the data is on disk is unknown now; only reading the file again can tell.
          broken = error
          throw error
        }
        end += size(unsaved)
        unsaved = []
      },
      async read(place) {
        const text = Buffer.alloc(place.length)
        await file.read(text, 0, place.length, place.offset)
        const line = unchainLine(text.toString('utf8'), place.sumBefore)
        if (line === null) throw new WalletError(`${path} was changed while in use.`)
        return line.body
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Passes every complete line of a file to `take`, as `openChainedFile` does, without changing the file. */
export async function readChainedLines(
  file: FileHandle,
  take: (body: LineBody, place: LinePlace, line: number) => boolean,
  damaged: (line: number) => Error,
): Promise<{ end: number; lines: number; sum: string }> {
  const chunk = Buffer.alloc(maxChunkBytes)
  let [end, lines, sum, position] = [0, 0, '', 0]
  let rest = Buffer.alloc(0)
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) return { end, lines, sum }
    position += bytesRead
    rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
    for (let stop = rest.indexOf('\n'); stop !== -1; stop = rest.indexOf('\n')) {
      const found = unchainLine(rest.subarray(0, stop).toString('utf8'), sum)
      const place = { offset: end, length: stop + 1, sumBefore: sum }
      if (found === null || !take(found.body, place, lines)) throw damaged(lines + 1)
      sum = found.sum
      end += stop + 1
      lines++
      rest = rest.subarray(stop + 1)
    }
  }
}

function sumOf(body: LineBody, sumBefore: string): string {
  return createHash('sha256')
    .update(`${sumBefore}\n${canonicalJson(body)}`)
    .digest('hex')
}

function size(texts: readonly Buffer[]): number {
  return texts.reduce((total, { length }) => total + length, 0)
}

async function writeWhole(file: FileHandle, text: Buffer, position: number): Promise<void> {
  for (let done = 0; done < text.length; ) {
    const { bytesWritten } = await file.write(text, done, text.length - done, position + done)
    done += bytesWritten
  }
}
