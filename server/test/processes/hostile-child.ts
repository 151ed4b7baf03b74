/**
 * An attacker's code in the process that answers requests: run with its flags, its user and its environment beside a running
 * service. It tries every way we know to the seed, the other processes and the database's owner, and prints what came of each
 * as one line of JSON.
 */

import { exec, fork, spawnSync } from 'node:child_process'
import cluster from 'node:cluster'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { createConnection } from 'node:net'
import process from 'node:process'
import * as v8 from 'node:v8'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { becomeUser, type User } from '../../src/wire/isolation.ts'

const given = JSON.parse(process.argv[2] ?? '') as {
  readonly user: User | null
  /** Files that it must not read. */
  readonly files: readonly string[]
  /** Processes that it must not look into, by what they are. */
  readonly processes: Readonly<Record<string, number>>
  readonly dataDir: string
  readonly databaseUrl: string
}
if (given.user !== null) becomeUser(given.user)

const require = createRequire(import.meta.url)
const attempts: Record<string, () => unknown> = {}
const read = (path: string) => fs.readFileSync(path, 'latin1')

for (const path of given.files) {
  attempts[`read ${path}`] = () => read(path)
  attempts[`read ${path} by its folder`] = () => fs.readdirSync(path.slice(0, path.lastIndexOf('/')))
  attempts[`write ${path}`] = () => fs.writeFileSync(path, 'mine', { flag: 'r+' })
  attempts[`give ${path} away`] = () => fs.chmodSync(path, 0o777)
  attempts[`remove ${path}`] = () => fs.rmSync(path)
}

for (const [name, pid] of Object.entries(given.processes)) {
  for (const what of ['mem', 'environ', 'maps', 'cmdline', 'stack', 'auxv'])
    attempts[`${what} of the ${name}`] = () => read(`/proc/${pid}/${what}`)
  attempts[`memory of the ${name}, by a thread`] = () => fs.openSync(`/proc/${pid}/task/${pid}/mem`, 'r+')
  attempts[`open files of the ${name}`] = () => fs.readdirSync(`/proc/${pid}/fd`)
  for (const fd of [0, 3, 10, 20])
    attempts[`open file ${fd} of the ${name}`] = () => fs.openSync(`/proc/${pid}/fd/${fd}`, 'r')
  for (const path of given.files)
    attempts[`${path}, as the ${name} sees it`] = () => read(`/proc/${pid}/root${path}`)
  attempts[`debugger in the ${name}, by a signal`] = () => debuggerOf(() => process.kill(pid, 'SIGUSR1'))
  attempts[`debugger in the ${name}, by Node`] = () => {
    const node = process as unknown as { _debugProcess(pid: number): void }
    return debuggerOf(() => node._debugProcess(pid))
  }
}

/** Connects where Node's debugger would listen. */
async function debuggerOf(begin: () => void): Promise<string> {
  try {
    begin()
  } catch {
    // A signal to another user's process is refused; another may have opened the port.
  }
  return new Promise((resolve, reject) => {
    const socket = createConnection(9229, '127.0.0.1')
    socket.on('error', reject).on('connect', () => {
      socket.destroy()
      resolve('a debugger listens')
    })
  })
}

type Binding = (name: string) => Record<string, unknown>
const binding: Binding = (name) => (process as unknown as { binding: Binding }).binding(name)
const code = `require('fs').readFileSync(${JSON.stringify(given.files[0])}, 'utf8')`

