import { BackupError } from './error.ts'
import { readSummed, stemOf, type Target, writeSummed } from './target.ts'

/** A complete base backup. It is written last: a base without it was cut off, and counts for nothing. */
export type BaseManifest = {
  readonly version: 1
  readonly id: string
  readonly startedAt: string
  /** By the server's clock. No earlier moment can be restored from it. */
  readonly finishedAt: string
  readonly sluiceVersion: string
  /** The major version of PostgreSQL, which must be the same when it is restored. */
  readonly postgresMajor: number
  /** Whether it is the embedded database. */
  readonly isEmbedded: boolean
  /** The name of the database in which Sluice keeps its tables. */
  readonly database: string
  readonly systemId: string
  readonly timeline: number
  readonly segmentBytes: number
  readonly start: string
  readonly end: string
  /** Of the archive, before it was compressed. */
  readonly archiveBytes: number
  /** The slices of the archive in their order, then the server's list of its files. */
  readonly archive: readonly { readonly name: string; readonly bytes: number }[]
  readonly list: { readonly name: string; readonly bytes: number }
}

const ending = '.json'

export async function writeManifest(target: Target, manifest: BaseManifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeSummed(target, `base/${manifest.id}/manifest`, ending, Buffer.from(text))
}

/** All complete base backups, oldest first, and the names of objects of bases that are not complete. */
export async function readManifests(
  target: Target,
  names: readonly string[],
): Promise<{ readonly bases: readonly BaseManifest[]; readonly unfinished: readonly string[] }> {
  const bases: BaseManifest[] = []
  for (const name of names) {
    const stem = stemOf(name)
    if (stem === null || !/^base\/[^/]+\/manifest$/.test(stem) || !name.endsWith(ending)) continue
    const manifest = JSON.parse((await readSummed(target, name)).toString('utf8')) as BaseManifest
    if (manifest.version !== 1 || stem !== `base/${manifest.id}/manifest`)
      throw new BackupError(`${name} in ${target.shown} was written by a newer Sluice. Use that one.`)
    bases.push(manifest)
  }
  const complete = new Set(bases.map(({ id }) => id))
  const unfinished = names.filter(
    (name) => name.startsWith('base/') && !complete.has(name.split('/')[1] ?? ''),
  )
  return { bases: bases.sort((a, b) => (a.finishedAt < b.finishedAt ? -1 : 1)), unfinished }
}
