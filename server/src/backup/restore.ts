import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../durable-file.ts'
import { findHome, linkCluster, makeSystemHome, prepareDataDir } from '../postgres/place.ts'
import { chooseUser } from '../postgres/run-as.ts'
import type { Identity } from './age.ts'
import { type Chosen, chooseBase } from './choose-base.ts'
import { BackupError } from './error.ts'
import { giveAll, inside, layOutCluster } from './lay-out-cluster.ts'
import type { BaseManifest } from './manifest.ts'
import { coverOf, piecesOf, readCover, readSealed } from './pieces.ts'
import { programsFor } from './programs.ts'
import { recover } from './recover.ts'
import { gather, readTar } from './tar.ts'
import { readSummed, stemOf, type Target } from './target.ts'

export type RestoreOrder = {
  readonly target: Target
  readonly identity: Identity
  /** Must be empty or missing. */
  readonly dataDir: string
  /** Null: the newest state that is stored. */
  readonly at: Date | null
  readonly say: (message: string) => void
  /** Throws if a journal is not a whole chain of lines. */
  readonly checkJournal: (path: string) => Promise<void>
}

export type Restored = {
  readonly base: BaseManifest
  readonly lastCommit: Date | null
  /** Whether everything stored was restored, because the moment is not before its end. */
  readonly isAll: boolean
  /** Where the database is. */
  readonly cluster: string
  /** When the wallet's files were stored; null if the backup has none. */
  readonly walletAt: string | null
  readonly journals: readonly string[]
}

/**
 * Restores a data folder: the database as of a moment, but the wallet's files and the signer's journal as new as the backup has
 * them. What the signer has signed since that moment must not be forgotten. Nothing stays in the folder if anything fails.
 */
export async function restore(order: RestoreOrder): Promise<Restored> {
  const { target, identity, at, say } = order
  const names = await target.list('')
  const chosen = await chooseBase(target, names, at)
  checkMoment(chosen, at)
  const needed = neededOf(names, chosen)
  const dataDir = await prepareDataDir(order.dataDir)
  const found = await readdir(dataDir)
  if (found.length > 0)
    throw new BackupError(
      `${dataDir} is not empty (${found.slice(0, 3).join(', ')}). Nothing is restored over existing data: name another folder, or move it away.`,
    )
  say(`Checking ${needed.length} files of base ${chosen.base.id}, its log, the wallet and the journal.`)
  // Before anything is written: it is better to know now than after hours.
  await readSealed(target, chosen.base.list.name, identity)
  for (const name of needed) await readSummed(target, name)
  const user = await chooseUser(null)
  const home = await findHome(dataDir, user, say)
  const { usable: programs } = await programsFor(chosen.base.postgresMajor, user, async () =>
    user.drop ? makeSystemHome(dataDir) : dataDir,
  )
  const staging = await mkdtemp(join(dataDir, 'restoring-'))
  // A start removes what is left under this name if we are killed.
  const database = await mkdtemp(join(home, 'postgres.new-'))
  try {
    const { walletAt, journals } = await restoreWallet(order, names, staging)
    say(`Writing the database and ${chosen.segments.length} segments of its log.`)
    const fresh = join(database, 'cluster')
    await mkdir(fresh, { mode: 0o700 })
    await chmod(database, 0o700)
    await layOutCluster(target, names, identity, chosen, fresh)
    if (user.drop) await giveAll(database, user.uid, user.gid)
    say('Running the log over the base.')
    const { lastCommit, isAll } = await recover({ cluster: fresh, user, programs }, at)
    if (isAll && chosen.gap !== null)
      throw new BackupError(
        `The stored log has a gap: segment ${chosen.gap} is missing or incomplete, and what follows cannot be used. ` +
          `A moment before it can be restored: --at ${(lastCommit ?? new Date(chosen.base.finishedAt)).toISOString()} or earlier.`,
      )
    const cluster = join(home, chosen.base.isEmbedded ? 'postgres' : 'restored-cluster')
    await rename(fresh, cluster)
    await syncFolder(home)
    if (chosen.base.isEmbedded) await linkCluster(dataDir, cluster)
    for (const name of await readdir(staging)) await rename(join(staging, name), join(dataDir, name))
    await syncFolder(dataDir)
    return { base: chosen.base, lastCommit, isAll, cluster, walletAt, journals }
  } finally {
    await rm(staging, { recursive: true, force: true })
    await rm(database, { recursive: true, force: true })
  }
}

/** Everything that a restore reads: the base, the log after it, the newest copy of the wallet, and the journals. */
function neededOf(names: readonly string[], { base, segments }: Chosen): string[] {
  return [
    ...newestWallet(names),
    ...names.filter((name) => name.startsWith('journal/')),
    ...[...base.archive, base.list].map(({ name }) => name),
    ...segments.flatMap(({ cover }) => cover.map(({ name }) => name)),
  ]
}

function newestWallet(names: readonly string[]): string[] {
  return names.filter((name) => name.startsWith('wallet/') && stemOf(name) !== null).slice(-1)
}

function checkMoment({ base, segments }: Chosen, at: Date | null): void {
  if (at === null || segments.length > 0) return
  // The base alone ends at one moment; a later one cannot be told from it.
  if (at.toISOString() > base.finishedAt)
    throw new BackupError(
      `No log is stored after base ${base.id}, so only its own moment can be restored: --at ${base.finishedAt}. ` +
        'With npx sluice backup --follow, every moment can be.',
    )
}

async function restoreWallet(
  { target, identity, checkJournal }: RestoreOrder,
  names: readonly string[],
  folder: string,
): Promise<Pick<Restored, 'walletAt' | 'journals'>> {
  const [newest] = newestWallet(names)
  if (newest !== undefined) {
    const archive = await readSealed(target, newest, identity)
    for await (const entry of readTar([archive])) {
      const path = inside(folder, entry.path)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const content = await gather(entry.content)
      await writeFile(path, content, { mode: 0o600, flag: 'wx', flush: true })
    }
  }
  const journals = await restoreJournals()
  return { walletAt: newest === undefined ? null : (stemOf(newest) ?? '').slice('wallet/'.length), journals }

  async function restoreJournals(): Promise<string[]> {
    const series = new Set(
      names.flatMap((name) => /^(journal\/(?:live|test)-[0-9a-f]{16})\//.exec(name)?.[1] ?? []),
    )
    const restored: string[] = []
    for (const environment of ['live', 'test']) {
      const own = [...series].filter((each) => each.startsWith(`journal/${environment}-`))
      if (own.length === 0) continue
      if (own.length > 1)
        throw new BackupError(
          `${target.shown} has journals of ${own.length} ${environment} wallets. Keep each Sluice in a folder or prefix of its own.`,
        )
      const name = `${environment}-journal.jsonl`
      const path = join(folder, 'wallet', name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const pieces = piecesOf(names, own[0] ?? '')
      const cover = coverOf(pieces)
      const end = cover.at(-1)?.to ?? 0
      if (pieces.some(({ to }) => to > end))
        throw new BackupError(`A piece of ${own[0]} is missing in ${target.shown}, at byte ${end}.`)
      const parts = await readCover(target, cover, identity)
      await writeFile(path, Buffer.concat(parts), { mode: 0o600, flag: 'wx', flush: true })
      await checkJournal(path)
      restored.push(name)
    }
    return restored
  }
}