Object.assign(attempts, {
  'spawn a program': () => failed(spawnSync('id')),
  'spawn a shell': () =>
    new Promise((resolve, reject) => exec('id', (error, out) => (error ? reject(error) : resolve(out)))),
  'spawn gdb': () => failed(spawnSync('gdb', ['-p', String(given.processes.signer)])),
  'spawn Node without flags': () => failed(spawnSync(process.execPath, ['-p', code])),
  'fork itself': () => fork(process.argv[1] ?? '', { execArgv: [] }),
  'start a cluster': () => {
    cluster.setupPrimary({ execArgv: [] })
    return cluster.fork()
  },
  'become another program': () => process.execve?.('/bin/cat', ['cat', given.files[0] ?? ''], {}),
  'a thread without flags': () =>
    new Promise((resolve, reject) =>
      new Worker(`require('worker_threads').parentPort.postMessage(${code})`, { eval: true, execArgv: [] })
        .on('message', resolve)
        .on('error', reject),
    ),
  'a native addon': () => process.dlopen({ exports: {} }, '/lib/libc.so.6'),
  'a native addon, by require': () => require('/tmp/any.node'),
  wasi: async () => new (await import('node:wasi')).WASI({ version: 'preview1', preopens: { '/': '/' } }),
  'SQLite, which opens files itself': async () =>
    new (await import('node:sqlite')).DatabaseSync(given.files[0] ?? ''),
  'a debugger in itself': async () => new (await import('node:inspector')).Session().connect(),
  'a debugger port of its own': async () => (await import('node:inspector')).open(0),
  'a heap snapshot': () => v8.writeHeapSnapshot(`${given.dataDir}/heap`),
  'a report': () => {
    const path = process.report?.writeReport(`${given.dataDir}/report`)
    if (!fs.existsSync(path ?? '')) throw new Error('nothing was written')
  },
  'write into the data folder': () => fs.writeFileSync(`${given.dataDir}/mine`, ''),
  'write into the code': () => fs.writeFileSync(new URL('../../src/mine.ts', import.meta.url), ''),
  'permissions, off': () => {
    v8.setFlagsFromString('--no-permission')
    return read(given.files[0] ?? '')
  },
  root: () => {
    if (process.getuid?.() !== 0) process.setuid?.(0)
    throw Object.assign(new Error(), { code: process.getuid?.() === 0 ? 'never was another' : 'EPERM' })
  },
})
for (const name of ['fs', 'spawn_sync', 'process_wrap', 'pipe_wrap', 'inspector', 'worker', 'contextify'])
  attempts[`Node's own binding ${name}`] = () => {
    const found = binding(name)
    if (name === 'fs')
      return (found.open as (...args: unknown[]) => number)(given.files[0], 0, 0o666, undefined)
    const { Process, spawn } = found as {
      Process?: new () => { spawn(options: object): number }
      spawn?: (o: object) => object
    }
    if (spawn !== undefined) return spawn({ file: '/bin/id', args: ['id'], stdio: [] })
    if (Process !== undefined) return new Process().spawn({ file: '/bin/id', args: ['id'] })
    throw new Error('nothing found')
  }

function failed({ error, stdout }: ReturnType<typeof spawnSync>): string {
  if (error !== undefined) throw error
  return String(stdout)
}

/** What the database's superuser or owner could do. */
const statements = [
  `copy (select 1) to program 'id'`,
  `copy payouts to '/tmp/sluice-was-here'`,
  ...given.files.flatMap((path) => [
    `select pg_read_file('${path.replaceAll("'", "''")}')`,
    `select lo_import('${path.replaceAll("'", "''")}')`,
  ]),
  `create function run(text) returns int language c as '/lib/libc.so.6', 'system'`,
  'create extension dblink',
  'create extension file_fdw',
  'create extension adminpack',
  `load '/tmp/any.so'`,
  'set role sluice',
  'set role postgres',
  'set session authorization postgres',
  'alter table postings disable trigger all',
  `alter role sluice password 'mine'`,
  `alter system set archive_command = 'id'`,
  'create table mine (id int)',
]
for (const statement of statements)
  attempts[`database: ${statement}`] = () => ask(given.databaseUrl, statement)
for (const role of ['sluice', 'postgres'])
  for (const password of [new URL(given.databaseUrl).password, role])
    attempts[`database as ${role}, password ${password.length} long`] = () =>
      ask(given.databaseUrl.replace(/\/\/[^@]+@/, `//${role}:${password}@`), 'select current_user')

async function ask(url: string, statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return JSON.stringify((await client.query(statement)).rows)
  } finally {
    await client.end().catch(() => {})
  }
}

const came: Record<string, string> = {}
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    came[name] = `GOT ${String(await attempt())}`
  } catch (error) {
    const { code: reason, message } = error as NodeJS.ErrnoException
    came[name] = reason ?? message
  }
}
const works = await ask(given.databaseUrl, 'select current_user as name')
process.stdout.write(`${JSON.stringify({ came, works, uid: process.getuid?.() })}\n`)
process.exit()
