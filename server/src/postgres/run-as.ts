import { type SpawnOptions, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { EmbeddedPostgresError } from './error.ts'

/** The user that PostgreSQL runs as. `drop` is set when we are root and must become that user first. */
export type DatabaseUser = { readonly uid: number; readonly gid: number; readonly drop: boolean }

export type Finished = { readonly ok: boolean; readonly code: number | null; readonly output: string }

/** Enough of a program's output to explain its failure. */
const maxOutputCharacters = 8_000

const preferredUsers = ['postgres', 'nobody']

/**
 * The user that the database runs as: our own, unless that is root, which PostgreSQL refuses. Then it is the owner of
 * an existing cluster, else the user `postgres`, else `nobody`.
 */
export async function chooseUser(clusterOwner: { uid: number; gid: number } | null): Promise<DatabaseUser> {
  const uid = ownUid()
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? uid, drop: false }
  if (clusterOwner !== null) return { uid: clusterOwner.uid, gid: clusterOwner.gid, drop: true }
  // initdb needs its user to be in /etc/passwd, so the choice is among the users listed there.
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of preferredUsers) {
    const entry = lines.find((fields) => fields[0] === name)
    const found = { uid: Number(entry?.[2]), gid: Number(entry?.[3]), drop: true }
    if (found.uid > 0 && Number.isInteger(found.gid)) return found
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and /etc/passwd has neither a user "postgres" nor "nobody" to run it as. ' +
      'Create one (useradd --system postgres), or start Sluice as an ordinary user.',
  )
}

/** The uid of this process. */
export function ownUid(): number {
  return process.getuid?.() ?? 0
}

/**
 * Spawn options that run a program as the database's user. It gets its own session, so that Ctrl-C in a terminal
 * reaches only us and we stop it cleanly. It does not inherit PG* and locale variables from our environment.
 */
export function spawnOptions(user: DatabaseUser, cwd: string): SpawnOptions {
  return {
    cwd,
    detached: true,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    // Node also clears the supplementary groups when it changes the user.
    ...(user.drop ? { uid: user.uid, gid: user.gid } : {}),
  }
}

/**
 * Runs a program to its end as the database's user. Never throws: if the program cannot be started, the result is not
 * `ok`.
 */
export function run(
  user: DatabaseUser,
  command: readonly string[],
  options: { cwd?: string; input?: string } = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const [program = '', ...args] = command
    let output = ''
    const collect = (chunk: string): void => {
      output = (output + chunk).slice(-maxOutputCharacters)
    }
    try {
      const child = spawn(program, args, { ...spawnOptions(user, options.cwd ?? '/'), stdio: 'pipe' })
      child.stdout?.setEncoding('utf8').on('data', collect)
      child.stderr?.setEncoding('utf8').on('data', collect)
      // If a program ends without reading its input, its exit code says so, not EPIPE.
      child.stdin?.on('error', () => {})
      child.stdin?.end(options.input ?? '')
      child.on('error', (error) => resolve({ ok: false, code: null, output: error.message }))
      child.on('close', (code) => resolve({ ok: code === 0, code, output: output.trim() }))
    } catch (error) {
      resolve({ ok: false, code: null, output: String(error) })
    }
  })
}

/** Whether the database's user can enter (`x`), read (`r`) or write (`w`) the path. It is tested as that user. */
export async function canAccess(user: DatabaseUser, path: string, how: 'x' | 'r' | 'w'): Promise<boolean> {
  return (await run(user, ['sh', '-c', `test -${how} "$1"`, 'sh', path])).ok
}
