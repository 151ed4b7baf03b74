import { realpath } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { backupSecrets } from '../settings/backup-settings.ts'
import { postgresUrl } from '../settings/postgres-url.ts'
import { secretSettings } from '../settings/secret-files.ts'
import { type Settings, SettingsError } from '../settings/settings.ts'

type Part = 'service' | 'signer' | 'deriver'
type Env = Readonly<Record<string, string | undefined>>
export type User = {
  readonly uid: number
  readonly gid: number
  /** Further groups: the embedded database's, whose socket others cannot reach. */
  readonly groups?: readonly number[]
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
// Not the root itself, because the data folder is there by default. `sdk` and `web` are linked from `node_modules`.
const code = ['server', 'web', 'sdk', 'node_modules', 'package.json'].map((name) => join(root, name))
// For the process metrics.
const ownState = ['/proc/self/status', '/proc/self/limits']
/** Settings that name a file which opens the wallet. */
const secretFiles = ['SLUICE_WALLET_KEY_FILE', 'SLUICE_WALLET_PASSPHRASE_FILE']
const walletSecrets = ['SLUICE_WALLET_PASSPHRASE', ...secretFiles]
/** Settings, each also as a file, that only API and worker need, and some that only the supervisor or a command needs. */
const mailServer = ['SMTP_URL', 'SMTP_URL_FILE']
const collector = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS_FILE']
const replica = ['SLUICE_REPLICA_URL', 'SLUICE_REPLICA_URL_FILE']
const databaseOwner = ['DATABASE_MIGRATION_URL', 'DATABASE_MIGRATION_URL_FILE']
const backups = backupSecrets.flatMap((name) => [name, `${name}_FILE`])
// Any process of the same user could send SIGUSR1, which opens a debugger port.
const closed = ['--permission', '--disable-sigusr1']

/** What Node itself may need to start. */
const deriverEnv = ['PATH', 'LD_LIBRARY_PATH', 'LANG', 'TZ']

/** The exit code of a process that is to be started again at once. */
export const startAgainCode = 75

/** The folder that only the signer opens. */
export function walletFolder(settings: Settings): string {
  return join(settings.dataDir, 'wallet')
}

/**
 * Node's flags for a process. The permission model then denies it every file except those named here, and child
 * processes, threads, addons and the debugger altogether. API and worker write no files and read none in the data
 * folder; the deriver reads only its code.
 */
export function nodeFlags(part: Part, settings: Settings, env: Env): string[] {
  if (part === 'deriver') return [...closed, '--no-experimental-sqlite', ...mayRead(code)]
  // The signer does not talk to nodes: it only signs.
  const cookies = part === 'service' ? cookieFiles(settings) : []
  const own = processEnv(part, env)
  const secrets = secretSettings.map((name) => own[`${name}_FILE`]?.trim())
  const given = [env.SLUICE_CONFIG?.trim(), ...secrets, ...connectionFiles(settings), ...cookies].filter(
    (path) => path,
  )
  const readable = [...code, ...ownState, ...given.map((path) => resolve(path as string))]
  if (part === 'service')
    // SQLite opens files without asking the permission model.
    return [...closed, '--no-experimental-sqlite', ...mayRead(readable)]
  return [
    ...closed,
    ...mayRead([...readable, ...secretPaths(env), settings.dataDir]),
    `--allow-fs-write=${settings.dataDir}`,
  ]
}

function secretPaths(env: Env): string[] {
  return secretFiles.flatMap((name) => env[name]?.trim() || []).map((path) => resolve(path))
}

// If a file and its folder were both named, Node's permission model would deny the folder.
function mayRead(paths: readonly string[]): string[] {
  const outermost = paths.filter((path) => !paths.some((other) => path.startsWith(other + sep)))
  return outermost.map((path) => `--allow-fs-read=${path}`)
}

/**
 * The environment of a process. API and worker do not learn how a wallet is opened, no process gets a passphrase or the
 * database's owner, and the signer needs no mail server, no collector of traces and no replica. The deriver gets no setting.
 */
export function processEnv(part: Part, env: Env): NodeJS.ProcessEnv {
  if (part === 'deriver')
    return Object.fromEntries(Object.entries(env).filter(([name]) => deriverEnv.includes(name)))
  const kept = part === 'signer' ? secretFiles : [...mailServer, ...collector, ...replica]
  const secrets = [...walletSecrets, ...mailServer, ...collector, ...replica, ...databaseOwner, ...backups]
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !secrets.includes(name) || kept.includes(name)),
  )
}

/** Refuses a wallet in a place that every process may read. */
export async function checkWalletPlace(settings: Settings, env: Env): Promise<void> {
  const open = await Promise.all(code.map(realPlace))
  for (const path of [walletFolder(settings), ...secretPaths(env)]) {
    const place = await realPlace(path)
    const within = open.find((folder) => place.startsWith(folder + sep))
    if (within !== undefined)
      throw new SettingsError(
        `${path} is in ${within}, with Sluice's own code, where every process may read it. Move it elsewhere.`,
      )
  }
}

/** The real path, whether or not all of it exists yet. */
async function realPlace(path: string): Promise<string> {
  const above = resolve(path, '..')
  if (above === path) return path
  return realpath(path).catch(async () => join(await realPlace(above), path.slice(above.length)))
}

/** Files that the database driver reads again for every connection. */
export function connectionFiles({ databaseUrl, replicaUrl }: Settings): string[] {
  return [databaseUrl, replicaUrl].flatMap((url) => {
    const query = url === null ? undefined : postgresUrl(url)?.searchParams
    return ['sslcert', 'sslkey', 'sslrootcert'].flatMap((name) => query?.get(name) ?? [])
  })
}

/** Where nodes keep the passwords that they generate at every start. */
export function cookieFiles({ config }: Settings): string[] {
  return config.gates.flatMap((gate) => (gate.kind === 'bitcoin' ? (gate.rpcCookieFile ?? []) : []))
}

/** Gives up root permanently, in every thread of this process. */
export function becomeUser({ uid, gid, groups = [] }: User): void {
  process.setgroups?.([...groups])
  process.setgid?.(gid)
  process.setuid?.(uid)
}
