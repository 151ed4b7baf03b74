import { createHash } from 'node:crypto'
import { BackupError } from './error.ts'

/** The largest object of a backup, as it is stored: everything is cut into pieces that fit into memory. */
export const maxObjectBytes = 64 * 1024 * 1024

/**
 * Where backups are kept. Names are paths of plain parts. An object is there as a whole or not at all, and on disk when
 * `write` returns; none is ever changed.
 */
export type Target = {
  /** For messages; contains no secret. */
  readonly shown: string
  /** The names that begin with a prefix, sorted. */
  list(prefix: string): Promise<string[]>
  read(name: string): Promise<Buffer>
  write(name: string, bytes: Buffer): Promise<void>
  remove(name: string): Promise<void>
  /**
   * Removes what processes that were killed left unfinished in folders that hold nothing that is needed. Returns the names of
   * what is there but was written by no backup: it stays, and so does its folder.
   */
  sweep(isPruned: (folder: string) => boolean, now: Date): Promise<string[]>
}

const summed = /^(.+)-([0-9a-f]{64})(\.[a-z.]+)$/

/** Writes an object whose name carries its SHA-256, and returns that name. */
export async function writeSummed(
  target: Target,
  stem: string,
  ending: string,
  bytes: Buffer,
): Promise<string> {
  const name = `${stem}-${sha256(bytes)}${ending}`
  await target.write(name, bytes)
  return name
}

/** A name without its checksum and ending; null if it has none, so that nothing of ours wrote it. */
export function stemOf(name: string): string | null {
  return summed.exec(name)?.[1] ?? null
}

/** Reads an object and compares it with the checksum in its name. Throws with the name if it differs. */
export async function readSummed(target: Target, name: string): Promise<Buffer> {
  const bytes = await target.read(name)
  if (summed.exec(name)?.[2] === sha256(bytes)) return bytes
  throw new BackupError(
    `${name} in ${target.shown} is damaged: its content has another checksum than when it was written. Nothing was restored from it.`,
  )
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
