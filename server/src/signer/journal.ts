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

/** Everything that this wallet has ever signed, and how far its deposit addresses were given: on disk before any of it leaves the signer. */
export type Journal = Omit<JournalIndex, 'add' | 'accept' | 'addGrant'> & {
  readonly header: JournalHeader
  /** Notes a signature: from now on every question is answered with it. It may leave the signer once it is saved. */
  note(signature: Signature): void
  /**
   * Puts on disk, for good, what was noted. When that fails the journal is of no more use: what is on disk then shows when
   * it is opened again.
   */
  save(): Promise<void>
  /** Notes how far deposit addresses may be given; they may once it is saved. */
  noteGrant(grant: GrantNote): void
  /** Notes that a signature stands although the database has lost its payouts, as the operator has accepted. */
  accept(hash: string, at: Date): Promise<void>
  /** A signature with its plan and bytes. */
  read(journaled: Journaled): Promise<Signature>
  close(): Promise<void>
}

export function journalPath(dataDir: string, environment: Environment): string {
  return join(dataDir, 'wallet', `${environment}-journal.jsonl`)
}

/**
 * Opens the journal of a wallet, or begins it. A last line that was cut off while it was written is removed: what it was
 * about never left the signer. Anything else that is not as it was written is an error. Hold the folder's lock.
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
      if (line?.kind !== 'signature') throw new WalletError(`${path} was changed while it is in use.`)
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
