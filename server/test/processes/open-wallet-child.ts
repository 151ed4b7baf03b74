/**
 * Tries every way we know to read a file, as code that broke into a process would, and prints the results as one line of
 * JSON: the file's text or the error, for each way. Run with the flags of a process of the service.
 */
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { becomeUser, type User } from '../../src/wire/isolation.ts'

const { path, readable, user } = JSON.parse(process.argv[2] ?? '') as {
  path: string
  /** A file it may read, to show that it can read at all. */
  readable: string
  user: User | null
}
if (user !== null) becomeUser(user)

const require = createRequire(import.meta.url)
const sqlite = () => import('node:sqlite')
const text = (bytes: Buffer | string) => String(bytes)
const here = dirname(readable)

const attempts: Record<string, () => unknown> = {
  readFile: () => text(fs.readFileSync(path)),
  'readFile, promised': async () => text(await fs.promises.readFile(path)),
  'path as bytes': () => text(fs.readFileSync(Buffer.from(path))),
  'path as URL': () => text(fs.readFileSync(pathToFileURL(path))),
  'path relative': () => text(fs.readFileSync(relative(process.cwd(), path))),
  'path through a readable folder': () => text(fs.readFileSync(`${here}/../../../..${path}`)),
  'path with doubled slashes': () => text(fs.readFileSync(path.replaceAll('/', '//'))),
  'the root of the process': () => text(fs.readFileSync(`/proc/self/root${path}`)),
  'the folder of the process': () => text(fs.readFileSync(`/proc/self/cwd${path}`)),
  'a folder it holds open': () => {
    const folder = fs.openSync(here, 'r')
    return text(fs.readFileSync(`/proc/self/fd/${folder}/../../../..${path}`))
  },
  open: () => fs.openSync(path, 'r'),
  'open for writing': () => fs.openSync(path, 'r+'),
  stat: () => fs.statSync(path),
  readdir: () => fs.readdirSync(dirname(path)),
  opendir: () => fs.opendirSync(dirname(path)),
  glob: () => {
    const found = fs.globSync(`${dirname(path)}/*`)
    if (found.length === 0) throw new Error('nothing found')
    return found
  },
  stream: () =>
    new Promise((resolve, reject) => fs.createReadStream(path).on('data', resolve).on('error', reject)),
  blob: async () => (await fs.openAsBlob(path)).text(),
  copy: () => fs.copyFileSync(path, join(here, 'copied')),
  'copy of the folder': () => fs.cpSync(dirname(path), join(here, 'copied'), { recursive: true }),
  'symbolic link': () => fs.symlinkSync(path, join(here, 'linked')),
  'symbolic link to the folder, relative': () => fs.symlinkSync(dirname(path), 'linked'),
  'hard link': () => fs.linkSync(path, join(here, 'linked')),
  rename: () => fs.renameSync(path, join(here, 'moved')),
  chmod: () => fs.chmodSync(path, 0o644),
  chown: () => fs.chownSync(path, 65534, 65534),
  watch: () => fs.watch(dirname(path)),
  require: () => JSON.stringify(require(path)),
  import: async () => JSON.stringify(await import(path, { with: { type: 'json' } })),
  'as an env file': () => process.loadEnvFile(path),
  'as a database': async () => new (await sqlite()).DatabaseSync(path),
  'as an attached database': async () => {
    const database = new (await sqlite()).DatabaseSync(':memory:')
    database.exec(`attach database '${path}' as wallet`)
    return JSON.stringify(database.prepare('select * from wallet.sqlite_master').all())
  },
  'another program': () => {
    const { stdout, error } = spawnSync('cat', [path])
    if (error !== undefined) throw error
    return text(stdout)
  },
  'another Node': () => {
    const { stdout, error } = spawnSync(process.execPath, ['-p', `fs.readFileSync('${path}', 'utf8')`])
    if (error !== undefined) throw error
    return text(stdout)
  },
  'another program instead of this': () => process.execve?.('/bin/cat', ['cat', path], {}),
  'a thread without flags': () =>
    new Promise((resolve, reject) => {
      const code = `require('worker_threads').parentPort.postMessage(require('fs').readFileSync(${JSON.stringify(path)}, 'utf8'))`
      new Worker(code, { eval: true, execArgv: [] }).on('message', resolve).on('error', reject)
    }),
  "Node's own bindings": () => {
    const { binding } = process as unknown as { binding(name: string): { open(...args: unknown[]): number } }
    return binding('fs').open(path, fs.constants.O_RDONLY, 0o666, undefined)
  },
  'a loaded addon': () => process.dlopen({ exports: {} }, path),
  debugger: async () => {
    const { Session } = await import('node:inspector')
    const session = new Session()
    session.connect()
    return 'connected'
  },
  'a debugger on a port': async () => {
    const inspector = await import('node:inspector')
    inspector.open(0)
    return inspector.url() ?? 'open'
  },
  wasi: async () => {
    const { WASI } = await import('node:wasi')
    return new WASI({ version: 'preview1', preopens: { '/': dirname(path) } })
  },
  'the memory of the process that started it': () => fs.openSync(`/proc/${process.ppid}/mem`, 'r'),
  'the environment of the process that started it': () =>
    text(fs.readFileSync(`/proc/${process.ppid}/environ`)),
  'root again': () => {
    if (user === null) throw new Error('never was another')
    process.setuid?.(0)
  },
}

const came: Record<string, string> = {}
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    came[name] = `GOT ${String(await attempt())}`
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    came[name] = code ?? message
  }
}
const permitted = (() => {
  try {
    return text(fs.readFileSync(readable)).length > 0
  } catch {
    return false
  }
})()
process.stdout.write(`${JSON.stringify({ came, permitted, uid: process.getuid?.(), env: process.env })}\n`)
process.exit()
