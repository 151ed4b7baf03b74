import { join } from 'node:path'
import type { Environment } from '../domain/environment.ts'
import { openChainedFile } from './chained-file.ts'
import { createJournalIndex, type Journaled, type JournalIndex } from './journal-index.ts'
import {
  type GrantNote,
  type JournalHeader,
  type JournalLine,
  journalLine,
  lineBody,
  type Signature,
} from './journal-lines.ts'
import { WalletError } from './wallet-file.ts'

/**
 * Everything that this wallet has ever signed, and how far its deposit addresses may be given out. It is on disk before any
 * of it leaves the signer.
 */
export type Journal = Omit<JournalIndex, 'add' | 'accept' | 'addGrant'> & {
  readonly header: JournalHeader
  /** Records a signature, which all lookups then include. It may leave the signer only after `save`. */
  note(signature: Signature): void
  /**
   * Writes what was recorded durably to disk. If that fails, the journal cannot be used any more: only opening it again shows
   * what is on disk.
   */
  save(): Promise<void>
  /** Records how far deposit addresses may be given out. It takes effect only after `save`. */
  noteGrant(grant: GrantNote): void
  /** Records that the operator accepts a signature whose payouts the database has lost. */
  accept(hash: string, at: Date): Promise<void>
  /** A signature with its plan and bytes. */
  read(journaled: Journaled): Promise<Signature>
  close(): Promise<void>
}

export function journalPath(dataDir: string, environment: Environment): string {
  return join(dataDir, 'wallet', `${environment}-journal.jsonl`)
}

/**
 * Opens or creates the journal of a wallet. A last line that was cut off during a write is removed: its signature never left
 * the signer. Any other deviation from what was written is an error. The caller holds the folder's lock.
 */
export async function openJournal(path: string, header: JournalHeader): Promise<Journal> {
  const index = createJournalIndex()
  const file = await openChainedFile(
    path,
    (body, place, at) => {
      const line = journalLine(body)
      if (line === null || (at === 0) !== (line.kind === 'header')) return false
      if (line.kind === 'header') checkHeader(path, line.header, header)
      note(index, line, place)
      return true
    },
    (line) => damaged(path, line),
  )
  const add = (line: JournalLine) => note(index, line, file.add(lineBody(line)))
  try {
    if (file.isNew) {
      add({ kind: 'header', header })
      await file.save()
    }
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    ...index,
    header,
    note: (signature) => add({ kind: 'signature', signature }),
    noteGrant: (grant) => add({ kind: 'grant', grant }),
    save: file.save,
    async accept(hash, at) {
      add({ kind: 'acceptance', acceptance: { accepted: hash, at, isLost: true } })
      await file.save()
    },
    async read({ place }) {
      const line = journalLine(await file.read(place))
      if (line?.kind !== 'signature') throw new WalletError(`${path} was changed while in use.`)
      return line.signature
    },
    close: file.close,
  }
}

function note(index: JournalIndex, line: JournalLine, place: Journaled['place']): void {
  if (line.kind === 'signature') index.add(line.signature, place)
  if (line.kind === 'grant') index.addGrant(line.grant)
  if (line.kind === 'acceptance') index.accept(line.acceptance)
}

function checkHeader(path: string, found: JournalHeader, wanted: JournalHeader): void {
  if (found.environment === wanted.environment && found.wallet === wanted.wallet) return
  throw new WalletError(
    `${path} is the journal of another wallet (${found.environment}, ${found.wallet}). Nothing is signed until you put the ` +
      `journal of this wallet (${wanted.environment}, ${wanted.wallet}) there.`,
  )
}

function damaged(path: string, line: number): WalletError {
  return new WalletError(
    `${path} is damaged at line ${line}: the line is not what was written there. Nothing is signed without the journal, since ` +
      'only the journal proves what was signed before. Restore it from a backup and run: npx sluice wallet reconcile',
  )
}
