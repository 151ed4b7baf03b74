import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { canonicalJson } from '../domain/canonical-json.ts'
import { syncFolder } from '../durable-file.ts'
import { WalletError } from './wallet-file.ts'

/** What a line says. */
export type LineBody = Readonly<Record<string, unknown>>

/** Where a line is in its file, and the sum of the line before it. */
export type LinePlace = { readonly offset: number; readonly length: number; readonly sumBefore: string }

/** A file of lines, each of which covers the one before it: none can be changed or go missing unnoticed. */
export type ChainedFile = {
  /** Whether nothing stood in it when it was opened. */
  readonly isNew: boolean
  /** Adds a line, which is on disk once it is saved. */
  add(body: LineBody): LinePlace
  /**
   * Puts on disk, for good, what was added. When that fails the file is of no more use: what is on disk then shows when it
   * is opened again.
   */
  save(): Promise<void>
  /** A line again. */
  read(place: LinePlace): Promise<LineBody>
  close(): Promise<void>
}

const maxChunkBytes = 1 << 20

/** A line, ended, and its sum. */
function chainLine(body: LineBody, sumBefore: string): { text: string; sum: string } {
  const sum = sumOf(body, sumBefore)
  return { text: `${JSON.stringify({ ...body, sum })}\n`, sum }
}

/** What a line says; null when it is not what was written after `sumBefore`. */
function unchainLine(text: string, sumBefore: string): { body: LineBody; sum: string } | null {
  try {
    const { sum, ...body } = JSON.parse(text)
    return sum === sumOf(body, sumBefore) ? { body, sum } : null
  } catch {
    return null
  }
}

/**
 * Opens a file, or begins it, and gives every line to `take`, which answers whether it may stand there. A last line that was
 * cut off while it was written is removed: nobody has acted on it. Anything else that is not as it was written is `damaged`.
 * Hold the folder's lock.
 */
export async function openChainedFile(
  path: string,
  take: (body: LineBody, place: LinePlace, line: number) => boolean,
  damaged: (line: number) => Error,
): Promise<ChainedFile> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
  try {
    const found = await readChainedLines(file, take, damaged)
    let { end, sum } = found
    let broken: unknown = null
    let unsaved: Buffer[] = []
    // What was read may only be in memory yet, and what was cut off must not come back.
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
          throw new WalletError(`${path} could not be written before. Start the signer again.`, {
            cause: broken,
          })
        if (unsaved.length === 0) return
        try {
          await writeWhole(file, Buffer.concat(unsaved), end)
          await file.datasync()
        } catch (error) {
          // Whether the disk has it cannot be told any more: only reading it again can.
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
        if (line === null) throw new WalletError(`${path} was changed while it is in use.`)
        return line.body
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Gives every whole line of a file to `take`, as `openChainedFile` does, and changes nothing. */
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
