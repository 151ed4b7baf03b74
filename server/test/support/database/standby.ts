import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { patienceMs } from '../patience.ts'
import { freePort } from '../servers/free-port.ts'
import { onDatabase, query, runSql } from './database.ts'
import { debianPostgresBin } from './debian-postgres.ts'

export type Server = { readonly url: string; readonly serviceUrl: string; stop(): Promise<void> }

export type StreamingPair = {
  readonly primary: Server
  readonly standby: Server
  /** Starts the standby again after it was stopped. */
  restartStandby(): Promise<void>
  stop(): Promise<void>
}

const owner = 'sluice'
const service = 'sluice_service'

/** A primary and a standby that streams from it: Debian's oldest supported PostgreSQL, as an ordinary user. */
export async function startStreamingPair(
  /** Settings of the primary, as `name=value`. */
  settings: readonly string[] = [],
): Promise<StreamingPair> {
  const bin = await debianPostgresBin()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-standby-'))
  const user = process.getuid?.() === 0 ? userOf('postgres') : null
  if (user !== null) chownSync(folder, user.uid, user.gid)
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  const as = (program: string, args: readonly string[]): [string, string[]] =>
    user === null
      ? [join(bin, program), [...args]]
      : // It ends with us, even if we are killed.
        [
          'setpriv',
          [
            '--reuid',
            String(user.uid),
            '--regid',
            String(user.gid),
            '--clear-groups',
            '--pdeathsig',
            'INT',
            join(bin, program),
            ...args,
          ],
        ]
  const run = (program: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(...as(program, args), { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  }

  run('initdb', '-D', one, '-U', owner, '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '-N')
  const primary = await start(one, undefined, settings)
  await runSql(onPostgres(primary.url), 'create database sluice', `create role ${service} login`)
  run(
    'pg_basebackup',
    '-h',
    '127.0.0.1',
    '-p',
    new URL(primary.url).port,
    '-U',
    owner,
    '-D',
    two,
    '-R',
    '-N',
    '-c',
    'fast',
  )
  let standby = await start(two)
  const pair = {
    primary,
    get standby() {
      return standby
    },
    async restartStandby() {
      standby = await start(two, Number(new URL(standby.url).port))
    },
    async stop() {
      await standby.stop()
      await primary.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return pair

  async function start(data: string, wanted?: number, given: readonly string[] = []): Promise<Server> {
    const port = wanted ?? (await freePort())
    const sockets = join(folder, `sockets-${port}`)
    mkdirSync(sockets, { recursive: true })
    if (user !== null) chownSync(sockets, user.uid, user.gid)
    const flags = [
      '-D',
      data,
      '-p',
      String(port),
      '-k',
      sockets,
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'fsync=off',
    ]
    const more = given.flatMap((setting) => ['-c', setting])
    const child: ChildProcess = spawn(...as('postgres', [...flags, ...more]), {
      cwd: folder,
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    const url = `postgres://${owner}@127.0.0.1:${port}/sluice`
    await vi.waitFor(() => query(onPostgres(url), 'select'), { timeout: patienceMs, interval: 50 })
    return {
      url,
      serviceUrl: `postgres://${service}@127.0.0.1:${port}/sluice`,
      async stop() {
        child.kill('SIGINT')
        await ended
      },
    }
  }
}

const onPostgres = (url: string) => onDatabase(url, 'postgres')

function userOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}
