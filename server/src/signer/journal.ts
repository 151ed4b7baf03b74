import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Environment } from '../domain/environment.ts'
import { syncFolder } from '../durable-file.ts'
import { createJournalIndex, type Journaled, type JournalIndex } from './journal-index.ts'
import { type JournalHeader, type JournalLine, readLine, type Signature, writeLine } from './journal-lines.ts'
import { WalletError } from './wallet-file.ts'

/** Everything that this wallet has ever signed, on disk before any of it leaves the signer. */
export type Journal = Omit<JournalIndex, 'add' | 'accept'> & {
  readonly header: JournalHeader
  /** Notes a signature: from now on every question is answered with it. It may leave the signer once it is saved. */
  note(signature: Signature): void
  /**
   * Puts on disk, for good, what was noted. When that fails the journal is of no more use: what is on disk then shows when
   * it is opened again.
   */
  save(): Promise<void>
  /** Notes that the operator has settled a signature by hand. */
  accept(hash: string, at: Date): Promise<void>
  /** A signature with its plan and bytes. */
  read(journaled: Journaled): Promise<Signature>
  close(): Promise<void>
}

const maxChunkBytes = 1 << 20

export function journalPath(dataDir: string, environment: Environment): string {
  return join(dataDir, 'wallet', `${environment}-journal.jsonl`)
}

/**
 * Opens the journal of a wallet, or begins it. A last line that was cut off while it was written is removed: what it was
 * about never left the signer. Anything else that is not as it was written is an error. Hold the folder's lock.
 */
export async function openJournal(path: string, header: JournalHeader): Promise<Journal> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
  try {
    const index = createJournalIndex()
    const found = await readAll(file, path, header, index)
    let { end, sum } = found
    let broken: unknown = null
    let unsaved: Buffer[] = []

    // What was read may only be in memory yet, and what was cut off must not come back.
    await file.truncate(end)
    await file.sync()
    if (found.lines === 0) {
      add({ kind: 'header', header })
      await save()
    }
    await syncFolder(dirname(path))

    function add(line: JournalLine): void {
      const written = writeLine(line, sum)
      const text = Buffer.from(written.text)
      note(index, line, { offset: end + size(unsaved), length: text.length, sumBefore: sum })
      unsaved.push(text)
      sum = written.sum
    }

    async function save(): Promise<void> {
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
    }

    return {
      ...index,
      header,
      note: (signature) => add({ kind: 'signature', signature }),
      save,
      async accept(hash, at) {
        add({ kind: 'acceptance', acceptance: { accepted: hash, at } })
        await save()
      },
      async read({ place }) {
        const text = Buffer.alloc(place.length)
        await file.read(text, 0, place.length, place.offset)
        const found = readLine(text.toString('utf8'), place.sumBefore)
        if (found?.line.kind !== 'signature') throw new WalletError(`${path} was changed while it is in use.`)
        return found.line.signature
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readAll(file: FileHandle, path: string, header: JournalHeader, index: JournalIndex) {
  const chunk = Buffer.alloc(maxChunkBytes)
  let [end, lines, sum, position] = [0, 0, '', 0]
  let rest = Buffer.alloc(0)
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) return { end, lines, sum }
    position += bytesRead
    rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
    for (let stop = rest.indexOf('\n'); stop !== -1; stop = rest.indexOf('\n')) {
      const found = readLine(rest.subarray(0, stop).toString('utf8'), sum)
      if (found === null || (lines === 0) !== (found.line.kind === 'header')) throw damaged(path, lines + 1)
      if (found.line.kind === 'header') checkHeader(path, found.line.header, header)
      note(index, found.line, { offset: end, length: stop + 1, sumBefore: sum })
      sum = found.sum
      end += stop + 1
      lines++
      rest = rest.subarray(stop + 1)
    }
  }
}

function note(index: JournalIndex, line: JournalLine, place: Journaled['place']): void {
  if (line.kind === 'signature') index.add(line.signature, place)
  if (line.kind === 'acceptance') index.accept(line.acceptance.accepted)
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

function checkHeader(path: string, found: JournalHeader, wanted: JournalHeader): void {
  if (found.environment === wanted.environment && found.wallet === wanted.wallet) return
  throw new WalletError(
    `${path} is the journal of another wallet (${found.environment}, ${found.wallet}). Put the journal of this one ` +
      `(${wanted.environment}, ${wanted.wallet}) there. Nothing is signed meanwhile.`,
  )
}

function damaged(path: string, line: number): WalletError {
  return new WalletError(
    `${path} is damaged at line ${line}: it is not what was written there. Nothing is signed without the journal, since ` +
      'it alone proves what was signed before. Bring it back from a backup and run: npx sluice wallet reconcile',
  )
}
